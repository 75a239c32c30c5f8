import CanonicalJSON
import HTTPTypes
import MicroHTTP
import OrderedCollections
import Screens
import ViewState

/// The catalogs, each whole with its sections and items.
struct CatalogEndpoints: Sendable {
  let store: CatalogStore
  let context: EndpointContext

  static let path = "/v1/catalogs"

  func register(in router: inout Router) {
    let catalog = resource
    router.get(Self.path) { (request) throws(ProblemDetails) in
      try request.requireJSONAccepted()
      return .json(.array(store.value.catalogs.values.map(\.summary)))
    }
    router.on(.post, Self.path) { (request) async throws(ProblemDetails) in
      try request.requireJSONAccepted()
      return try await context.idempotency.respond(to: request) {
        (request) throws(ProblemDetails) in
        let body = try request.json()
        let created = try await store.write { data throws(ProblemDetails) in
          try Self.create(body, in: &data)
        }
        return catalog.reply(
          created, status: .created, location: "\(Self.path)/\(created.resource.id.pathSegment)")
      }
    }
    catalog.register(in: &router, path: Self.path + "/{id}")
  }

  private var resource: ResourceEndpoints<Catalog, CatalogError> {
    ResourceEndpoints(
      tags: context.tags,
      read: { (request) throws(CatalogError) in
        try store.value.catalog(request.catalogID).versioned
      },
      parse: { (body, current) throws(JSONShapeError) in
        let catalog = try Catalog(
          body, assigned: current.id, limits: store.value.limits, reusing: current.content)
        guard catalog.id == current.id else { throw body.differentID }
        return catalog
      },
      replace: { (catalog, version) async throws(CatalogError) in
        try await store.write { data throws(CatalogError) in
          try data.replace(catalog, expecting: version)
          return try data.catalog(catalog.id).versioned
        }
      },
      delete: { (request, version) async throws(CatalogError) in
        try await store.write { data throws(CatalogError) in
          try data.remove(request.catalogID, expecting: version)
        }
      },
      json: \.json)
  }

  private static func create(
    _ body: JSONReader, in data: inout CatalogData
  ) throws(ProblemDetails) -> Versioned<Catalog> {
    do {
      let catalog = try Catalog(body, assigned: data.nextCatalogID, limits: data.limits)
      try data.insert(catalog)
      return try data.catalog(catalog.id).versioned
    } catch {
      throw .creating(error)
    }
  }
}

extension CatalogError: StoreFailure {
  var problem: ProblemDetails {
    switch self {
    case .unknownCatalog:
      ProblemDetails(
        status: .notFound, code: "unknown-catalog", detail: "there is no catalog of this id")
    case .unknownSection:
      ProblemDetails(
        status: .notFound, code: "unknown-section",
        detail: "the catalog has no section of this id")
    case .unknownItem:
      ProblemDetails(
        status: .notFound, code: "unknown-item", detail: "the catalog has no item of this id")
    case .duplicateID(let id): ProblemDetails(ProfileStoreError.duplicateID(id))
    case .refused(let fault):
      ProblemDetails(JSONShapeError(pointer: fault.place, message: fault.message))
    case .changedMeanwhile: ProblemDetails(ProfileStoreError.changedMeanwhile)
    case .full: ProblemDetails(ProfileStoreError.full)
    }
  }
}

extension Request {
  /// The catalog that the path names.
  var catalogID: ResourceID { ResourceID(named: parameters["id"] ?? "") }
}
