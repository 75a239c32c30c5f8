import Snapshots

/// What a session shows before its first input. All sessions of an element that begin with an equal state show the
/// same.
struct FirstView: Sendable {
  let state: AnyState
  let snapshot: Snapshot
  /// The rows of the snapshot, with which each of these sessions begins.
  let rows: RowCache
}
