/// The clock of a connection, and the pauses after failures.
struct Pacing: Sendable {
  /// The time since some moment. It goes on while the machine sleeps.
  var now: @Sendable () -> Duration
  var sleep: @Sendable (Duration) async throws -> Void
  /// Returns a random number from 0 to 1.
  var random: @Sendable () -> Double

  static let system: Pacing = {
    let start = ContinuousClock.now
    return Pacing(
      now: { ContinuousClock.now - start }, sleep: { try await Task.sleep(for: $0) },
      random: { .random(in: 0...1) })
  }()

  private static let (base, cap) = (Duration.milliseconds(500), Duration.seconds(30))

  /// Returns the pause after failures in a row, the time that the server asks for, and some more.
  ///
  /// The pause is random between zero and a bound that doubles with each failure, so that the clients of a server do
  /// not return in step: "full jitter" (M. Brooker, "Exponential Backoff And Jitter", 2015).
  func pause(afterFailures count: Int, atLeast asked: Duration?) -> Duration {
    if let asked { return asked + Self.base * random() }
    let bound = min(Self.cap, Self.base * (1 << min(max(0, count - 1), 10)))
    return bound * random()
  }
}
