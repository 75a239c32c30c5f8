import Snapshots
import Synchronization

/// Makes the view model of a revision when its first reader asks for it, and keeps it.
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
    if case .unmade = content.withLock({ $0 }) { false } else { true }
  }

  /// The snapshot; `nil` if the state cannot be shown. The first call makes it.
  var snapshot: Snapshot? {
    if case .made(let snapshot) = made() { snapshot } else { nil }
  }

  /// The reason why the state cannot be shown; `nil` if it can. The first call makes the snapshot.
  var failure: String? {
    if case .failed(let message) = made() { message } else { nil }
  }

  private func made() -> Content {
    let known = content.withLock { $0 }
    guard case .unmade(let make) = known else { return known }
    // Not under the lock, for it may take long. Of two threads that make it at once, the first one's stays.
    let made: Content
    do { made = .made(try make()) } catch { made = .failed("\(error)") }
    let (kept, isFirst) = content.withLock { content in
      guard case .unmade = content else { return (content, false) }
      content = made
      return (made, true)
    }
    if isFirst, case .failed(let message) = made { failed(message) }
    return kept
  }
}
