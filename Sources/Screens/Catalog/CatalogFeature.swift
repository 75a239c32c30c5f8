import CanonicalJSON
public import MicroHTTP
public import ViewDeltaServer
import ViewState

/// The screen of each catalog, on one store.
public struct CatalogFeature: Feature {
  /// The catalogs to start with if there is no data file.
  public var data: CatalogData

  /// Configures the feature.
  public init(data: CatalogData = .demo()) {
    self.data = data
  }

  public func register(in application: inout ApplicationBuilder) throws {
    for fragment in Self.documents { application.document(fragment) }
    let file = application.takeData("catalogs")
    let store = CatalogStore(
      "catalogs", try file.map { file throws(JSONShapeError) in try CatalogData(file) } ?? data,
      in: application.engine)
    application.add(
      CatalogScreen(store: store), keys: .collection(path: CatalogEndpoints.path, title: nil))
    CatalogEndpoints(store: store).register(in: &application)
    CatalogQueryEndpoints(store: store, replies: application.replies)
      .register(in: &application.router)
  }
}

extension CatalogData.Missing: MissingResource {
  public var problem: ProblemDetails {
    switch self {
    case .catalog: .missing(code: "unknown-catalog", "there is no catalog of this id")
    case .section: .missing(code: "unknown-section", "the catalog has no section of this id")
    case .item: .missing(code: "unknown-item", "the catalog has no item of this id")
    }
  }
}
