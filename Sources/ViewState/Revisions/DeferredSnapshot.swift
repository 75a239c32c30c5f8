import Snapshots
import Synchronization

/// The snapshot of a revision that nobody has read yet. The first reader makes it.
final class DeferredSnapshot: Sendable {
  private enum Content: Sendable {
    /// The closure holds the state until the snapshot is made.
    case unmade(@Sendable () throws -> Snapshot)
    case made(Snapshot)
    case failed(String)
  }

  private let content: Mutex<Content>
  /// Gets the reason once if the state cannot be shown.
  private let failed: @Sendable (String) -> Void

  /// - Parameter make: Makes the snapshot of the state, and gives the same each time.
  init(
    _ make: @escaping @Sendable () throws -> Snapshot,
    failed: @escaping @Sendable (String) -> Void
  ) {
    content = Mutex(.unmade(make))
    self.failed = failed
  }

  /// Whether a reader has asked for the snapshot.
  var isMade: Bool {
    content.withLock { content in
      if case .unmade = content { false } else { true }
    }
  }

  /// Returns the snapshot, or the reason why the state cannot be shown. The first call makes it.
  func get() -> Result<Snapshot, Failure> {
    switch content.withLock({ $0 }) {
    case .made(let snapshot): return .success(snapshot)
    case .failed(let message): return .failure(Failure(message: message))
    case .unmade(let make):
      // Not under the lock, for it may take long. Of two threads that make it at once, the first one's stays.
      let made: Content
      do { made = .made(try make()) } catch { made = .failed("\(error)") }
      let isFirst = content.withLock { content in
        guard case .unmade = content else { return false }
        content = made
        return true
      }
      if isFirst, case .failed(let message) = made { failed(message) }
      return get()
    }
  }

  /// The reason why a state cannot be shown.
  struct Failure: Error {
    let message: String
  }
}
