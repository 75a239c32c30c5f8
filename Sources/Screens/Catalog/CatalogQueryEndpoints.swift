import CanonicalJSON
import HTTPTypes
import MicroHTTP
import Snapshots
import ViewDeltaServer
import ViewState

/// Questions about a catalog that are answered without reading all of it: numbers, identifiers, the section
/// of an item, and indexes. Lists of identifiers come page by page.
struct CatalogQueryEndpoints: Sendable {
  private typealias Failure = CatalogData.Failure

  let store: CatalogStore
  let replies: ResourceReplies

  func register(in router: inout Router) {
    let path = "/v1/catalogs/{id}"
    list(path + "/sections", in: &router) { (catalog, _, range) throws(Failure) in
      catalog.sectionIdentifiers(range).map { part in
        let sections = Sections(
          numberOfItems: catalog.content.numberOfItems,
          numberOfSections: catalog.content.numberOfSections,
          sectionIdentifiers: part.ids.map(\.text))
        return (sections, part.hasMore ? part.ids.last : nil)
      }
    }
    list(path + "/sections/{sectionID}", in: &router) { (catalog, request, range) throws(Failure) in
      let id = request.id("sectionID")
      guard let index = catalog.content.index(ofSection: id.text) else {
        throw .missing(MissingElement("section", of: "catalog"))
      }
      let section = catalog.content.sections[index]
      return catalog.itemIdentifiers(range, inSection: index).map { part in
        let place = SectionPlace(
          id: id.text, index: index, itemIdentifiers: part.ids.map(\.text),
          numberOfItems: section.rows.count, title: section.fields["title"])
        return (place, part.hasMore ? part.ids.last : nil)
      }
    }
    list(path + "/items", in: &router) { (catalog, _, range) throws(Failure) in
      catalog.itemIdentifiers(range).map { part in
        let items = Items(
          itemIdentifiers: part.ids.map(\.text), numberOfItems: catalog.content.numberOfItems)
        return (items, part.hasMore ? part.ids.last : nil)
      }
    }
    router.get(path + "/items/{itemID}") { (request) throws(ProblemDetails) in
      try request.requireJSONAccepted()
      let (item, version) = try found(request, self.item)
      return try replies.reply(item, to: request, version: version)
    }
  }

  private func item(_ catalog: Catalog, _ request: Request) throws(Failure) -> JSONValue {
    let id = request.id("itemID")
    guard let index = catalog.content.index(ofItem: id.text),
      let place = catalog.content.path(ofRow: id.text),
      let section = catalog.content.sectionIdentifier(containingItem: id.text)
    else { throw .missing(MissingElement("item", of: "catalog")) }
    return ItemPlace(
      id: id.text, index: index, indexInSection: place.row, item: catalog.content[place].item,
      section: section
    ).json
  }

  /// Adds the endpoint of a list of identifiers, with the entity tag of the catalog.
  ///
  /// - Parameter answer: Returns the answer with a part of the list, and the last id of the part if there are
  ///   more; `nil` if the list does not have the id behind which the part begins.
  private func list<Answer: FieldObject>(
    _ path: String, in router: inout Router,
    _ answer:
      @escaping @Sendable (Catalog, Request, CollectionRange) throws(Failure) -> (
        Answer, next: ResourceID?
      )?
  ) {
    router.on(.get, path) { (request) async throws(ProblemDetails) in
      try request.requireJSONAccepted()
      let range = try CollectionRange(request)
      let (found, version) = try found(request) { (catalog, request) throws(Failure) in
        try answer(catalog, request, range)
      }
      guard let (answer, next) = found else { throw .afterGone }
      return try replies.page(to: request, at: request.path(path), range, version: version) {
        (answer.json.canonicalBytes(), next)
      }
    }
  }

  private func found<Value>(
    _ request: Request, _ find: (Catalog, Request) throws(Failure) -> Value
  ) throws(ProblemDetails) -> (Value, version: Int) {
    do throws(Failure) {
      let catalog = try store.value.catalogs.element(request.id())
      return (try find(catalog.resource, request), catalog.version)
    } catch {
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
    let index: Int
    let indexInSection: Int
    let item: JSONValue
    let section: Text

    static let fields = [
      Field("id", \ItemPlace.id, .identifier),
      Field("index", \.index, .count.described("Among all items of the catalog.")),
      Field("indexInSection", \.indexInSection, .count),
      Field("item", \.item, .json(schema: .reference(toSchema: "CatalogItem"))),
      Field("section", \.section, .identifier),
    ]
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

extension ValueType<Int> {
  /// The type of numbers of elements, and of their positions.
  static var count: ValueType {
    ValueType(
      schema: ["type": "integer", "minimum": 0],
      read: { (json) throws(JSONShapeError) in try json.integer() }, write: { .integer($0) })
  }
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
