#if SQLite
  import Foundation
  import Testing
  import ViewDeltaSQLite
  import ViewState

  extension SQLiteJournalTests {
    @Test("names what the system says of a disk that takes nothing, and goes on later")
    func failingDisk() throws {
      let journal = try SQLiteJournal(path: path)
      withFileSizeLimit(8_192) {
        let error = #expect(throws: JournalError.self) { try journal.append([Self.entry(1)]) }
        #expect(error?.description == "\(path): disk I/O error (File too large)")
        let start = #expect(throws: JournalError.self) { try SQLiteJournal(path: "\(path)-2") }
        #expect(start?.description == "\(path)-2: disk I/O error (File too large)")
      }
      try journal.append([Self.entry(1)])
    }

    @Test("says that another server has recorded changes, which its lock file had kept out")
    func noLock() throws {
      let journal = try SQLiteJournal(path: path)
      try FileManager.default.removeItem(atPath: "\(path)-lock")
      try SQLiteJournal(path: path).append([Self.entry(1)])
      let error = #expect(throws: JournalError.self) { try journal.append([Self.entry(1)]) }
      let reason = "another server has recorded changes in it, so its lock file was removed"
      #expect(error?.description == "\(path): \(reason); stop this server")
    }
  }
#endif
