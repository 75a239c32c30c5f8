import CanonicalJSON
public import ViewDeltaServer
public import ViewState

/// The screen of each catalog, on one store, with the REST endpoints of the catalogs.
public struct CatalogFeature: Feature {
  /// The catalogs to start with if there is no data file.
  public var data = CatalogData.demo()
  /// The language of the texts of the screens, unless the server is started with another one.
  public var language = Language.en

  /// Creates the feature with the data of the demo, in English.
  public init() {}

  public func register(in application: inout ApplicationBuilder) throws {
    let language = application.language(usually: language)
    let store = CatalogStore(
      "catalogs",
      try application.takeData("catalogs", or: data) { try CatalogData($0) }
        .translated(to: language),
      in: application.engine)
    application.add(
      CatalogScreen(store: store, language: language),
      keys: .collection(path: "/v1/catalogs", title: nil))
    application.add(catalogs(of: store))
    CatalogQueryEndpoints(store: store, replies: application.replies)
      .register(in: &application.router)
    for fragment in Self.documents { application.document(fragment) }
    application.document(causesNaming: ["catalogs"])
  }

  private func catalogs(of store: CatalogStore) -> CollectionEndpoints<Catalog> {
    CollectionEndpoints(
      path: "/v1/catalogs",
      page: { (_, range) throws(StoreError) in store.value.catalogs.page(range) },
      summary: \.listed,
      read: { (request) throws(StoreError) in try store.value.catalogs.element(request.id()) },
      write: { (_, write, key) async throws(StoreError) in
        try await store.write(.catalog(write), once: key).catalog
      }, isLarge: { _ in true })
  }
}
