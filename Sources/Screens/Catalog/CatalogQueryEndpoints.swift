import CanonicalJSON
import HTTPTypes
import MicroHTTP
import Snapshots
import ViewDeltaServer
import ViewState

/// Questions about a catalog that are answered without reading all of it: numbers, identifiers, the section
/// of an item, indexes, and the outline of items below others. Lists come page by page.
struct CatalogQueryEndpoints: Sendable {
  let store: CatalogStore
  let replies: ResourceReplies

  func register(in router: inout Router) {
    let path = "/v1/catalogs/{id}"
    list(path + "/sections", in: &router) { (catalog, _, range) throws(ProblemDetails) in
      catalog.sectionIdentifiers(range).map { page in
        let sections = Sections(
          numberOfItems: catalog.content.numberOfItems,
          numberOfSections: catalog.content.numberOfSections,
          sectionIdentifiers: page.ids.map(\.text))
        return (sections, page.hasMore ? page.ids.last : nil)
      }
    }
    list(path + "/sections/{sectionID}", in: &router) {
      (catalog, request, range) throws(ProblemDetails) in
      let id = request.id("sectionID")
      guard let index = catalog.content.index(ofSection: id.text) else {
        throw MissingElement("section", of: "catalog").problem
      }
      let section = catalog.content.sections[index]
      return catalog.itemIdentifiers(range, inSection: index).map { page in
        let place = SectionPlace(
          id: id.text, index: index, itemIdentifiers: page.ids.map(\.text),
          numberOfItems: section.rows.count, title: section.fields["title"])
        return (place, page.hasMore ? page.ids.last : nil)
      }
    }
    list(path + "/items", in: &router) { (catalog, _, range) throws(ProblemDetails) in
      catalog.itemIdentifiers(range).map { page in
        let items = Items(
          itemIdentifiers: page.ids.map(\.text), numberOfItems: catalog.content.numberOfItems)
        return (items, page.hasMore ? page.ids.last : nil)
      }
    }
    list(path + "/sections/{sectionID}/outline", in: &router) {
      (catalog, request, range) throws(ProblemDetails) in
      guard let outline = catalog.whole.outline(of: request.id("sectionID").text) else {
        throw MissingElement("section", of: "catalog").problem
      }
      return Self.outline(outline.entries[...], of: outline, range)
    }
    list(path + "/items/{itemID}/outline", in: &router) {
      (catalog, request, range) throws(ProblemDetails) in
      let id = request.id("itemID").text
      guard let section = catalog.whole.section(of: id),
        let outline = catalog.whole.outline(of: section), let index = outline.index(of: id),
        let below = outline.snapshot(of: id)
      else { throw MissingElement("item", of: "catalog").problem }
      return Self.outline(
        outline.entries[(index + 1)..<(index + 1 + below.entries.count)], of: outline, range)
    }
    router.get(path + "/items/{itemID}") { (request) throws(ProblemDetails) in
      try request.requireJSONAccepted()
      let catalog = try catalog(of: request)
      let item = try item(request.id("itemID").text, in: catalog.resource)
      return try replies.reply(item, to: request, version: catalog.version)
    }
  }

  private func item(_ id: Text, in catalog: Catalog) throws(ProblemDetails) -> JSONValue {
    guard let section = catalog.whole.section(of: id), let item = catalog.whole.item(id) else {
      throw MissingElement("item", of: "catalog").problem
    }
    let outline = catalog.whole.outlines[section]
    let entry = outline?.entry(of: id)
    let place = catalog.content.path(ofRow: id)
    return ItemPlace(
      id: id, index: catalog.content.index(ofItem: id), indexInSection: place?.row,
      isExpanded: entry.flatMap { $0.hasChildren ? $0.isExpanded : nil }, isVisible: place != nil,
      item: item.item, level: entry?.level ?? 0, parent: outline?.parent(of: id)?.id,
      section: section
    ).json
  }

  /// Returns a page of some items of an outline.
  private static func outline(
    _ entries: ArraySlice<SectionSnapshot.Entry>, of outline: SectionSnapshot,
    _ range: CollectionRange
  ) -> (Outline, next: ResourceID?)? {
    var rest = entries
    if let after = range.after {
      guard let index = entries.firstIndex(where: { $0.item.id == after.text }) else { return nil }
      rest = entries[(index + 1)...]
    }
    let page = rest.prefix(range.limit)
    let visible = Set(outline.visibleItems.map(\.id))
    var items: [Outline.Item] = []
    // The items above the next one.
    var above: [Text] = []
    for (index, entry) in outline.entries[..<page.endIndex].enumerated() {
      let id = entry.item.id
      above.removeSubrange(entry.level...)
      if index >= page.startIndex {
        items.append(
          Outline.Item(
            id: id, isExpanded: entry.hasChildren ? entry.isExpanded : nil,
            isVisible: visible.contains(id), level: entry.level, parent: above.last))
      }
      above.append(id)
    }
    let next = page.count < rest.count ? page.last.map { ResourceID(named: $0.item.id) } : nil
    return (Outline(items: items, numberOfItems: entries.count), next)
  }

  /// Adds the endpoint of a list of identifiers, with the entity tag of the catalog.
  ///
  /// - Parameter answer: Returns the answer with a page of the list, and the last id of the page if there are
  ///   more; `nil` if the list does not have the id behind which the page begins.
  private func list<Answer: FieldObject>(
    _ path: String, in router: inout Router,
    _ answer:
      @escaping @Sendable (Catalog, Request, CollectionRange) throws(ProblemDetails) -> (
        Answer, next: ResourceID?
      )?
  ) {
    router.route(.get, path) { (request) throws(ProblemDetails) in
      try request.requireJSONAccepted()
      let range = try CollectionRange(request)
      let catalog = try catalog(of: request)
      return try replies.page(to: request, at: request.path(path), range, version: catalog.version)
      { () throws(ProblemDetails) in
        guard let (answer, next) = try answer(catalog.resource, request, range) else {
          throw .afterGone
        }
        return (answer.json.canonicalBytes(), next)
      }
    }
  }

  private func catalog(of request: Request) throws(ProblemDetails) -> Versioned<Catalog> {
    do { return try store.value.catalogs.element(request.id()) } catch {
      throw ProblemDetails(error)
    }
  }
}

/// The answers.
extension CatalogQueryEndpoints {
  struct Sections: FieldObject {
    let numberOfItems: Int
    let numberOfSections: Int
    let sectionIdentifiers: [Text]

    static let fields = [
      Field("numberOfItems", \Sections.numberOfItems, .count),
      Field("numberOfSections", \.numberOfSections, .count),
      Field("sectionIdentifiers", \.sectionIdentifiers, .identifiers),
    ]
  }

  struct SectionPlace: FieldObject {
    let id: Text
    let index: Int
    let itemIdentifiers: [Text]
    let numberOfItems: Int
    let title: JSONValue?

    static let fields = [
      Field("id", \SectionPlace.id, .identifier), Field("index", \.index, .count),
      Field("itemIdentifiers", \.itemIdentifiers, .identifiers),
      Field("numberOfItems", \.numberOfItems, .count),
      Field(
        "title", \.title, .optional(.json(schema: CatalogSection.fields[0].schema))),
    ]
  }

  struct Items: FieldObject {
    let itemIdentifiers: [Text]
    let numberOfItems: Int

    static let fields = [
      Field("itemIdentifiers", \Items.itemIdentifiers, .identifiers),
      Field("numberOfItems", \.numberOfItems, .count),
    ]
  }

  struct ItemPlace: FieldObject {
    let id: Text
    let index: Int?
    let indexInSection: Int?
    let isExpanded: Bool?
    let isVisible: Bool
    let item: JSONValue
    let level: Int
    let parent: Text?
    let section: Text

    static let fields = [
      Field("id", \ItemPlace.id, .identifier),
      Field(
        "index", \.index,
        ValueType<Int>.count.described(
          "The index among all shown items; absent if the item is hidden."
        )
        .optional),
      Field(
        "indexInSection", \.indexInSection,
        ValueType<Int>.count.described("The index among the shown items of its section.").optional),
      Field("isExpanded", \.isExpanded, Outline.expansion),
      Field("isVisible", \.isVisible, Outline.visibility),
      Field("item", \.item, .json(schema: .reference(toSchema: "CatalogItem"))),
      Field("level", \.level, Outline.level),
      Field("parent", \.parent, Outline.parent),
      Field("section", \.section, .identifier),
    ]
  }

  struct Outline: FieldObject {
    struct Item: FieldObject {
      let id: Text
      let isExpanded: Bool?
      let isVisible: Bool
      let level: Int
      let parent: Text?

      static let fields = [
        Field("id", \Item.id, .identifier), Field("isExpanded", \.isExpanded, expansion),
        Field("isVisible", \.isVisible, visibility), Field("level", \.level, Outline.level),
        Field("parent", \.parent, Outline.parent),
      ]
    }

    let items: [Item]
    let numberOfItems: Int

    static let fields = [
      Field("items", \Outline.items, .list(of: Item.valueType, atMost: nil)),
      Field(
        "numberOfItems", \.numberOfItems, .count.described("The number of items on all pages.")),
    ]

    fileprivate static let expansion = Bool.valueType.described(
      "Whether the items below it are shown; absent if there are none."
    ).optional
    fileprivate static let visibility = Bool.valueType.described(
      "Whether all items above it are expanded.")
    fileprivate static let level = ValueType<Int>.count.described("The number of items above it.")
    fileprivate static let parent = ValueType<Text>.identifier.described(
      "The item directly above it; absent on the first level."
    ).optional
  }
}

/// A catalog in the list of all.
struct CatalogSummary: FieldObject {
  let id: ResourceID
  let numberOfItems: Int
  let numberOfSections: Int

  static let fields = [
    Field("id", \CatalogSummary.id), Field("numberOfItems", \.numberOfItems, .count),
    Field("numberOfSections", \.numberOfSections, .count),
  ]
}

extension FieldObject {
  /// The object as clients get it.
  var json: JSONValue { Self.valueType.write(self) ?? .null }
}

extension ValueType<Text> {
  /// The type of the ids of sections and items as texts.
  fileprivate static var identifier: ValueType {
    ValueType(
      schema: ["type": "string"], read: { (json) throws(JSONShapeError) in try json.string() },
      write: { .string($0) })
  }
}

extension ValueType<[Text]> {
  fileprivate static var identifiers: ValueType { .list(of: .identifier, atMost: nil) }
}
