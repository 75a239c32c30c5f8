import CanonicalJSON

/// A write that a command stands for, to be done in the turn that handles the command.
public struct StoreWrite: Sendable {
  /// Whose turns change the store.
  let owner: SerialOwner
  /// Prepares the write.
  let prepare: @Sendable (Turn) throws(CommandRefusal) -> Outcome

  /// What a write did, as far as the sender of the command wants to know.
  struct Outcome: Sendable {
    /// Whether it changes anything.
    let isChange: Bool
    /// What else there is to say.
    let details: [Text: JSONValue]
  }
}
