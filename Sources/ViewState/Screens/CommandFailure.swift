/// Why there is no outcome of a well-formed command. Except for `failed`, nothing has changed.
public enum CommandFailure: Error, Sendable {
  /// The body is not a command of this screen.
  case refused(Refusal)
  /// The sender asked for the command to be run on another revision than the current one.
  case outdated(current: RevisionToken)
  /// What the screen's key names was removed.
  case removed
  /// The command was run, but the screen fails: there is no view of the state.
  case failed
}
