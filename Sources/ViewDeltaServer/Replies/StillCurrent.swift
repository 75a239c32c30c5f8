import MicroHTTP
import ViewState

/// Holds as long as a view model shows this very revision, and is not removed.
///
/// It keeps neither of the two, so that a reply which is kept longer keeps nothing else: not the history
/// of a view model that was deleted.
///
/// A request that is answered again asks for nothing but this, so it spares the look-up by path. A path
/// leads to one view model until that has ended, and what is ended was so before anybody could find
/// another in its place.
final class StillCurrent: ReplyCondition {
  private weak let screen: (any ScreenInstance)?
  private let token: RevisionToken

  /// - Parameter screen: Its revision is read here, so make the condition before the reply: if it holds
  ///   later, nothing was published in between.
  init(_ screen: any ScreenInstance) {
    self.screen = screen
    token = screen.current.token
  }

  var holds: Bool {
    guard let screen else { return false }
    // In this order: what had not ended after the look at the revision had not ended at it either.
    return screen.current.token == token && screen.failure == nil
  }
}
