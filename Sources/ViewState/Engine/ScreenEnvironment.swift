package import CanonicalJSON

/// The clock, the limits and the log of an ``Engine``, which differ between a server and a test.
public struct ScreenEnvironment: Sendable {
  /// The clock for time-outs, periodic loads, and the age of revisions.
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
  /// before twice this time has passed; a restart of the same build begins that time anew, unless its journal has 8,192
  /// inputs from after the last use.
  public var sessionLifetime: Duration
  /// Logs an incident, such as a load that has failed. It may be called while an input is applied, so it must
  /// not wait.
  public var record: @Sendable (ScreenIncident) -> Void
  /// Logs an incident of the journal. It must not wait.
  public var recordJournal: @Sendable (JournalIncident) -> Void
  /// Called after much memory is freed at once, with the estimated size in bytes.
  public var freed: @Sendable (Int) -> Void
  /// Returns whether this program takes over a journal that servers of another one use, by its identifier.
  package var takesOver: @Sendable (Text) -> Bool = { _ in false }
  #if DEBUG
    /// Whether each state is written and read again as a check, and not only a small one after one input of eight.
    package var checksAllStates = false
  #endif

  /// Creates an environment with the defaults of a server for what is not given.
  public init(
    scheduler: any Scheduler = ClockScheduler(), settings: Settings = Settings(),
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
