public import CanonicalJSON

/// The outcome of a command.
public struct CommandOutcome: Sendable {
  /// Whether the command changed something or started work; `false`, for example, for a second load while the
  /// first one runs.
  public let isAccepted: Bool
  /// Whether work of the command goes on after the reply.
  public let isPending: Bool
  /// The revision after the command's last step.
  public let revision: Revision
  /// Further members of the reply, which the description of the command explains; most commands have none.
  public let details: [Text: JSONValue]
}
