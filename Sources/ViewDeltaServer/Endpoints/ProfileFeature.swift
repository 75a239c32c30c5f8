import MicroHTTP
import Screens
import ViewState

/// The profile screen, on a store of users and their posts.
struct ProfileFeature: Feature {
  let store: ProfileStore
  let policy: RefreshPolicy

  init(_ configuration: ApplicationConfiguration) {
    store = ProfileStore(
      data: configuration.data, scheduler: configuration.environment.scheduler,
      latency: configuration.latency, now: configuration.now)
    policy = configuration.refreshPolicy
  }

  func register(in screens: inout ScreenRegistry) {
    screens.register(ProfileScreen(store: store, policy: policy))
  }

  func register(in router: inout Router, _ context: EndpointContext) {
    UserEndpoints(store: store, tags: context.tags, idempotency: context.idempotency)
      .register(in: &router)
    PostEndpoints(store: store, tags: context.tags, idempotency: context.idempotency)
      .register(in: &router)
  }

  var screenKeys: [String: ScreenKeys] {
    ["profile": .collection(path: "/v1/users", title: "username")]
  }

  var faultTargets: [String: any FaultTarget] {
    Dictionary(
      uniqueKeysWithValues: ProfileSource.allCases.map { source in
        (source.rawValue, Target(store: store, source: source))
      })
  }

  private struct Target: FaultTarget {
    let store: ProfileStore
    let source: ProfileSource

    func faultScript(of key: String) throws(ProblemDetails) -> FaultScript? {
      do {
        return try store.faultScript(source, of: ResourceID(named: key))
      } catch {
        throw ProblemDetails(error)
      }
    }

    func setFaultScript(_ script: FaultScript?, of key: String) throws(ProblemDetails) {
      do {
        try store.setFaultScript(script, for: source, of: ResourceID(named: key))
      } catch {
        throw ProblemDetails(error)
      }
    }
  }
}
