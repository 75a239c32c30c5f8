#if SQLite
  import CanonicalJSON
  import Foundation
  import GRDB
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

    @Test("writes nothing when it is opened again, which a full disk would refuse")
    func openedAgain() throws {
      do { try SQLiteJournal(path: path).write(Self.checkpoint(0)) }
      let journal = try SQLiteJournal(path: path)
      #expect(try Data(contentsOf: URL(filePath: "\(path)-wal")).isEmpty)
      try journal.append([Self.entry(1)])
    }

    @Test("gives the space of a large input in its log back when the next ones are written")
    func largeInput() throws {
      let journal = try SQLiteJournal(path: path)
      let large = JSONValue.string(Text(String(repeating: "x", count: 24 << 20)))
      try journal.append([Self.entry(1, large)])
      try journal.append([Self.entry(2)])
      let log = try FileManager.default.attributesOfItem(atPath: path + "-wal")[.size] as? Int
      #expect(try #require(log) <= 16 << 20)
    }

    @Test("has nothing of a checkpoint that was not finished, and could not be removed at first")
    func unremoved() throws {
      do { try SQLiteJournal(path: path).write(Self.checkpoint(0)) }
      for (name, event) in [("a", "INSERT ON checkpoints"), ("b", "DELETE ON pieces")] {
        try execute(
          """
          CREATE TRIGGER \(name) BEFORE \(event) WHEN NOT EXISTS (SELECT * FROM notes)
          BEGIN SELECT RAISE(ABORT, 'the disk is full'); END
          """)
      }
      let journal = try SQLiteJournal(path: path)
      let large = JSONValue.string(Text(String(repeating: "x", count: 3 << 20)))
      #expect(throws: JournalError.self) { try journal.write(Self.checkpoint(3, large)) }
      // The disk has space again.
      try journal.write(true, named: "space")
      try journal.write(Self.checkpoint(3))
      #expect(try journal.checkpoint(at: 3) == Self.checkpoint(3))
    }

    @Test("waits two seconds for another process that writes, says so, and goes on afterwards")
    func otherWriter() throws {
      let journal = try SQLiteJournal(path: path)
      try journal.append([Self.entry(1)])
      var configuration = Configuration()
      configuration.allowsUnsafeTransactions = true
      let other = try DatabaseQueue(path: path, configuration: configuration)
      try other.inDatabase { try $0.execute(sql: "BEGIN IMMEDIATE") }
      let time = ContinuousClock().measure {
        #expect(throws: JournalError.unavailable("\(path): another process uses it")) {
          try journal.append([Self.entry(2)])
        }
      }
      #expect((.seconds(1)...(.seconds(30))).contains(time))
      try other.inDatabase { try $0.execute(sql: "ROLLBACK") }
      try journal.append([Self.entry(2)])
      #expect(try journal.entries(after: 0, limit: 9).map(\.position) == [1, 2])
    }
  }
#endif
