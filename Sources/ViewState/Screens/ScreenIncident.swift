public import CanonicalJSON

/// Something that those who run a server want to know of a screen: for records, not for clients.
public struct ScreenIncident: Hashable, Sendable {
  /// The screen with its key, such as `profile/1`; the name of a store if a write to it is overdue before
  /// it reaches a screen.
  public let screen: Text
  /// What it was.
  public let kind: Kind

  /// The kinds of incidents.
  public enum Kind: Hashable, Sendable {
    /// A load that has failed; the screen says so.
    case loadFailure(source: Text, code: Text)
    /// An action that the state does not allow, or the result of an older load. Nothing has changed.
    case transition(source: String, LoadStep.Refusal, action: String, state: String)
    /// The screen has no view to show, because its assembly threw or gave one id twice.
    case assembly(String)
    /// The input at this position has been applied for a second and is not done: the code of the screen or
    /// store takes long or never ends. Other inputs wait. Without a position, the first view of the screen
    /// has been made for a second; only its readers wait.
    case overdue(position: Int?)
  }
}
