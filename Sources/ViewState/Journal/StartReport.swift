/// Says every few seconds how far a start has come.
struct StartReport {
  private static let interval = Duration.seconds(5)

  private let environment: ScreenEnvironment
  private var last: Duration

  /// Begins a start.
  init(to environment: ScreenEnvironment) {
    self.environment = environment
    last = environment.scheduler.now
  }

  /// Notes that the start has come to a position, after which it needs more time.
  mutating func reach(_ position: Int) {
    let now = environment.scheduler.now
    if now - last < Self.interval { return }
    last = now
    environment.recordJournal(.replaying(position: position))
  }
}
