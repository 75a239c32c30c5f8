/// A scheduler on a clock of the standard library.
///
/// The server uses `ContinuousClock`, which goes on while the machine sleeps and ignores changes of the wall
/// clock: `ClockScheduler()`.
public struct ClockScheduler<ClockType: Clock>: Scheduler where ClockType.Duration == Duration {
  private let clock: ClockType
  private let start: ClockType.Instant

  /// A hundred years: the clock ends the process if it must sleep much longer.
  private static var longestDelay: Duration { .seconds(100 * 365 * 86_400) }

  /// Creates a scheduler whose time starts now.
  public init(clock: ClockType) {
    self.clock = clock
    start = clock.now
  }

  public var now: Duration { start.duration(to: clock.now) }

  public func schedule(
    after delay: Duration, tolerance: Duration?, _ work: @escaping @Sendable () -> Void
  ) -> any Cancellable {
    let deadline = clock.now.advanced(by: min(delay, Self.longestDelay))
    let clock = clock
    return ScheduledTask(
      task: Task {
        do { try await clock.sleep(until: deadline, tolerance: tolerance) } catch { return }
        work()
      })
  }
}

extension ClockScheduler where ClockType == ContinuousClock {
  /// Creates a scheduler on `ContinuousClock`, whose time starts now.
  public init() {
    self.init(clock: ContinuousClock())
  }
}

private struct ScheduledTask: Cancellable {
  let task: Task<Void, Never>

  func cancel() {
    task.cancel()
  }
}
