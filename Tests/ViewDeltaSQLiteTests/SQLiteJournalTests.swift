#if SQLite
  import CanonicalJSON
  import FailingDisk
  import Foundation
  import GRDB
  import TestSupport
  import Testing
  import ViewState

  @testable import ViewDeltaSQLite

  @Suite("A journal in a SQLite file")
  struct SQLiteJournalTests {
    let directory: TemporaryDirectory
    let path: String

    init() throws {
      directory = try TemporaryDirectory()
      path = directory.path(of: "test.journal")
    }

    static func entry(_ position: Int, _ input: JSONValue = ["kind": "test"]) -> Entry {
      Entry(
        position: position, time: Timestamp(secondsSince1970: 1_800_000_000 + position),
        input: input)
    }

    static func checkpoint(_ position: Int, _ value: JSONValue = 1) -> Checkpoint {
      Checkpoint(position: position, parts: ["engine": value, "store/\(position)": [value]])
    }

    /// Runs statements on the file, which no journal may have open.
    func execute(_ sql: String) throws {
      try DatabaseQueue(path: path).write { try $0.execute(sql: sql) }
    }

    @Test("has what was written when it is opened again, and nothing before what it was trimmed to")
    func content() throws {
      let deep = (1...400).reduce(JSONValue.string("\0\u{1F600}")) { json, _ in [json] }
      let entries = (1...10).map { Self.entry($0, ["n": .integer($0), "deep": deep]) }
      do {
        let journal = try SQLiteJournal(path: path)
        #expect(try journal.checkpoint() == nil)
        try journal.write(Self.checkpoint(0))
        try journal.append(Array(entries[..<3]))
        try journal.append(Array(entries[3...]))
        try journal.write(Self.checkpoint(5))
        try journal.write(Self.checkpoint(8))
      }
      let journal = try SQLiteJournal(path: path)
      #expect(try journal.checkpoint() == Self.checkpoint(0))
      #expect(try journal.entries(after: 0, limit: 100) == entries)
      #expect(try journal.entries(after: 4, limit: 2) == Array(entries[4..<6]))
      try journal.trim(to: 5)
      #expect(try journal.checkpoint() == Self.checkpoint(5))
      #expect(try journal.entries(after: 0, limit: 100) == Array(entries[5...]))
    }

    @Test("writes a large checkpoint in pieces, of which none counts before the last one")
    func pieces() throws {
      let large = JSONValue.array(
        (0..<40).map { .string(Text(String(repeating: "\($0)é", count: 20_000))) })
      do { try SQLiteJournal(path: path).write(Self.checkpoint(0)) }
      // The rest of a checkpoint during which the process ended.
      try execute("INSERT INTO pieces VALUES (2, 'engine', 0, X'5B'), (2, 'engine', 7, X'5B')")
      let journal = try SQLiteJournal(path: path)
      #expect(try journal.checkpoint() == Self.checkpoint(0))
      try journal.write(Self.checkpoint(3, large))
      try journal.trim(to: 3)
      #expect(try journal.checkpoint() == Self.checkpoint(3, large))
      // A second one at a position takes the place of the first.
      try journal.write(Self.checkpoint(3, 2))
      #expect(try journal.checkpoint() == Self.checkpoint(3, 2))
    }

    func pieceCount() throws -> Int? {
      try DatabaseQueue(path: path).read {
        try Int.fetchOne($0, sql: "SELECT count(*) FROM pieces")
      }
    }

    @Test("keeps nothing of a checkpoint that is not finished")
    func unfinished() throws {
      do { try SQLiteJournal(path: path).write(Self.checkpoint(0)) }
      let before = try pieceCount()
      try execute(
        """
        INSERT INTO pieces VALUES (2, 'engine', 0, X'5B');
        CREATE TRIGGER full BEFORE INSERT ON checkpoints
        BEGIN SELECT RAISE(ABORT, 'the disk is full'); END
        """)
      let journal = try SQLiteJournal(path: path)
      #expect(try pieceCount() == before)
      #expect(throws: JournalError.self) { try journal.write(Self.checkpoint(3)) }
      #expect(try pieceCount() == before)
      #expect(try journal.marks().map(\.position) == [0])
    }

    @Test("gives large entries a few at a time")
    func largeEntries() throws {
      let journal = try SQLiteJournal(path: path)
      let text = JSONValue.string(Text(String(repeating: "x", count: 5 * 1024 * 1024)))
      try journal.append((1...3).map { Self.entry($0, text) })
      #expect(try journal.entries(after: 0, limit: 100).map(\.position) == [1, 2])
      #expect(try journal.entries(after: 2, limit: 100).map(\.position) == [3])
      #expect(try journal.entries(after: 3, limit: 100).isEmpty)
    }

    @Test("leaves nothing in its log when it is closed, so that a copy can take its place")
    func restore() throws {
      let copy = "\(path)-copy"
      let journal = try SQLiteJournal(path: path)
      try journal.write(Self.checkpoint(0))
      try journal.append([Self.entry(1)])
      try SQLiteJournal.copy(path, to: copy)
      try journal.append([Self.entry(2)])
      let log = URL(filePath: "\(path)-wal")
      #expect(try !Data(contentsOf: log).isEmpty)
      journal.close()
      #expect(try Data(contentsOf: log).isEmpty)
      try Data([0]).write(to: URL(filePath: "\(path)-2-wal"))
      let error = #expect(throws: JournalError.self) {
        try SQLiteJournal.copy(path, to: "\(path)-2")
      }
      #expect(error?.description.contains("-2-wal: it is left over from another journal") == true)
    }

    @Test("knows its checkpoints and their times, its size, and its notes")
    func places() throws {
      let time = Timestamp(secondsSince1970: 1_800_000_000)
      do {
        let journal = try SQLiteJournal(path: path)
        #expect(journal.warning == nil)
        try journal.write(Self.checkpoint(0, ["time": .string(Text(time.description))]))
        let before = try journal.byteCount
        try journal.append((1...1_000).map { Self.entry($0) })
        var parts = Self.checkpoint(500).parts
        parts[Checkpoint.weight] = 700
        let second = Checkpoint(position: 500, parts: parts)
        try journal.write(second)
        let grown = try journal.byteCount
        #expect((before + 20_000...before + 500_000).contains(grown))
        #expect(try journal.marks().map(\.position) == [0, 500])
        let first = Checkpoint.Mark(position: 0, time: time)
        #expect(try journal.marks() == [first, second.mark])
        #expect(second.mark != Self.checkpoint(500).mark)
        #expect(try journal.checkpoint(at: 500) == second)
        try journal.trim(to: 500)
        #expect(try journal.byteCount < grown - 20_000)
        #expect(try journal.note("progress") == nil)
        for count in 1...3 { try journal.write(["count": .integer(count)], named: "progress") }
        try journal.write("other", named: "looks")
      }
      let reader = try SQLiteJournal(reading: path)
      #expect(try reader.note("progress") == ["count": 3])
      #expect(try reader.note("looks") == "other")
    }

    @Test("shows a reader what it has at first, and takes no writes of it")
    func reader() throws {
      let journal = try SQLiteJournal(path: path)
      try journal.write(Self.checkpoint(0))
      try journal.append([Self.entry(1), Self.entry(2)])
      let reader = try SQLiteJournal(reading: path)
      try journal.write(Self.checkpoint(2))
      try journal.trim(to: 2)
      try journal.append([Self.entry(3)])
      #expect(try reader.checkpoint() == Self.checkpoint(0))
      #expect(try reader.entries(after: 0, limit: 9).map(\.position) == [1, 2])
      #expect(throws: JournalError.self) { try reader.append([Self.entry(4)]) }
      #expect(try SQLiteJournal(reading: path).checkpoint() == Self.checkpoint(2))
    }

    @Test(
      "lets a server have the space of what a reader has read, once the reader pauses, and says what is gone"
    )
    func pausedReader() throws {
      let journal = try SQLiteJournal(path: path)
      try journal.write(Self.checkpoint(0))
      try journal.append((1...4).map { Self.entry($0) })
      let (slow, ended) = (try SQLiteJournal(reading: path), try SQLiteJournal(reading: path))
      for reader in [slow, ended] {
        #expect(try reader.entries(after: 0, limit: 2).map(\.position) == [1, 2])
        reader.endSnapshot()
      }
      try journal.append([Self.entry(5)])
      #expect(try slow.entries(after: 2, limit: 9).map(\.position) == [3, 4, 5])
      slow.endSnapshot()
      func logByteCount() throws -> Int { try Data(contentsOf: URL(filePath: "\(path)-wal")).count }
      // The log is used again.
      let before = try logByteCount()
      for position in 6...4_000 { try journal.append([Self.entry(position)]) }
      #expect(try logByteCount() < before + 8 * 1024 * 1024)
      try journal.write(Self.checkpoint(4_000))
      try journal.trim(to: 4_000)
      #expect(
        throws: JournalError.unavailable(
          "\(path): a server has removed the inputs after 2 meanwhile; begin again")
      ) {
        try ended.entries(after: 2, limit: 9)
      }
    }

    @Test("appends all entries or none")
    func all() throws {
      let journal = try SQLiteJournal(path: path)
      try journal.append([Self.entry(1), Self.entry(2)])
      #expect(throws: JournalError.self) { try journal.append([Self.entry(3), Self.entry(2)]) }
      #expect(try journal.entries(after: 0, limit: 9).map(\.position) == [1, 2])
      try journal.append([Self.entry(3)])
    }

    @Test("does not say that nothing is recorded if the disk does not confirm it")
    func failingSync() throws {
      let journal = try SQLiteJournal(path: path)
      try journal.append([Self.entry(1)])
      var log = stat()
      #expect(stat("\(path)-wal", &log) == 0)
      failing_disk_set(log.st_ino)
      defer { failing_disk_set(0) }
      let error = #expect(throws: JournalError.self) { try journal.append([Self.entry(2)]) }
      failing_disk_set(0)
      #expect(error == .unconfirmed("\(path): the disk has not confirmed what was written"))
      // A process that starts now finds it, so nobody may be told that nothing has changed.
      let copy = "\(path)-copy"
      for suffix in ["", "-wal"] {
        try FileManager.default.copyItem(atPath: path + suffix, toPath: copy + suffix)
      }
      #expect(try SQLiteJournal(path: copy).entries(after: 1, limit: 9) == [Self.entry(2)])
      // Here the next entry takes its place.
      try journal.append([Self.entry(2, "next")])
      #expect(try journal.entries(after: 1, limit: 9) == [Self.entry(2, "next")])
    }

    @Test("is open once at a time, and readable by its owner alone")
    func lock() throws {
      let journal = try SQLiteJournal(path: path)
      let error = #expect(throws: JournalError.self) { try SQLiteJournal(path: path) }
      #expect(error?.description == "\(path): another process uses it")
      let link = directory.url.appending(path: "link.journal").path
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
      #expect(throws: JournalError.self) { try SQLiteJournal(path: link) }
      try journal.append([Self.entry(1)])
      let attributes = try FileManager.default.attributesOfItem(atPath: path)
      #expect(attributes[.posixPermissions] as? Int == 0o600)
    }

    @Test("does not replace a file that another process has created by now")
    func createdMeanwhile() throws {
      let content = Data("content".utf8)
      try content.write(to: URL(filePath: path))
      let names = JournalNames(of: path)
      try JournalFile.createFile(path)
      #expect(names.error == nil)
      #expect(try Data(contentsOf: URL(filePath: path)) == content)
    }

    @Test("is refused if it is a pipe, which nobody reads")
    func pipe() throws {
      #expect(mkfifo(path, 0o600) == 0)
      // Otherwise, an open of the pipe would wait for a writer.
      let descriptor = open(path, O_RDWR)
      defer { close(descriptor) }
      let error = JournalError.unavailable("\(path): it is not a file")
      #expect(throws: error) { try SQLiteJournal(path: path) }
      #expect(throws: error) { try SQLiteJournal(reading: path) }
    }

    @Test(
      "is refused if it is damaged or of another version",
      arguments: [
        ("PRAGMA user_version = 2", "it has version 2, and this program reads version 3"),
        ("UPDATE entries SET input = '{'", "entry 1 is not JSON"),
        ("UPDATE entries SET time = 'noon'", "entry 1 has no time"),
        ("DELETE FROM checkpoints", "it has entries and no checkpoint"),
        (
          "UPDATE checkpoints SET position = -9223372036854775808",
          "the checkpoint -9223372036854775808 has no place"
        ),
        (
          "UPDATE checkpoints SET position = 9223372036854775807",
          "the checkpoint 9223372036854775807 has no place"
        ),
        ("UPDATE pieces SET content = X'7B'", "of the checkpoint is not JSON"),
        (
          """
          DROP TABLE entries; CREATE TABLE entries (position INTEGER PRIMARY KEY, time, input);
          INSERT INTO entries VALUES (1, NULL, '1')
          """, "it is damaged"
        ),
        (
          """
          DROP TABLE checkpoints; CREATE TABLE checkpoints (id, position, time);
          INSERT INTO checkpoints VALUES (1, 0, NULL)
          """, "it is damaged"
        ),
        (
          """
          DROP TABLE pieces; CREATE TABLE pieces (checkpoint, part, number, content);
          INSERT INTO pieces VALUES (1, 'engine', 0, NULL)
          """, "it is damaged"
        ),
        ("DROP TABLE notes", "no such table: notes"),
      ])
    func damage(sql: String, reason: String) throws {
      do {
        let journal = try SQLiteJournal(path: path)
        try journal.write(Self.checkpoint(0))
        try journal.append([Self.entry(1)])
      }
      try execute(sql)
      let error = #expect(throws: JournalError.self) {
        let journal = try SQLiteJournal(path: path)
        _ = try journal.checkpoint()
        _ = try journal.entries(after: 0, limit: 1)
        _ = try journal.note("looks")
      }
      guard case .damaged(let text) = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect(text.hasPrefix("\(path): ") && text.contains(reason))
    }

    @Test("is refused if a part of the file was overwritten")
    func overwritten() throws {
      do {
        let journal = try SQLiteJournal(path: path)
        try journal.write(Self.checkpoint(0))
        for position in 1...200 { try journal.append([Self.entry(position)]) }
      }
      let file = try FileHandle(forUpdating: URL(filePath: path))
      try file.seek(toOffset: 4096)
      try file.write(contentsOf: Data(repeating: 0xAB, count: 8 * 4096))
      try file.close()
      let error = #expect(throws: JournalError.self) {
        let journal = try SQLiteJournal(path: path)
        _ = try journal.checkpoint()
        _ = try journal.entries(after: 0, limit: 1_000)
      }
      #expect(error == .damaged("\(path): it is damaged"))
    }
  }
#endif
