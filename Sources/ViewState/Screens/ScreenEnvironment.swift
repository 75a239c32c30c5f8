/// What interactors need from outside; everything that differs between a server and a test.
public struct ScreenEnvironment: Sendable {
  /// Time for time-outs and for the age of revisions.
  public var scheduler: any Scheduler
  /// A load that takes longer fails with `LoadFailure.timedOut`.
  public var loadTimeout: Duration
  /// How far back each screen remembers.
  public var logLimits: RevisionLogLimits
  /// Draws the epoch of a new history.
  public var makeEpoch: @Sendable () -> RevisionEpoch
  /// Gets every load that fails, and every step that should not have happened. It is called in a
  /// turn of the screen's owner, so it must not wait.
  public var record: @Sendable (ScreenIncident) -> Void

  /// The defaults, on a scheduler.
  public init(
    scheduler: any Scheduler, loadTimeout: Duration = .seconds(10),
    logLimits: RevisionLogLimits = RevisionLogLimits(),
    makeEpoch: @escaping @Sendable () -> RevisionEpoch = { RevisionEpoch.random() },
    record: @escaping @Sendable (ScreenIncident) -> Void = { _ in }
  ) {
    self.scheduler = scheduler
    self.loadTimeout = loadTimeout
    self.logLimits = logLimits
    self.makeEpoch = makeEpoch
    self.record = record
  }
}
