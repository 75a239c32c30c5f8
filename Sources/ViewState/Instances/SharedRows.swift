import Snapshots
import Synchronization

/// The rows of the last assembly of an instance, for the thread that applies inputs and for readers.
final class SharedRows: Sendable {
  private let rows: Mutex<RowCache>

  /// Begins with the rows of another instance of the same element, which shows much the same, so that both share them.
  init(like other: SharedRows?) {
    rows = Mutex(other?.rows.withLock { $0 } ?? RowCache())
  }

  /// The view model that was made last.
  var snapshot: Snapshot { rows.withLock { $0.snapshot } }

  /// The number of its rows whose elements its state does not share; see ``RowCache/unsharedRowCount``.
  var unsharedCount: Int { rows.withLock { $0.unsharedRowCount } }

  /// Lays a state out; see ``EngineScreen/assemble(_:rows:)``.
  ///
  /// Assemblies do not wait for each other: each begins with the rows of one that has ended.
  ///
  /// - Returns: The rows of this state. Those that are kept may be of another one soon, because readers make earlier
  ///   revisions meanwhile.
  func assemble(_ state: AnyState, by screen: any EngineScreen) throws -> RowCache {
    var rows = rows.withLock { $0 }
    _ = try screen.assemble(state, rows: &rows)
    take(rows)
    return rows
  }

  /// Keeps the rows of an assembly, also of another instance that has laid the very same state out.
  func take(_ made: RowCache) {
    // The former rows are released without the lock.
    var rows = made
    self.rows.withLock { swap(&$0, &rows) }
  }
}
