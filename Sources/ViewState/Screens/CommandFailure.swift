/// Why there is no outcome of a well-formed command. Unless the screen fails, nothing has changed.
public enum CommandFailure: KeyRefusal, Hashable {
  /// The body is not a command of this screen.
  case refused(Refusal)
  /// The sender asked for the command to be run on another revision than the current one.
  case outdated(current: RevisionToken)
  /// There is no view model of the name. If the screen fails, the command was run, and there is no view of
  /// the state.
  case unavailable(ScreenLookupError)
  /// The key of the request came with another request before.
  case reusedKey

  public var isFinal: Bool {
    guard case .outdated = self else { return true }
    return false
  }
}
