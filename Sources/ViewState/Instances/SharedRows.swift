import Snapshots
import Synchronization

/// The rows of the newest assembly of an instance, for the thread that applies inputs and for readers.
final class SharedRows: Sendable {
  private struct Newest: Sendable {
    var rows: RowCache
    /// The number of the input that made the state of the rows.
    var number = Int.min
  }

  private let newest: Mutex<Newest>

  /// Begins with the rows of another instance of the same element, which shows much the same, so that both share them.
  init(_ rows: RowCache?) { newest = Mutex(Newest(rows: rows ?? RowCache())) }

  /// The rows, with which another instance may begin.
  var cache: RowCache { newest.withLock { $0.rows } }

  /// The newest view model that was made.
  var snapshot: Snapshot { cache.snapshot }

  /// The number of its rows whose elements its state does not share; see ``RowCache/unsharedRowCount``.
  var unsharedCount: Int { newest.withLock { $0.rows.unsharedRowCount } }

  /// Lays a state out; see ``EngineScreen/assemble(_:rows:)``.
  ///
  /// Assemblies do not wait for each other: each begins with the rows of one that has ended.
  ///
  /// - Parameter number: The number of the input that made the state.
  func assemble(
    _ state: AnyState, at number: Int, by screen: any EngineScreen
  ) throws -> RowCache {
    var rows = cache
    _ = try screen.assemble(state, rows: &rows)
    take(rows, at: number)
    return rows
  }

  /// Keeps the rows of an assembly, also of another instance that has laid the very same state out. If the kept rows are
  /// of a newer state, does nothing: a reader has made an earlier revision. So the next view model is made of the rows of
  /// the one before, and is the same object if nothing has changed.
  ///
  /// - Parameter number: The number of the input that made the state.
  func take(_ made: RowCache, at number: Int) {
    var rows = made
    newest.withLock { newest in
      if number < newest.number { return }
      newest.number = number
      // The former rows are released without the lock.
      swap(&newest.rows, &rows)
    }
  }
}
