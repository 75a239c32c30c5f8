public import CanonicalJSON

/// What became of a command.
public struct CommandOutcome: Codable, Hashable, Sendable {
  /// Whether the screen took it; `false` where the reducer had nothing to do, such as a second
  /// load while the first one runs.
  public let isAccepted: Bool
  /// Whether work that it started goes on after the reply.
  public let isPending: Bool
  /// The revision that the command made; the current one if it made none.
  public let revision: RevisionToken
  /// What else the command's sender should know, by names that the command's description explains;
  /// most commands have nothing to add.
  public let details: [Text: JSONValue]
}
