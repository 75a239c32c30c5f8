import Dispatch

/// Runs blocking code beside the concurrency pool, whose few threads the code under test needs.
public enum SocketThread {
  /// Runs the code on a thread of its own and returns what it returns.
  public static func run<Result: Sendable>(
    _ body: @escaping @Sendable () throws -> Result
  ) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
      DispatchQueue.global().async {
        continuation.resume(with: Swift.Result { try body() })
      }
    }
  }
}
