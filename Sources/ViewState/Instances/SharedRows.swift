import Snapshots
import Synchronization

/// The rows of the last assembly of an instance, for the thread that applies inputs and for readers.
final class SharedRows: Sendable {
  private let rows: Mutex<RowCache>

  /// Begins with the rows of another instance of the same element, which shows much the same, so that both share them.
  init(like other: SharedRows? = nil) {
    rows = Mutex(other?.rows.withLock { $0 } ?? RowCache())
  }

  /// The view model that was made last.
  var snapshot: Snapshot { rows.withLock { $0.snapshot } }

  /// The number of its rows whose elements its state does not share; see ``RowCache/unsharedRowCount``.
  var unsharedCount: Int { rows.withLock { $0.unsharedRowCount } }

  /// Lays a state out; see ``EngineScreen/assemble(_:rows:)``.
  ///
  /// Assemblies do not wait for each other: each begins with the rows of one that has ended.
  func assemble(_ state: AnyState, by screen: any EngineScreen) throws -> Snapshot {
    var rows = rows.withLock { $0 }
    let snapshot = try screen.assemble(state, rows: &rows)
    // The former rows are released without the lock.
    let made = rows
    rows = self.rows.withLock { known in
      defer { known = made }
      return known
    }
    return snapshot
  }

  /// Takes over the rows of another instance, which has laid the very same state out.
  func take(_ other: SharedRows) -> Snapshot {
    var rows = other.rows.withLock { $0 }
    let snapshot = rows.snapshot
    // The former rows are released without the lock.
    self.rows.withLock { swap(&$0, &rows) }
    return snapshot
  }
}
