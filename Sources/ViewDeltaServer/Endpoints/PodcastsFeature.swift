import CanonicalJSON
import MicroHTTP
import Screens
import ViewState

/// The podcasts screen, on a store of listeners and the podcasts that they follow.
struct PodcastsFeature: Feature {
  let store: PodcastStore
  let policy: RefreshPolicy

  init(_ configuration: ApplicationConfiguration, in engine: Engine) {
    store = PodcastStore(
      configuration.podcasts, in: engine, latency: [.podcasts: configuration.podcastsLatency])
    policy = configuration.refreshPolicy
  }

  func register(in screens: inout ScreenRegistry) {
    screens.register(PodcastsScreen(store: store, policy: policy))
  }

  func register(in router: inout Router, _ context: EndpointContext) {
    AccountEndpoints(
      store: store, path: "/v1/listeners", entries: (name: "podcasts", parameter: "podcastID")
    ).register(in: &router, context)
  }

  var screenKeys: [Text: ScreenKeys] {
    ["podcasts": .collection(path: "/v1/listeners", title: "name")]
  }

  var faultTargets: [Text: any FaultTarget] { AccountFaults.all(of: store) }
}
