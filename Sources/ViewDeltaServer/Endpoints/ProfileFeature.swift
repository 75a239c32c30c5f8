import CanonicalJSON
import MicroHTTP
import Screens
import ViewState

/// The profile screen, on a store of users and their posts.
struct ProfileFeature: Feature {
  let store: ProfileStore
  let policy: RefreshPolicy

  init(_ configuration: ApplicationConfiguration, in engine: Engine) {
    store = ProfileStore(configuration.data, in: engine, latency: configuration.latency)
    policy = configuration.refreshPolicy
  }

  func register(in screens: inout ScreenRegistry) {
    screens.register(ProfileScreen(store: store, policy: policy))
  }

  func register(in router: inout Router, _ context: EndpointContext) {
    AccountEndpoints(
      store: store, path: "/v1/users", entries: (name: "posts", parameter: "postID"),
      aliases: ["name": "username", "image": "avatarURL"]
    ).register(in: &router, context)
  }

  var screenKeys: [Text: ScreenKeys] {
    ["profile": .collection(path: "/v1/users", title: "username")]
  }

  var faultTargets: [Text: any FaultTarget] { AccountFaults.all(of: store) }
}
