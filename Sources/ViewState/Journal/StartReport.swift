/// Says every few seconds that a start goes on, and at which position of the journal it is.
struct StartReport {
  private static let interval = Duration.seconds(5)

  private let environment: ScreenEnvironment
  /// The time of the last report, or of the start.
  private var last: Duration

  /// Begins with a start.
  init(of environment: ScreenEnvironment) {
    self.environment = environment
    last = environment.scheduler.now
  }

  /// Notes that the start is at a position, after which it needs more time.
  mutating func reach(_ position: Int) {
    let now = environment.scheduler.now
    if now - last < Self.interval { return }
    last = now
    environment.recordJournal(.replaying(position: position))
  }
}
