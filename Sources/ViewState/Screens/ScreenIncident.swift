public import CanonicalJSON

/// Something that those who run a server want to know of a screen: for records, not for clients.
public struct ScreenIncident: Hashable, Sendable {
  /// The screen with its key, such as `profile/1`.
  public let screen: Text
  /// What it was.
  public let kind: Kind

  /// The kinds of incidents. All but the first are of steps that should not have happened and have
  /// changed nothing.
  public enum Kind: Hashable, Sendable {
    /// A load that has failed; the screen says so.
    case loadFailure(source: Text, code: Text)
    /// An action that the state does not allow, or the result of an older load.
    case transition(source: String, LoadStep.Refusal, action: String, state: String)
    /// An assembly that gave one id twice.
    case assembly(String)
  }
}
