import CanonicalJSON
import MicroHTTP
import OrderedCollections
import Screens
import ViewState

/// The catalogs, each whole with its sections and items.
struct CatalogEndpoints: Sendable {
  typealias Failure = CatalogData.Failure

  let store: CatalogStore

  static let path = "/v1/catalogs"

  func register(in router: inout Router, _ context: EndpointContext) {
    catalogs.register(in: &router, context)
  }

  private var catalogs: CollectionEndpoints<Catalog, CatalogData.Missing> {
    CollectionEndpoints(
      path: Self.path,
      part: { (_, range) throws(Failure) in store.value.catalogs(range) },
      summary: \.summary,
      create: { _, body in
        try await store.write { data in
          let catalog = try Catalog(body, assigned: data.nextCatalogID, limits: data.limits)
          return try data.insert(catalog)
        }
      },
      resource: ResourceEndpoints(
        read: { (request) throws(Failure) in try store.value.catalog(request.id()).versioned },
        parse: { (body, current) throws(JSONShapeError) in
          try Catalog(
            body, assigned: current.id, limits: store.value.limits, reusing: current.content)
        },
        replace: { (_, catalog, version) async throws(Failure) in
          try await store.write { data throws(Failure) in
            try data.replace(catalog, expecting: version)
          }
        },
        delete: { (request, version) async throws(Failure) in
          try await store.write { data throws(Failure) in
            try data.remove(request.id(), expecting: version)
          }
        },
        isLarge: true))
  }
}
