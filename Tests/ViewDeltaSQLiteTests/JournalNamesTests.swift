#if SQLite
  import CanonicalJSON
  import Foundation
  import GRDB
  import TestSupport
  import Testing
  import ViewDeltaSQLite
  import ViewState

  @Suite("A journal whose file has a second name, or loses its name")
  struct JournalNamesTests {
    let directory: TemporaryDirectory
    let path: String
    var log: String { "\(path)-wal" }

    init() throws {
      directory = try TemporaryDirectory()
      path = directory.path(of: "test.journal")
    }

    private func begin() throws -> SQLiteJournal {
      let journal = try SQLiteJournal(path: path)
      try journal.write(SQLiteJournalTests.checkpoint(0))
      try journal.append([SQLiteJournalTests.entry(1)])
      return journal
    }

    private func move(_ name: String, to other: String) throws {
      try FileManager.default.moveItem(atPath: name, toPath: other)
    }

    @Test("keeps its log when another program closes the file after a second open was refused")
    func openedTwice() async throws {
      let journal = try begin()
      #expect(throws: JournalError.self) { try SQLiteJournal(path: path) }
      await #expect(processExitsWith: .success) { [path = path as String] in
        let database = try DatabaseQueue(path: path)
        _ = try database.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM entries") }
        try database.close()
      }
      try journal.append([SQLiteJournalTests.entry(2)])
    }

    @Test(
      "records nothing more, even after the file is put back, and keeps what it has recorded",
      arguments: [false, true])
    func moved(isReplaced: Bool) throws {
      let other = directory.path(of: "other")
      do {
        let journal = try begin()
        try move(path, to: other)
        if isReplaced { try FileManager.default.copyItem(atPath: other, toPath: path) }
        let error = JournalError.unavailable(
          "\(path): the file was removed, moved or replaced; put it back, and restart the server")
        #expect(throws: error) { try journal.append([SQLiteJournalTests.entry(2)]) }
        try? FileManager.default.removeItem(atPath: path)
        try move(other, to: path)
        #expect(throws: error) { try journal.append([SQLiteJournalTests.entry(2)]) }
      }
      let journal = try SQLiteJournal(path: path)
      #expect(try journal.entries(after: 0, limit: 9) == [SQLiteJournalTests.entry(1)])
      try journal.append([SQLiteJournalTests.entry(2)])
    }

    @Test("warns that a server with the second name would damage it")
    func hardLink() throws {
      #expect(try begin().warning == nil)
      try FileManager.default.linkItem(atPath: path, toPath: directory.path(of: "other"))
      #expect(
        try SQLiteJournal(path: path).warning
          == "\(path): the file has a second name, a hard link; a server with that name would damage it"
      )
    }

    @Test("keeps its log if its file was moved or emptied between two servers")
    func logAlone() throws {
      let other = directory.path(of: "other")
      let journal = try begin()
      let content = try Data(contentsOf: URL(filePath: log))
      try FileManager.default.copyItem(atPath: log, toPath: "\(other)-wal")
      try journal.append([SQLiteJournalTests.entry(2)])
      #expect(throws: JournalError.self) { try SQLiteJournal(path: other) }
      #expect(!FileManager.default.fileExists(atPath: other))
      try Data().write(to: URL(filePath: other))
      #expect(throws: JournalError.self) { try SQLiteJournal(path: other) }
      #expect(throws: JournalError.self) { try SQLiteJournal(reading: other) }
      #expect(try Data(contentsOf: URL(filePath: "\(other)-wal")) == content)
    }

    @Test(
      "keeps its log if its file was moved, and only a link leads to where it was",
      arguments: ["", "FOLDER/"])
    func logBehindLink(start: String) throws {
      let (link, next) = (directory.path(of: "link"), directory.path(of: "next"))
      func create(_ link: String, to name: String) throws {
        let start = start.replacing("FOLDER", with: directory.path)
        try FileManager.default.createSymbolicLink(
          atPath: link, withDestinationPath: "\(start)\(name)")
      }
      let journal = try begin()
      try create(next, to: "test.journal")
      try create(link, to: "next")
      try move(path, to: directory.path(of: "other"))
      let content = try Data(contentsOf: URL(filePath: log))
      let error = #expect(throws: JournalError.self) { try SQLiteJournal(path: link) }
      #expect(error?.description.contains("/test.journal-wal: it is left over") == true)
      #expect(!FileManager.default.fileExists(atPath: path))
      #expect(try Data(contentsOf: URL(filePath: log)) == content)
      journal.close()
    }

    @Test("is refused if links to it lead in a circle")
    func circle() throws {
      for (link, next) in [("a", "b"), ("b", "a")] {
        try FileManager.default.createSymbolicLink(
          atPath: directory.path(of: link), withDestinationPath: next)
      }
      let path = directory.path(of: "a")
      let error = #expect(throws: JournalError.self) { try SQLiteJournal(path: path) }
      #expect(
        error?.description
          == "\(path): it cannot be created: Too many levels of symbolic links")
    }

    @Test("is refused if its path is empty")
    func emptyPath() {
      for open in [{ try SQLiteJournal(path: "") }, { try SQLiteJournal(reading: "") }] {
        let error = #expect(throws: JournalError.self) { try open() }
        #expect(error?.description == "the path is empty")
      }
    }

    @Test("has no copy whose name is that of a log of it, which SQLite would remove")
    func copyAsLog() throws {
      let copy = "\(path)-journal"
      let journal = try begin()
      #expect(throws: JournalError.self) { try SQLiteJournal.copy(path, to: copy) }
      try SQLiteJournal.copy(path, to: "\(path)-copy")
      try move("\(path)-copy", to: copy)
      let content = try Data(contentsOf: URL(filePath: copy))
      journal.close()
      #expect(throws: JournalError.self) { try SQLiteJournal(reading: path) }
      #expect(try Data(contentsOf: URL(filePath: copy)) == content)
    }

    @Test("has a copy whose name is that of a folder with -journal behind it")
    func copyBesideFolder() throws {
      let folder = directory.path(of: "store")
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
      let journal = try begin()
      try SQLiteJournal.copy(path, to: "\(folder)-journal")
      journal.close()
    }

    @Test("has everything in the file if its log was removed")
    func logRemoved() throws {
      let journal = try begin()
      try FileManager.default.removeItem(atPath: log)
      let error = #expect(throws: JournalError.self) {
        try journal.append([SQLiteJournalTests.entry(2)])
      }
      #expect(
        error
          == .unavailable(
            "\(log): the file was removed, moved or replaced; remove any file with its name, and restart the server"
          ))
      // As after a crash: the journal is still open.
      let copy = directory.path(of: "copy")
      try FileManager.default.copyItem(atPath: path, toPath: copy)
      let next = try SQLiteJournal(path: copy)
      #expect(try next.entries(after: 0, limit: 9) == [SQLiteJournalTests.entry(1)])
    }

    @Test("leaves the moved file alone at its end, because another server may use it")
    func movedAndUsed() throws {
      let other = directory.path(of: "other")
      let journal = try begin()
      journal.close()
      // Only the log has this entry.
      try journal.append([SQLiteJournalTests.entry(2)])
      try move(path, to: other)
      let content = try Data(contentsOf: URL(filePath: other))
      #expect(throws: JournalError.self) { try journal.write("note", named: "a") }
      #expect(throws: JournalError.self) { try journal.write(SQLiteJournalTests.checkpoint(1)) }
      #expect(throws: JournalError.self) { try journal.trim(to: 1) }
      journal.close()
      #expect(try Data(contentsOf: URL(filePath: other)) == content)
    }

    @Test("takes the file for lost if the link to it is removed")
    func link() throws {
      let link = directory.path(of: "link")
      _ = try begin()
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
      let journal = try SQLiteJournal(path: link)
      try journal.append([SQLiteJournalTests.entry(2)])
      try FileManager.default.removeItem(atPath: link)
      #expect(throws: JournalError.self) { try journal.append([SQLiteJournalTests.entry(3)]) }
    }

    @Test("has one lock and one log, also by a path that leaves a linked folder")
    func parentOfLink() throws {
      let folder = directory.path(of: "parent/folder")
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      let link = directory.path(of: "link")
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: folder)
      let journal = try SQLiteJournal(path: "\(link)/../test.journal")
      let file = directory.path(of: "parent/test.journal")
      #expect(throws: JournalError.self) { try SQLiteJournal(path: file) }
      try journal.append([SQLiteJournalTests.entry(1)])
      try FileManager.default.removeItem(atPath: "\(file)-wal")
      #expect(throws: JournalError.self) { try journal.append([SQLiteJournalTests.entry(2)]) }
    }
  }
#endif
