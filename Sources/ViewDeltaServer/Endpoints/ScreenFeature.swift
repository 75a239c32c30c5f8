import CanonicalJSON
import MicroHTTP
import ViewState

/// A screen that needs nothing of HTTP but what every screen has.
struct ScreenFeature<S: ScreenMachine>: Feature {
  private let screen: S
  private let keys: ScreenKeys?

  /// - Parameter keys: where a client finds the keys; without them it has to know them.
  init(_ screen: S, keys: ScreenKeys? = nil) {
    self.screen = screen
    self.keys = keys
  }

  func register(in screens: inout ScreenRegistry) {
    screens.register(screen)
  }

  func register(in router: inout Router, _ context: EndpointContext) {}

  var screenKeys: [Text: ScreenKeys] { keys.map { [screen.descriptor.name: $0] } ?? [:] }
}
