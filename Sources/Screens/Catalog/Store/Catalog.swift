public import CanonicalJSON
public import Snapshots
public import ViewState

/// A catalog: sections of items, each found by id.
///
/// It is kept as the very snapshot that its screen shows. So the operations on it are those of the
/// snapshot, by the same names, and a change costs what changes.
public struct Catalog: StoredResource {
  /// Unique among the catalogs, and the key of the catalog's screen.
  public let id: ResourceID
  /// The sections and items, which are its rows.
  public internal(set) var content: Snapshot
  /// The number of the write that made the catalog as it is.
  public internal(set) var version = 0

  /// The catalog with its version.
  public var versioned: Versioned<Catalog> { Versioned(resource: self, version: version) }
}

extension Catalog {
  /// Reads a catalog with its sections.
  ///
  /// - Parameters:
  ///   - assigned: the id to use where the object has none.
  ///   - limits: how many sections and items it may have.
  ///   - previous: what it takes the place of, and shares with it what is the same.
  /// - Throws: `JSONShapeError` for unknown members, a wrong one, values out of their limits, and
  ///   an id that is given twice.
  public init(
    _ reader: JSONReader, assigned: ResourceID? = nil, limits: CatalogLimits = CatalogLimits(),
    reusing previous: Snapshot = .empty
  ) throws(JSONShapeError) {
    try reader.object()
    try reader.rejectUnknownMembers(allowed: ["id", "sections"])
    id = try reader.resourceID("id", assigned: assigned)
    content = .empty
    guard let list = try reader.nullableMember("sections") else { return }
    var sections: [CatalogSection] = []
    for element in try list.elements() { sections.append(try CatalogSection(element)) }
    let fault: CatalogFault?
    do throws(CatalogFault) {
      _ = try CatalogOperation.appendSections(sections).apply(to: &content)
      try content.check(against: limits)
      content = try content.sharing(with: previous)
      fault = nil
    } catch {
      fault = error
    }
    if let fault { throw fault.shapeError(in: reader.pointer) }
  }

  /// The catalog as `init(_:assigned:limits:reusing:)` reads it.
  public var json: JSONValue {
    let sections = content.sections.map { section -> JSONValue in
      var members = section.fields
      members["id"] = .string(section.id)
      members["items"] = .array(section.rows.map { CatalogItem($0).json })
      return .object(members)
    }
    return .object(["id": id.json, "sections": .array(sections)])
  }

  /// The catalog as it stands in a list of all: its id and how large it is.
  public var summary: JSONValue {
    .object([
      "id": id.json, "numberOfItems": .integer(content.numberOfItems),
      "numberOfSections": .integer(content.numberOfSections),
    ])
  }
}

extension Snapshot {
  /// Refuses what is too large.
  func check(against limits: CatalogLimits) throws(CatalogFault) {
    guard numberOfSections <= limits.sectionsPerCatalog else {
      throw CatalogFault(
        ["sections"], "a catalog has at most \(limits.sectionsPerCatalog) sections")
    }
    guard numberOfItems <= limits.itemsPerCatalog else {
      throw CatalogFault(["sections"], "a catalog has at most \(limits.itemsPerCatalog) items")
    }
  }

  fileprivate func sharing(with previous: Snapshot) throws(CatalogFault) -> Snapshot {
    do throws(SnapshotError) {
      return try Snapshot(sections: sections, reusing: previous)
    } catch {
      throw CatalogFault(["sections"], "\(error)")
    }
  }
}

/// As `json`, with the version.
extension Catalog: Codable {
  public init(from decoder: any Decoder) throws {
    let reader = try JSONReader(from: decoder)
    try self.init(reader.omitting("version"), limits: .none)
    version = try reader.member("version").count()
  }

  public func encode(to encoder: any Encoder) throws {
    guard case .object(var members) = json else { return }
    members["version"] = .integer(version)
    try JSONValue.object(members).encode(to: encoder)
  }
}

/// What can be asked about a catalog's sections and items without reading all of them.
extension Catalog {
  /// The ids of a part of the sections; `nil` where there is none that the part could begin behind.
  ///
  /// - Complexity: O(*m* log *n*), where *n* is the number of sections and *m* that of the part.
  public func sectionIdentifiers(_ range: CollectionRange) -> CollectionPart<ResourceID>? {
    var start = 0
    if let after = range.after {
      guard let place = content.index(ofSection: after.text) else { return nil }
      start = place + 1
    }
    let end = start + min(range.limit, content.sections.count - start)
    return CollectionPart(
      elements: content.sections[start..<end].map { ResourceID(named: $0.id) },
      hasMore: end < content.sections.count, version: version)
  }

  /// The ids of a part of the items; `nil` where there is none that the part could begin behind.
  ///
  /// - Parameter section: the index of the section whose items are meant; `nil` for those of all.
  /// - Complexity: O((*m* + *k*) log *n*), where *n* is the number of sections and items, *m* that of
  ///   the items of the part and *k* that of the sections in which they stand or could.
  public func itemIdentifiers(
    _ range: CollectionRange, inSection section: Int? = nil
  ) -> CollectionPart<ResourceID>? {
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
      let rows = content.sections[place].rows
      for row in rows[start...] {
        // One more than is wanted says that there are more.
        if found.count == range.limit {
          return CollectionPart(elements: found, hasMore: true, version: version)
        }
        found.append(ResourceID(named: row.id))
      }
      (place, start) = (place + 1, 0)
    }
    return CollectionPart(elements: found, hasMore: false, version: version)
  }
}
