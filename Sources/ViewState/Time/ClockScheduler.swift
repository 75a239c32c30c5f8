/// A scheduler on `ContinuousClock`, which goes on while the machine sleeps and ignores changes of the wall clock.
public struct ClockScheduler: Scheduler {
  private let start = ContinuousClock.now

  /// A hundred years: the clock ends the process if it must sleep much longer.
  private static let longestDelay = Duration.seconds(100 * 365 * 86_400)

  /// Creates a scheduler whose time starts now.
  public init() {}

  public var now: Duration { start.duration(to: .now) }

  public func schedule(
    after delay: Duration, tolerance: Duration?, _ work: @escaping @Sendable () -> Void
  ) -> any Cancellable {
    let deadline = ContinuousClock.now + min(delay, Self.longestDelay)
    let task = Task {
      do { try await Task.sleep(until: deadline, tolerance: tolerance) } catch { return }
      work()
    }
    return Cancellation { task.cancel() }
  }
}
