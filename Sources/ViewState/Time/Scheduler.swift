/// The only source of time for everything that waits: injected, so that a test moves it by hand.
public protocol Scheduler: Sendable {
  /// The time since an arbitrary start. It never goes back and does not follow the wall clock.
  var now: Duration { get }

  /// Runs `work` once, after `delay` or as soon as possible after it, never before this call has
  /// returned.
  ///
  /// - Parameters:
  ///   - delay: How much time passes before.
  ///   - work: The work; it must not wait.
  ///   - tolerance: How late the work may run, to wake the process less often; `nil` leaves that to
  ///     the scheduler.
  /// - Returns: a handle that calls the work off.
  func schedule(
    after delay: Duration, tolerance: Duration?, _ work: @escaping @Sendable () -> Void
  ) -> any Cancellable
}

extension Scheduler {
  /// Runs `work` once, after `delay` or as soon as possible after it, never before this call has
  /// returned.
  ///
  /// - Returns: A handle that cancels the work.
  public func schedule(
    after delay: Duration, _ work: @escaping @Sendable () -> Void
  ) -> any Cancellable {
    schedule(after: delay, tolerance: nil, work)
  }
}
