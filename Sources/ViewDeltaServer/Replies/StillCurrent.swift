import MicroHTTP
import ViewState

/// Holds as long as a path leads to a view model with this very revision.
///
/// It holds neither of the two, so that a reply which is kept longer keeps nothing else. The token is
/// enough: its epoch tells a view model that was deleted and made anew from the one before.
struct StillCurrent: ReplyCondition {
  private let path: ScreenPath
  private let token: RevisionToken
  private let models: ViewModels

  /// - Parameter screen: what the path leads to. Its revision is read here, so make the condition
  ///   before the reply: if it holds later, nothing was published in between.
  init(_ path: ScreenPath, _ screen: any ScreenInstance, in models: ViewModels) {
    self.path = path
    self.models = models
    token = screen.current.token
  }

  var holds: Bool {
    let screen = try? models.registry.instance(screen: path.screen, key: path.key)
    return screen?.current.token == token
  }
}
