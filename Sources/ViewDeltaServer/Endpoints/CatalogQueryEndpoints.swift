import CanonicalJSON
import HTTPTypes
import MicroHTTP
import Screens
import Snapshots
import ViewState

/// What can be asked about a catalog without reading all of it: numbers, identifiers, the section
/// of an item, and indexes.
struct CatalogQueryEndpoints: Sendable {
  let store: CatalogStore
  let tags: ResourceTags

  func register(in router: inout Router) {
    let path = CatalogEndpoints.path + "/{id}"
    get(path + "/sections", in: &router) { (content, _) throws(CatalogData.Failure) in
      [
        "numberOfItems": .integer(content.numberOfItems),
        "numberOfSections": .integer(content.numberOfSections),
        "sectionIdentifiers": .array(content.sectionIdentifiers.map(JSONValue.string)),
      ]
    }
    get(path + "/sections/{sectionID}", in: &router) {
      (content, request) throws(CatalogData.Failure) in
      let id = request.id("sectionID")
      guard let index = content.index(ofSection: id.text),
        let items = content.itemIdentifiers(inSection: id.text)
      else { throw .missing(.section) }
      var members = content.sections[index].fields
      members["id"] = .string(id.text)
      members["index"] = .integer(index)
      members["numberOfItems"] = .integer(items.count)
      members["itemIdentifiers"] = .array(items.map(JSONValue.string))
      return .object(members)
    }
    get(path + "/items", in: &router) { (content, _) throws(CatalogData.Failure) in
      [
        "itemIdentifiers": .array(content.itemIdentifiers.map(JSONValue.string)),
        "numberOfItems": .integer(content.numberOfItems),
      ]
    }
    get(path + "/items/{itemID}", in: &router) { (content, request) throws(CatalogData.Failure) in
      let id = request.id("itemID")
      guard let index = content.index(ofItem: id.text),
        let place = content.path(ofRow: id.text),
        let section = content.sectionIdentifier(containingItem: id.text)
      else { throw .missing(.item) }
      return [
        "id": .string(id.text), "index": .integer(index), "indexInSection": .integer(place.row),
        "item": CatalogItem(content[place]).json, "section": .string(section),
      ]
    }
  }

  /// A reply on the content of a catalog, with the catalog's entity tag.
  private func get(
    _ path: String, in router: inout Router,
    _ answer: @escaping @Sendable (Snapshot, Request) throws(CatalogData.Failure) -> JSONValue
  ) {
    router.get(path) { (request) throws(ProblemDetails) in
      try request.requireJSONAccepted()
      let (catalog, document): (Catalog, JSONValue)
      do throws(CatalogData.Failure) {
        catalog = try store.value.catalog(request.id())
        document = try answer(catalog.content, request)
      } catch {
        throw ProblemDetails(error)
      }
      let tag = tags.tag(of: catalog.version)
      let reply = Response.json(
        document,
        fields: [.eTag: tag.text, .cacheControl: Caching.revalidate.rawValue])
      guard request.ifNoneMatch?.matchesWeakly(tag) == true else { return reply }
      return reply.notModified
    }
  }
}
