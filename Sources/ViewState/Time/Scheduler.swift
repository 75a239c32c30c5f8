import CanonicalJSON

/// The clock of an engine, for everything that waits. A test uses a `ManualScheduler`, whose time it moves.
public protocol Scheduler: Sendable {
  /// The time since a fixed but arbitrary moment. It never goes back, and does not follow the wall clock.
  var now: Duration { get }

  /// Runs `work` once, as soon as possible after `delay`, and not in this call. On another thread, `work` may run
  /// before this call has returned.
  ///
  /// - Parameters:
  ///   - delay: The time to wait, of any length.
  ///   - tolerance: The time by which the work may be late, so that the process wakes less often; `nil`
  ///     leaves it to the scheduler.
  ///   - work: The work, which must not wait.
  /// - Returns: A handle that cancels the work.
  func schedule(
    after delay: Duration, tolerance: Duration?, _ work: @escaping @Sendable () -> Void
  ) -> any Cancellable
}

extension Scheduler {
  /// Runs `work` once after `delay`, with a tolerance that the scheduler chooses; see
  /// ``schedule(after:tolerance:_:)``.
  public func schedule(
    after delay: Duration, _ work: @escaping @Sendable () -> Void
  ) -> any Cancellable {
    schedule(after: delay, tolerance: nil, work)
  }
}

/// Work that can be cancelled.
public protocol Cancellable: Sendable {
  /// Cancels the work; does nothing if the work has ended or is cancelled already.
  ///
  /// Work that ends on another thread at the same moment may still deliver its result; a screen recognises
  /// such a result by its token.
  func cancel()
}

/// Work that a closure cancels.
struct Cancellation: Cancellable {
  private let body: @Sendable () -> Void

  init(_ body: @escaping @Sendable () -> Void) { self.body = body }

  func cancel() { body() }
}

extension Duration {
  /// Returns the number of whole units of which a second has `count`, without a fraction. If JSON does not
  /// carry the number exactly, returns the nearest that it does.
  func wholeUnits(perSecond count: Int) -> Int {
    let limit = JSONValue.interoperableIntegers.upperBound
    let range = Duration.seconds(-limit / count)...Duration.seconds(limit / count)
    let (seconds, attoseconds) = min(max(self, range.lowerBound), range.upperBound).components
    return Int(seconds) * count + Int(attoseconds) / (1_000_000_000_000_000_000 / count)
  }
}
