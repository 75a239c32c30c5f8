/// A step that should not have happened and changed nothing: for records, not for clients.
public struct ScreenIncident: Hashable, Sendable {
  /// The screen with its key, such as `profile/1`.
  public let screen: String
  /// What it was.
  public let kind: Kind

  /// The kinds of incidents.
  public enum Kind: Hashable, Sendable {
    /// An action that the state does not allow, or the result of an older load.
    case transition(source: String, LoadStep.Refusal, action: String, state: String)
    /// An assembly that gave one id twice.
    case assembly(String)
  }
}
