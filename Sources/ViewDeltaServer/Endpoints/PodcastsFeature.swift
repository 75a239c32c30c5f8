import MicroHTTP
import Screens
import ViewState

/// The podcasts screen, on a store of listeners and the podcasts that they follow.
struct PodcastsFeature: Feature {
  let store: PodcastStore
  let policy: RefreshPolicy

  init(_ configuration: ApplicationConfiguration) {
    store = PodcastStore(
      data: configuration.podcasts, scheduler: configuration.environment.scheduler,
      latency: configuration.podcastsLatency)
    policy = configuration.refreshPolicy
  }

  func register(in screens: inout ScreenRegistry) {
    screens.register(PodcastsScreen(store: store, policy: policy))
  }

  func register(in router: inout Router, _ context: EndpointContext) {
    ListenerEndpoints(store: store, context: context).register(in: &router)
    PodcastEndpoints(store: store, context: context).register(in: &router)
  }

  var screenKeys: [String: ScreenKeys] {
    ["podcasts": .collection(path: "/v1/listeners", title: "name")]
  }

  var faultTargets: [String: any FaultTarget] {
    [PodcastsSource.podcasts.rawValue: Target(store: store)]
  }

  private struct Target: FaultTarget {
    let store: PodcastStore

    func faultScript(of key: String) throws(ProblemDetails) -> FaultScript? {
      do { return try store.faultScript(of: ResourceID(named: key)) } catch { throw error.problem }
    }

    func setFaultScript(_ script: FaultScript?, of key: String) throws(ProblemDetails) {
      do {
        try store.setFaultScript(script, of: ResourceID(named: key))
      } catch {
        throw error.problem
      }
    }
  }
}
