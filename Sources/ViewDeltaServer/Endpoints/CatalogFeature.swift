import CanonicalJSON
import MicroHTTP
import Screens
import ViewState

/// The screen of each catalog, on one store.
struct CatalogFeature: Feature {
  let store: CatalogStore

  init(_ configuration: ApplicationConfiguration, in engine: Engine) {
    store = CatalogStore("catalogs", configuration.catalogs, in: engine)
  }

  func register(in screens: inout ScreenRegistry) {
    screens.register(CatalogScreen(store: store))
  }

  func register(in router: inout Router, _ context: EndpointContext) {
    CatalogEndpoints(store: store).register(in: &router, context)
    CatalogQueryEndpoints(store: store, replies: context.replies).register(in: &router)
  }

  var screenKeys: [Text: ScreenKeys] {
    ["catalog": .collection(path: "/v1/catalogs", title: nil)]
  }
}
