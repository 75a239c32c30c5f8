#if SQLite
  import CanonicalJSON
  import Foundation
  import Testing
  import ViewState

  @testable import ViewDeltaSQLite

  extension SQLiteJournalTests {
    @Test("removes checkpoints without the entries around them")
    func removal() throws {
      let journal = try SQLiteJournal(path: path)
      for position in [0, 3, 5, 8] { try journal.write(Self.checkpoint(position)) }
      try journal.append((1...8).map { Self.entry($0) })
      try journal.removeCheckpoints(in: 3...5)
      #expect(try journal.marks().map(\.position) == [0, 8])
      #expect(try journal.checkpoint(at: 5) == nil)
      #expect(try journal.checkpoint(at: 8) == Self.checkpoint(8))
      #expect(try journal.entries(after: 0, limit: 100).count == 8)
      #expect(try pieceCount() == 4)
    }

    @Test("removes a large checkpoint in parts, of which none needs much of the log")
    func largeRemoval() throws {
      let journal = try SQLiteJournal(path: path)
      let large = JSONValue.string(Text(String(repeating: "x", count: 24 << 20)))
      try journal.write(Self.checkpoint(0, large))
      try journal.write(Self.checkpoint(3))
      try journal.removeCheckpoints(in: 0...0)
      #expect(try pieceCount() == 2)
      let log = try FileManager.default.attributesOfItem(atPath: path + "-wal")[.size] as? Int
      #expect(try #require(log) < 16 << 20)
    }
  }
#endif
