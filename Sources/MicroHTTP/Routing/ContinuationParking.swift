import Synchronization

/// A parked request without a connection: its reply resumes a task.
final class ContinuationParking: Parking {
  private let continuation: Mutex<CheckedContinuation<Response, Never>?>

  init(_ continuation: CheckedContinuation<Response, Never>) {
    self.continuation = Mutex(continuation)
  }

  func settle(with response: Response) -> Bool {
    let waiting = continuation.withLock { continuation in
      defer { continuation = nil }
      return continuation
    }
    waiting?.resume(returning: response)
    return waiting != nil
  }

  /// Nobody gives up on a request without a connection.
  func onAbandonment(_ action: @escaping @Sendable () -> Void) {}
}
