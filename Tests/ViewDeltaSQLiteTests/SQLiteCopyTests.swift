#if SQLite
  import CanonicalJSON
  import FailingDisk
  import Foundation
  import GRDB
  import TestSupport
  import Testing
  import ViewDeltaSQLite
  import ViewState

  @Suite("A copy of a journal in a SQLite file")
  struct SQLiteCopyTests {
    let directory: TemporaryDirectory
    let path: String

    init() throws {
      directory = try TemporaryDirectory()
      path = directory.path(of: "test.journal")
    }

    @Test("is not to blame if there is no space for its copy")
    func fullDisk() throws {
      let copy = "\(path)-copy"
      let journal = try SQLiteJournal(path: path)
      try journal.append((1...2_000).map { SQLiteJournalTests.entry($0) })
      // Room for a part of the journal.
      withFileSizeLimit(65_536) {
        let error = #expect(throws: JournalError.self) { try SQLiteJournal.copy(path, to: copy) }
        #expect(error?.description == "\(copy): disk I/O error (File too large)")
        #expect(!FileManager.default.fileExists(atPath: copy))
      }
    }

    @Test("has no copy whose name the disk does not confirm, because it may be gone after a crash")
    func failingSync() throws {
      let copy = directory.path(of: "copy")
      let journal = try SQLiteJournal(path: path)
      try journal.write(SQLiteJournalTests.checkpoint(0))
      var folder = stat()
      #expect(stat(directory.path, &folder) == 0)
      failing_disk_set(folder.st_ino)
      defer { failing_disk_set(0) }
      let error = #expect(throws: JournalError.self) { try SQLiteJournal.copy(path, to: copy) }
      failing_disk_set(0)
      #expect(error == .unavailable("\(copy): the disk has not confirmed its name"))
      let files = try FileManager.default.contentsOfDirectory(atPath: directory.path)
      #expect(files.filter { $0.hasPrefix("copy") }.isEmpty)
      try SQLiteJournal.copy(path, to: copy)
      journal.close()
    }

    @Test("is copied with all that was appended, while it is open, and goes on")
    func copy() throws {
      let copy = directory.path(of: "copy")
      let journal = try SQLiteJournal(path: path)
      try journal.write(SQLiteJournalTests.checkpoint(0))
      try journal.append((1...1_000).map { SQLiteJournalTests.entry($0) })
      try SQLiteJournal.copy(path, to: copy)
      try journal.append([SQLiteJournalTests.entry(1_001)])

      let attributes = try FileManager.default.attributesOfItem(atPath: copy)
      #expect(attributes[.posixPermissions] as? Int == 0o600)
      let files = try FileManager.default.contentsOfDirectory(atPath: directory.url.path)
      #expect(files.filter { $0.hasPrefix("copy") } == ["copy"])
      let copied = try SQLiteJournal(path: copy)
      #expect(try copied.checkpoint() == SQLiteJournalTests.checkpoint(0))
      let entries = try copied.entries(after: 0, limit: 2_000)
      #expect(try entries == journal.entries(after: 0, limit: 1_000))
      try copied.append([SQLiteJournalTests.entry(1_001)])
    }

    @Test(
      "is copied from a checkpoint on", arguments: [(600, 500), (900, 900), (2_000, 900), (-1, 0)])
    func end(since: Int, base: Int) throws {
      let copy = directory.path(of: "copy")
      let journal = try SQLiteJournal(path: path)
      for position in [0, 500, 900] { try journal.write(SQLiteJournalTests.checkpoint(position)) }
      try journal.append((1...1_000).map { SQLiteJournalTests.entry($0) })
      try SQLiteJournal.copy(path, to: copy) { $0.position <= since }
      let files = try FileManager.default.contentsOfDirectory(atPath: directory.path)
      #expect(files.filter { $0.hasPrefix("copy") } == ["copy"])
      let copied = try SQLiteJournal(reading: copy)
      #expect(try copied.note(JournalNote.copy) == true && journal.note(JournalNote.copy) == nil)
      #expect(try copied.checkpoint() == SQLiteJournalTests.checkpoint(base))
      #expect(try copied.entries(after: 0, limit: 2_000).map(\.position) == Array(base + 1...1_000))
      #expect(try journal.marks().count == 3)
    }

    @Test("is not copied if any part of it is damaged, and is named then")
    func damaged() throws {
      let copy = directory.path(of: "copy")
      do {
        let journal = try SQLiteJournal(path: path)
        let large = Text(String(repeating: "x", count: 40_000))
        try journal.write(Checkpoint(position: 0, parts: ["part": .string(large)]))
        try journal.append((1...200).map { SQLiteJournalTests.entry($0) })
      }
      let whole = try Data(contentsOf: URL(filePath: path))
      let page = 4_096
      for start in stride(from: 0, to: whole.count, by: page) {
        var bytes = whole
        bytes.replaceSubrange(start..<start + page, with: Data(repeating: 0xAB, count: page))
        try bytes.write(to: URL(filePath: path))
        let error = #expect(throws: JournalError.self) { try SQLiteJournal.copy(path, to: copy) }
        guard case .damaged(let reason) = error else { throw LawViolation("\(start): \(error!)") }
        #expect(reason.hasPrefix("\(path): "), "\(reason)")
        #expect(!FileManager.default.fileExists(atPath: copy))
      }
    }

    @Test("is not copied over a file, and what is no journal is not copied")
    func badCopy() throws {
      let (copy, empty) = ("\(path)-copy", "\(path)-empty")
      do { _ = try SQLiteJournal(path: path) }
      let words = Data("Dear diary, this is a text of several words.".utf8)
      try words.write(to: URL(filePath: copy))
      try Data().write(to: URL(filePath: empty))
      func refusal(of path: String, to copy: String) -> String? {
        let error = #expect(throws: JournalError.self) { try SQLiteJournal.copy(path, to: copy) }
        return error?.description
      }
      #expect(refusal(of: path, to: copy) == "\(copy): the file exists already")
      #expect(refusal(of: "\(path)-no", to: "\(path)-2") == "\(path)-no: the file does not exist")
      #expect(refusal(of: copy, to: "\(path)-2") == "\(copy): it is not a journal")
      #expect(refusal(of: empty, to: "\(path)-2") == "\(empty): it is empty")
      #expect(
        refusal(of: path, to: "\(path)/2") == "\(path)/2: it cannot be created: Not a directory")
      #expect(refusal(of: directory.url.path, to: copy)?.hasSuffix(": it is a directory") == true)
      #expect(try Data(contentsOf: URL(filePath: copy)) == words)
      let files = try FileManager.default.contentsOfDirectory(atPath: directory.url.path)
      #expect(files.filter { $0.contains("-2") } == [])
    }
  }
#endif
