public import CanonicalJSON

/// What went wrong with a view model: an entry of the log, and of the incidents that clients can ask for, which leave
/// out what only operators may read.
public struct ScreenIncident: Hashable, Sendable {
  /// The screen with its key, such as `profile/1`; the name of a store if a write to it is overdue before
  /// it reaches a view model.
  public let screen: Text
  /// The kind of the incident.
  public let kind: Kind

  /// The kinds of incidents.
  public enum Kind: Hashable, Sendable {
    /// A load of a source has failed. The view model shows the failure, unless the clock has loaded the source
    /// again.
    case loadFailure(source: Text, LoadFailure)
    /// A write of a ``Saving`` part has failed. `change` says which change was to be written.
    case saveFailure(part: Text, change: Text, LoadFailure)
    /// The state does not allow an action, or a result is that of an older load. Nothing has changed.
    case transition(source: String, Reason, action: String, state: String)
    /// The state cannot be shown, for the reason in the text.
    case assembly(String)
    /// The input at this position has been applied for a second and is not done: the code of the screen or
    /// store takes long or never ends. Other inputs wait. Without a position, making a view model has
    /// taken a second; only its readers wait.
    case overdue(position: Int?)

    /// The name of a kind.
    package enum Name: String, CaseIterable, Sendable {
      case assembly, loadFailure, overdue, saveFailure, transition
    }

    /// The name of the kind.
    package var name: Name {
      switch self {
      case .loadFailure: .loadFailure
      case .saveFailure: .saveFailure
      case .transition: .transition
      case .assembly: .assembly
      case .overdue: .overdue
      }
    }
  }

  /// The reason why a state does not allow an action.
  public enum Reason: String, Hashable, Sendable {
    /// A second load was asked for while the first one runs.
    case duplicate
    /// The result belongs to an older load than the last one.
    case late
    /// The result came although no load runs.
    case impossible
  }
}
