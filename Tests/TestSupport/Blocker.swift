import Dispatch
import Synchronization

/// Blocks the threads of calls until a test lets them go.
public final class Blocker: Sendable {
  private let counts = Mutex((begun: 0, ended: 0))
  private let semaphore = DispatchSemaphore(value: 0)

  public init() {}

  /// The number of calls that have begun.
  public var begun: Int { counts.withLock { $0.begun } }
  /// The number of calls that have ended.
  public var ended: Int { counts.withLock { $0.ended } }

  /// Blocks the thread until a call of ``release()``, or until the patience of a test ends.
  public func block() {
    counts.withLock { $0.begun += 1 }
    _ = semaphore.waitPatiently()
    counts.withLock { $0.ended += 1 }
  }

  /// Lets a call go.
  public func release() { semaphore.signal() }
}
