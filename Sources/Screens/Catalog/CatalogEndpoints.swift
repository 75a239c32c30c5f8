import CanonicalJSON
import MicroHTTP
import OrderedCollections
import ViewDeltaServer
import ViewState

/// The catalogs, each whole with its sections and items.
struct CatalogEndpoints: Sendable {
  typealias Failure = CatalogData.Failure

  let store: CatalogStore

  static let path = "/v1/catalogs"

  func register(in application: inout ApplicationBuilder) {
    application.add(catalogs)
  }

  private var catalogs: CollectionEndpoints<Catalog, CatalogData.Missing> {
    CollectionEndpoints(
      path: Self.path,
      part: { (_, range) throws(Failure) in store.value.catalogs(range) },
      summary: \.summary,
      create: { (_, body, key) async throws(Failure) in
        try await catalog(.create(body.value), once: key)
      },
      resource: ResourceEndpoints(
        read: { (request) throws(Failure) in try store.value.catalog(request.id()).versioned },
        parse: { (body, current) throws(JSONShapeError) in
          try Catalog(
            body, assigned: current.id, limits: store.value.limits, reusing: current.content)
        },
        replace: { (_, catalog, version) async throws(Failure) in
          try await self.catalog(.replace(catalog, expecting: version))
        },
        delete: { (request, version) async throws(Failure) in
          _ = try await store.resource(.remove(request.id(), expecting: version))
        },
        isLarge: true))
  }

  private func catalog(
    _ write: CatalogWrite, once key: RequestKey? = nil
  ) async throws(Failure) -> Versioned<Catalog> {
    guard case .catalog(let catalog) = try await store.resource(write, once: key) else {
      throw .full
    }
    return catalog
  }
}
