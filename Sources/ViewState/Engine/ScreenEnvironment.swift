public import CanonicalJSON

/// The clock, the limits and the log of an ``Engine``, which differ between a server and a test.
public struct ScreenEnvironment: Sendable {
  /// The clock for time-outs, loads by the clock, and the age of revisions.
  public var scheduler: any Scheduler
  /// Returns the current time, for the times of inputs.
  public var now: @Sendable () -> Timestamp
  /// The settings at the start.
  public var settings: Settings
  /// The limits of the histories of view models.
  public var logLimits: RevisionLogLimits
  /// The largest memory of the view models that no input has touched, in bytes, estimated. They are kept for
  /// the next reader, and can be made again. The view model that was read last is kept even if it is larger; 0 keeps
  /// none.
  public var untouchedByteCount: Int
  /// The largest memory of the view models that inputs have changed, without their histories, in bytes, estimated.
  /// Beyond it, view models that nothing waits for and nothing has read for a while keep only their states.
  public var touchedByteCount: Int
  /// The shortest time for which the state of a session is kept while nothing reads or changes it. It is forgotten
  /// before twice this time has passed.
  public var sessionLifetime: Duration
  /// Logs an incident, such as a load that has failed. It may be called while an input is applied, so it must
  /// not wait.
  public var record: @Sendable (ScreenIncident) -> Void
  /// Logs an incident of the journal. It must not wait.
  public var recordJournal: @Sendable (JournalIncident) -> Void
  /// Called after much memory is freed at once, with the estimated size in bytes.
  public var freed: @Sendable (Int) -> Void
  #if DEBUG
    /// Whether each state is written and read again as a check, and not only a small one after one input of eight.
    package var checksAllStates = false
  #endif

  /// Creates an environment with a scheduler, and defaults for the rest.
  public init(
    scheduler: any Scheduler, settings: Settings = Settings(),
    logLimits: RevisionLogLimits = RevisionLogLimits(),
    now: @escaping @Sendable () -> Timestamp = { Timestamp.now() },
    untouchedByteCount: Int = 64 * 1024 * 1024,
    touchedByteCount: Int = 256 * 1024 * 1024,
    sessionLifetime: Duration = .seconds(24 * 60 * 60),
    record: @escaping @Sendable (ScreenIncident) -> Void = { _ in },
    recordJournal: @escaping @Sendable (JournalIncident) -> Void = { _ in },
    freed: @escaping @Sendable (Int) -> Void = { _ in }
  ) {
    self.scheduler = scheduler
    self.now = now
    self.settings = settings
    self.logLimits = logLimits
    self.untouchedByteCount = untouchedByteCount
    self.touchedByteCount = touchedByteCount
    self.sessionLifetime = sessionLifetime
    self.record = record
    self.recordJournal = recordJournal
    self.freed = freed
  }
}

/// An event of a view model for the log of the operator, not for clients.
public struct ScreenIncident: Hashable, Sendable {
  /// The screen with its key, such as `profile/1`; the name of a store if a write to it is overdue before
  /// it reaches a screen.
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
    case transition(source: String, LoadStep.Refusal, action: String, state: String)
    /// The state cannot be shown, for the reason in the text.
    case assembly(String)
    /// The input at this position has been applied for a second and is not done: the code of the screen or
    /// store takes long or never ends. Other inputs wait. Without a position, the first view of the screen
    /// has been made for a second; only its readers wait.
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
}
