/// A write that a command stands for, to be done in the turn that handles the command.
public struct StoreWrite: Sendable {
  /// Whose turns change the store.
  let owner: SerialOwner
  /// Prepares the write; returns whether it changes anything.
  let prepare: @Sendable (Turn) throws(CommandRefusal) -> Bool
}
