import CanonicalJSON
import MicroHTTP
public import ViewDeltaServer
import ViewState

/// The screen of each catalog, on one store, with the REST endpoints of the catalogs.
public struct CatalogFeature: Feature {
  /// The catalogs to start with if there is no data file.
  public var data: CatalogData

  /// Configures the feature.
  public init(data: CatalogData = .demo()) {
    self.data = data
  }

  public func register(in application: inout ApplicationBuilder) throws {
    let store = CatalogStore(
      "catalogs", try application.takeData("catalogs", or: data) { try CatalogData($0) },
      in: application.engine)
    application.add(
      CatalogScreen(store: store), keys: .collection(path: "/v1/catalogs", title: nil))
    application.add(catalogs(of: store))
    CatalogQueryEndpoints(store: store, replies: application.replies)
      .register(in: &application.router)
    for fragment in Self.documents { application.document(fragment) }
    application.document(causesNaming: ["catalogs"])
  }

  private typealias Failure = CatalogData.Failure

  private func catalogs(of store: CatalogStore) -> CollectionEndpoints<Catalog, MissingElement> {
    CollectionEndpoints(
      path: "/v1/catalogs",
      part: { (_, range) throws(Failure) in store.value.catalogs.part(range) },
      summary: \.listed,
      read: { (request) throws(Failure) in try store.value.catalogs.element(request.id()) },
      write: { (_, write, key) async throws(Failure) in
        try await store.write(.catalog(write), once: key).catalog
      }, isLarge: { _ in true })
  }
}
