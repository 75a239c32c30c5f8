public import CanonicalJSON

/// The outcome of a command.
public struct CommandOutcome: Codable, Hashable, Sendable {
  /// Whether the command changed something or started work; `false`, for example, for a second load while the
  /// first one runs.
  public let isAccepted: Bool
  /// Whether work of the command goes on after the reply.
  public let isPending: Bool
  /// The revision that the command made; the current one if it made none.
  public let revision: RevisionToken
  /// Further members of the reply, which the description of the command explains; most commands have none.
  public let details: [Text: JSONValue]
}
