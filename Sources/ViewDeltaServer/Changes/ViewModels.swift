import MicroHTTP
import ViewState

/// The view models and their replies, which all endpoints share. One object, so that a request that
/// waits holds one reference.
final class ViewModels: Sendable {
  let registry: ScreenRegistry
  let replies: ViewReplies

  init(registry: ScreenRegistry, replies: ViewReplies) {
    self.registry = registry
    self.replies = replies
  }

  /// The view model of a path.
  ///
  /// - Throws: A 404 problem if there is none, a 410 problem if it was deleted, a 500 problem if it fails.
  func screen(at path: ScreenPath) throws(ProblemDetails) -> any ScreenInstance {
    let screen = try addressee(path)
    if let failure = screen.failure { throw ProblemDetails(failure) }
    return screen
  }

  /// The view model of a path, also one that fails: a command may make it right again.
  ///
  /// - Throws: A 404 problem if there is none, a 410 problem if it was deleted.
  func addressee(_ path: ScreenPath) throws(ProblemDetails) -> any ScreenInstance {
    do throws(ScreenLookupError) {
      return try registry.instance(screen: path.screen, key: path.key)
    } catch {
      throw ProblemDetails(error)
    }
  }
}

extension Result where Failure == ScreenLookupError {
  /// What was found.
  ///
  /// - Throws: A 404 problem if there is none, a 410 problem if it was deleted, a 500 problem if it fails.
  func orProblem() throws(ProblemDetails) -> Success {
    do { return try get() } catch { throw ProblemDetails(error) }
  }
}

extension ProblemDetails {
  init(_ error: ScreenLookupError) {
    switch error {
    case .unknownScreen: self = .unknownScreen
    case .unknownKey: self = .unknownKey
    case .deletedKey: self = .deletedKey
    case .failed: self = .screenFailed
    }
  }
}
