/// What interactors need from outside; everything that differs between a server and a test.
public struct ScreenEnvironment: Sendable {
  /// Time for time-outs and for the age of revisions.
  public var scheduler: any Scheduler
  /// The dates that people read; nothing waits for them or is ordered by them.
  public var now: @Sendable () -> Timestamp
  /// The settings at the start.
  public var settings: Settings
  /// How far back each screen remembers.
  public var logLimits: RevisionLogLimits
  /// How much memory the instances may take that no input has touched, in bytes, estimated: they are
  /// kept for the next reader, and can be made anew. The one that was read last may be larger. 0 keeps
  /// none.
  public var untouchedByteCount: Int
  /// Gets every load that fails, and every step that should not have happened. It is called in a
  /// turn of the screen's owner, so it must not wait.
  public var record: @Sendable (ScreenIncident) -> Void
  /// Is told of memory that is freed at once, in bytes, estimated.
  public var freed: @Sendable (Int) -> Void

  /// The defaults, on a scheduler.
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
