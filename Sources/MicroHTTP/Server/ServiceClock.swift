/// The clock of the deadlines: it stands still while the server itself is held up.
///
/// A process can be stopped, a virtual machine paused, a handler slow. What clients send meanwhile
/// waits in the system, unread, and the deadlines of a plain clock would punish them for it. So this
/// clock goes by steps, one for each turn of the serving thread, and no step is longer than a thread
/// that is awake lets pass between two turns. As a turn reads what has arrived before connections are
/// judged, a request that came in time is answered, however long the pause was.
struct ServiceClock {
  /// The time, as of the last tick.
  private(set) var now: MonotonicTime
  private let longestStep: UInt64
  private var lastTick: MonotonicTime

  /// A clock that shows the time now.
  ///
  /// - Parameter longestStep: The most that a tick may move it, in nanoseconds.
  init(at now: MonotonicTime = .now(), longestStep: UInt64) {
    self.now = now
    self.longestStep = longestStep
    lastTick = now
  }

  /// Moves the clock by the time since the last tick, or by the longest step.
  mutating func tick(at time: MonotonicTime) {
    guard time > lastTick else { return }
    now = now + min(time.nanoseconds - lastTick.nanoseconds, longestStep)
    lastTick = time
  }
}
