/// What a command stands for, decided on the state that it meets.
public enum CommandPlan<Action: Sendable>: Sendable {
  /// Each action becomes one reducer step, in this order; a revision that such a step makes is put
  /// down to what `Screen.cause(of:)` says.
  case steps([Action])
  /// One write to the store that the screen shows, which may still refuse. What it changes comes
  /// back as news to all screens that show it, in the same turn, and is put down to the command.
  case write(StoreWrite)
}
