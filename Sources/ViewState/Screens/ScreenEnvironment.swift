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
  /// the next reader, and can be made again. The one that was read last may be larger; 0 keeps none.
  public var untouchedByteCount: Int
  /// Logs an incident, such as a load that has failed. It may be called while an input is applied, so it must
  /// not wait.
  public var record: @Sendable (ScreenIncident) -> Void
  /// Called after much memory is freed at once, with its size in bytes, estimated.
  public var freed: @Sendable (Int) -> Void

  /// Creates an environment with a scheduler, and defaults for the rest.
  public init(
    scheduler: any Scheduler, settings: Settings = Settings(),
    logLimits: RevisionLogLimits = RevisionLogLimits(),
    now: @escaping @Sendable () -> Timestamp = { Timestamp.now() },
    untouchedByteCount: Int = 64 * 1024 * 1024,
    record: @escaping @Sendable (ScreenIncident) -> Void = { _ in },
    freed: @escaping @Sendable (Int) -> Void = { _ in }
  ) {
    self.scheduler = scheduler
    self.now = now
    self.settings = settings
    self.logLimits = logLimits
    self.untouchedByteCount = untouchedByteCount
    self.record = record
    self.freed = freed
  }
}
