public import CanonicalJSON
public import Snapshots
public import ViewState

/// A catalog: sections of items, each found by id.
///
/// It is kept as the same snapshot that its screen shows. So it has the operations of a snapshot, by the same names,
/// and a change costs only what changes.
public struct Catalog: Equatable, Sendable {
  /// The id, unique among the catalogs, which is also the key of the view model.
  public let id: ResourceID
  var whole = CatalogContent()

  /// The sections and the items that are shown, which are the rows. Items below a collapsed one are not.
  public var content: Snapshot { whole.shown }
}

extension Catalog: Resource {
  public static let summary =
    "A catalog with its sections and items, in the order in which they are shown."
  public static let refusesUnknownMembers = true
  public static let fields = [Field("sections", \Catalog.whole, sections)]

  private static let sections: ValueType<CatalogContent> = {
    let list = ValueType<[CatalogSection]>.list(of: .element)
    return ValueType(
      schema: list.schema, input: list.inputSchema,
      read: { (json) throws(JSONShapeError) in
        var sections: [CatalogSection] = []
        // However many: the store limits their number.
        for element in try json.elements() { sections.append(try CatalogSection(element)) }
        var content = CatalogContent()
        do throws(JSONShapeError) {
          _ = try CatalogOperation.appendSections(sections).apply(to: &content)
        } catch {
          throw error.within(json.pointer.tokens.dropLast())
        }
        return content
      }, write: \.document
    ).defaulting(to: CatalogContent())
  }()

  public init(id: ResourceID) { self.init(id: id, whole: CatalogContent()) }

  /// Reads a catalog that replaces another one, and shares all equal parts with it.
  public init(_ body: JSONReader, replacing current: Catalog) throws(JSONShapeError) {
    self = try Catalog(body, assigned: current.id).sharing(with: current)
  }

  /// Zero, because the store limits the number of sections and items instead.
  public var byteCount: Int { 0 }

  /// The catalog in a list of all: its id and how large it is.
  var listed: JSONValue {
    CatalogSummary(
      id: id, numberOfItems: whole.numberOfItems, numberOfSections: content.numberOfSections
    ).json
  }

  /// Returns the catalog with all that is equal shared with another one, and the generations and the language
  /// of that.
  func sharing(with previous: Catalog) -> Catalog {
    let generations = Generations(of: previous.whole)
    return Catalog(
      id: id,
      whole: whole.with(generations, in: previous.whole.language, reusing: previous.content))
  }

  /// Returns the catalog in a language.
  func translated(to language: Language) -> Catalog {
    if language == whole.language { return self }
    return Catalog(
      id: id, whole: whole.with(Generations(of: whole), in: language, reusing: .empty))
  }
}

/// A catalog is kept with the generations and the language, which clients do not get.
extension Catalog {
  public init(from decoder: any Decoder) throws {
    let reader = try JSONReader(from: decoder)
    try self.init(reader.omitting("generations").omitting("language"))
    let generations = try reader.optionalMember("generations")?.decode(Generations.self)
    let language = try reader.optionalMember("language")?.decode(Language.self)
    if generations == nil, language == nil { return }
    whole = whole.with(generations ?? Generations(), in: language ?? .en, reusing: .empty)
  }

  public func encode(to encoder: any Encoder) throws {
    let generations = Generations(of: whole)
    var document = json
    if generations != Generations() {
      document = document.mergePatched(with: ["generations": try JSONValue(encoding: generations)])
    }
    if whole.language != .en {
      document = document.mergePatched(with: ["language": try JSONValue(encoding: whole.language)])
    }
    try document.encode(to: encoder)
  }
}

/// Questions about a catalog that are answered without reading all of it.
extension Catalog {
  /// Returns the ids of a page of the sections; `nil` if there is none with the id that the page begins
  /// behind.
  ///
  /// - Complexity: O(*m* log *n*), where *n* is the number of sections and *m* that of the page.
  func sectionIdentifiers(_ range: CollectionRange) -> (ids: [ResourceID], hasMore: Bool)? {
    var start = 0
    if let after = range.after {
      guard let place = content.index(ofSection: after.text) else { return nil }
      start = place + 1
    }
    let end = start + min(range.limit, content.sections.count - start)
    return (
      content.sections[start..<end].map { ResourceID(named: $0.id) }, end < content.sections.count
    )
  }

  /// Returns the ids of a page of the items; `nil` if there is none with the id that the page begins behind.
  ///
  /// - Parameter section: The index of the section whose items are meant; `nil` for the items of all.
  /// - Complexity: O((*m* + *k*) log *n*), where *n* is the number of sections and items, *m* that of
  ///   the items of the page and *k* that of the sections from its start to its end.
  func itemIdentifiers(
    _ range: CollectionRange, inSection section: Int? = nil
  ) -> (ids: [ResourceID], hasMore: Bool)? {
    let sections =
      section.map { $0..<$0 + 1 } ?? content.sections.startIndex..<content.sections.endIndex
    var (place, start) = (sections.lowerBound, 0)
    if let after = range.after {
      guard let path = content.path(ofRow: after.text), sections.contains(path.section) else {
        return nil
      }
      (place, start) = (path.section, path.row + 1)
    }
    var found: [ResourceID] = []
    while place < sections.upperBound {
      for row in content.sections[place].rows[start...] {
        // One more than the page has says that there are more.
        if found.count == range.limit { return (found, true) }
        found.append(ResourceID(named: row.id))
      }
      (place, start) = (place + 1, 0)
    }
    return (found, false)
  }
}
