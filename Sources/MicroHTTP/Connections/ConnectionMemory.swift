import Synchronization

/// Returns the memory of closed connections to the operating system, for all engines of a server together: an engine
/// alone may have too few of them.
///
/// It returns memory once half of the connections are closed, and these had at least 8 MiB. So connections that come
/// and go keep theirs.
final class ConnectionMemory: Sendable {
  /// The least memory of closed connections that is returned, in bytes.
  private static let least = 8 * 1024 * 1024

  /// The memory of a connection, in bytes.
  private let share: Int
  /// The number of open connections, and the largest one since memory was last returned.
  private let count = Mutex((open: 0, most: 0))

  init(of share: Int) { self.share = share }

  /// Notes that a connection was accepted.
  func opened() {
    count.withLock { count in
      count.open += 1
      count.most = max(count.most, count.open)
    }
  }

  /// Notes that a connection is closed.
  func closed() {
    let freed = count.withLock { count in
      count.open -= 1
      let freed = (count.most - count.open) * share
      guard count.open <= count.most / 2, freed >= Self.least else { return 0 }
      count.most = count.open
      return freed
    }
    if freed > 0 { FreedMemory.note(freed) }
  }
}
