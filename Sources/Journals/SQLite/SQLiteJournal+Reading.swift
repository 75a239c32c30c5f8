#if SQLite
  import Foundation
  import GRDB
  import Synchronization
  import ViewState

  /// Journals that are opened only for reading.
  extension SQLiteJournal {
    /// The reads of a journal that is opened only for reading.
    struct Reads {
      var last = ContinuousClock.now
      /// The number of snapshots that were read.
      var snapshots = 0
      /// Whether the snapshot is going to be ended after a pause.
      var isWaiting = false
    }

    /// The time without a read after which a snapshot ends.
    private static let pause = Duration.seconds(30)

    /// Whether entries may be missing that the first snapshot had.
    var hasPaused: Bool { reads.withLock { $0.snapshots > 1 } }

    /// Checks that no server has removed the entry after a position since an earlier snapshot.
    func checkNext(_ entry: Entry?, after position: Int, _ db: Database) throws {
      let next =
        try entry?.position
        ?? Int.fetchOne(db, sql: "SELECT max(position) + 1 FROM checkpoints") ?? position + 1
      guard next > position + 1 else { return }
      throw JournalError.unavailable(
        "a server has removed the inputs after \(position) meanwhile; begin again")
    }

    /// Begins a snapshot, unless there is one. It is a transaction, so that no server removes what is read next.
    func keepSnapshot(_ db: Database) throws {
      let isNew = !db.isInsideTransaction
      if isNew { try db.beginTransaction(.deferred) }
      let mustWait = reads.withLock { reads in
        reads.last = .now
        if isNew { reads.snapshots += 1 }
        defer { reads.isWaiting = true }
        return !reads.isWaiting
      }
      if mustWait { endSnapshot(after: Self.pause) }
    }

    /// Ends the snapshot after a time, unless something is read meanwhile.
    private func endSnapshot(after time: Duration) {
      let milliseconds = Int(time / .milliseconds(1))
      DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(milliseconds)) {
        [weak self] in
        guard let self else { return }
        let rest = reads.withLock { reads in
          let rest = Self.pause - (ContinuousClock.now - reads.last)
          reads.isWaiting = rest > .zero
          return rest
        }
        // One millisecond more, because the time is rounded down to milliseconds.
        if rest > .zero { endSnapshot(after: rest + .milliseconds(1)) } else { endSnapshot() }
      }
    }

    /// Ends the snapshot. The next read begins another one.
    package func endSnapshot() {
      database.inDatabase { db in
        if db.isInsideTransaction { try? db.rollback() }
      }
    }
  }
#endif
