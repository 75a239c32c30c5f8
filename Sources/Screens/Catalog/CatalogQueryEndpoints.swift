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
    list(path + "/sections", in: &router, as: "sectionIdentifiers") {
      (catalog, _, range) throws(Failure) in
      let members: [Text: JSONValue] = [
        "numberOfItems": .integer(catalog.content.numberOfItems),
        "numberOfSections": .integer(catalog.content.numberOfSections),
      ]
      return (members, catalog.sectionIdentifiers(range))
    }
    list(path + "/sections/{sectionID}", in: &router, as: "itemIdentifiers") {
      (catalog, request, range) throws(Failure) in
      let id = request.id("sectionID")
      guard let index = catalog.content.index(ofSection: id.text) else {
        throw .missing(MissingElement("section", of: "catalog"))
      }
      let section = catalog.content.sections[index]
      var members = section.fields
      members["id"] = .string(id.text)
      members["index"] = .integer(index)
      members["numberOfItems"] = .integer(section.rows.count)
      return (members, catalog.itemIdentifiers(range, inSection: index))
    }
    list(path + "/items", in: &router, as: "itemIdentifiers") {
      (catalog, _, range) throws(Failure) in
      (
        ["numberOfItems": .integer(catalog.content.numberOfItems)], catalog.itemIdentifiers(range)
      )
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
    return [
      "id": .string(id.text), "index": .integer(index), "indexInSection": .integer(place.row),
      "item": catalog.content[place].item, "section": .string(section),
    ]
  }

  /// The members beside a part of a list of identifiers, and the part.
  private typealias Answer = (
    members: [Text: JSONValue], part: (ids: [ResourceID], hasMore: Bool)?
  )

  /// Adds the endpoint of a list of identifiers, with the entity tag of the catalog.
  private func list(
    _ path: String, in router: inout Router, as name: Text,
    _ answer: @escaping @Sendable (Catalog, Request, CollectionRange) throws(Failure) -> Answer
  ) {
    router.on(.get, path) { (request) async throws(ProblemDetails) in
      try request.requireJSONAccepted()
      let range = try CollectionRange(request)
      let (found, version) = try found(request) { (catalog, request) throws(Failure) in
        try answer(catalog, request, range)
      }
      guard let part = found.part else { throw .afterGone }
      return try replies.page(to: request, at: request.path(path), range, version: version) {
        var members = found.members
        members[name] = .array(part.ids.map { .string($0.text) })
        return (JSONValue.object(members).canonicalBytes(), part.hasMore ? part.ids.last : nil)
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
