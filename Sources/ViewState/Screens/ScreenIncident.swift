public import CanonicalJSON

/// An event of a view model for the log of the operator, not for clients.
public struct ScreenIncident: Hashable, Sendable {
  /// The screen with its key, such as `profile/1`; the name of a store if a write to it is overdue before
  /// it reaches a screen.
  public let screen: Text
  /// The kind of the incident.
  public let kind: Kind

  /// The kinds of incidents.
  public enum Kind: Hashable, Sendable {
    /// A load has failed, and the view model shows the failure.
    case loadFailure(source: Text, code: Text)
    /// The state does not allow an action, or a result is that of an older load. Nothing has changed.
    case transition(source: String, LoadStep.Refusal, action: String, state: String)
    /// The state cannot be shown, for the reason in the text.
    case assembly(String)
    /// The input at this position has been applied for a second and is not done: the code of the screen or
    /// store takes long or never ends. Other inputs wait. Without a position, the first view of the screen
    /// has been made for a second; only its readers wait.
    case overdue(position: Int?)
  }
}
