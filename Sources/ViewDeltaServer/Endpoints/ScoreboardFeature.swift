import CanonicalJSON
import MicroHTTP
import Screens
import ViewState

/// The list of scoreboards and the screen of each, on one store.
struct ScoreboardFeature: Feature {
  let store: ScoreboardStore

  init(_ configuration: ApplicationConfiguration, in engine: Engine) {
    store = ScoreboardStore("scoreboards", configuration.scoreboards, in: engine)
  }

  func register(in screens: inout ScreenRegistry) {
    screens.register(ScoreboardsScreen(store: store))
    screens.register(ScoreboardScreen(store: store))
  }

  func register(in router: inout Router, _ context: EndpointContext) {
    ScoreboardEndpoints(store: store).register(in: &router, context)
  }

  var screenKeys: [Text: ScreenKeys] {
    [
      "scoreboards": .only([ScoreboardsScreen.key]),
      "scoreboard": .collection(path: "/v1/scoreboards", title: "title"),
    ]
  }
}
