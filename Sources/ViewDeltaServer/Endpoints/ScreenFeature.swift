import MicroHTTP
import ViewState

/// A screen that needs nothing of HTTP but what every screen has.
struct ScreenFeature<S: Screen>: Feature {
  private let screen: S

  init(_ screen: S) {
    self.screen = screen
  }

  func register(in screens: inout ScreenRegistry) {
    screens.register(screen)
  }

  func register(in router: inout Router, _ context: EndpointContext) {}
}
