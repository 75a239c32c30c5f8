#if SQLite
  import GRDB
  public import ViewState

  /// Removes checkpoints and entries in short transactions, for which inputs wait: SQLite may overwrite what it removes,
  /// which takes as long as writing it.
  extension SQLiteJournal {
    /// The largest number of pieces that one transaction removes.
    private static let removedPieceCount = 4
    /// The least and the largest number of entries that one transaction removes.
    private static let (fewestEntries, mostEntries) = (16, 4_096)

    public func trim(to position: Int) throws(JournalError) {
      try removeCheckpoints(in: .min...(position - 1))
      var (count, removedCount) = (Self.fewestEntries, 1)
      // Oldest first, so that there is no gap if the process ends meanwhile.
      while removedCount > 0 {
        let time: Duration
        (removedCount, time) = try transaction { db in
          let start = ContinuousClock.now
          try db.execute(
            sql: """
              DELETE FROM entries
              WHERE position < (SELECT min(position) FROM entries) + ? AND position <= ?
              """, arguments: [count, position])
          return (db.changesCount, start.duration(to: .now))
        }
        // Entries may be of any size. The time of the sync is not in this time: fewer entries would not shorten it.
        count =
          time > .milliseconds(20)
          ? max(count / 2, Self.fewestEntries) : min(count * 2, Self.mostEntries)
      }
    }

    public func removeCheckpoints(in positions: ClosedRange<Int>) throws(JournalError) {
      try transaction { db in
        try db.execute(
          sql: "DELETE FROM checkpoints WHERE position BETWEEN ? AND ?",
          arguments: [positions.lowerBound, positions.upperBound])
      }
      try removeLoosePieces()
    }

    /// Removes the pieces of checkpoints that were removed or not finished.
    func removeLoosePieces() throws(JournalError) {
      var count = Self.removedPieceCount
      while count == Self.removedPieceCount {
        count = try transaction { db in
          try db.execute(
            sql: """
              DELETE FROM pieces WHERE (checkpoint, part, number) IN (
                SELECT checkpoint, part, number FROM pieces
                WHERE checkpoint NOT IN (SELECT id FROM checkpoints) LIMIT ?)
              """, arguments: [Self.removedPieceCount])
          return db.changesCount
        }
      }
    }
  }
#endif
