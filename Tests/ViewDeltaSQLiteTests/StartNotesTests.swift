#if SQLite
  import CanonicalJSON
  import Foundation
  import GRDB
  import TestSupport
  import Testing
  import ViewDeltaSQLite
  import ViewState

  @Suite("The notes of starts from a journal in a SQLite file")
  struct StartNotesTests {
    let directory: TemporaryDirectory
    let path: String

    init() throws {
      directory = try TemporaryDirectory()
      path = directory.path(of: "test.journal")
    }

    @Test("have nothing of a note that does not fit onto the disk")
    func fullDisk() throws {
      try SQLiteJournal(path: path).write(start: ["position": 1])
      do {
        let journal = try SQLiteJournal(path: path)
        // Room for a part of the next note.
        withFileSizeLimit(300) {
          #expect(throws: JournalError.self) { try journal.write(start: ["position": 2]) }
        }
      }
      #expect(try SQLiteJournal(path: path).endedStarts == [["position": 1]])
    }

    @Test("keeps how far starts have come, for the next process alone, in a place of a fixed size")
    func starts() throws {
      do {
        let journal = try SQLiteJournal(path: path)
        #expect(journal.endedStarts.isEmpty)
        for position in 1...100 { try journal.write(start: ["position": .integer(position)]) }
        #expect(journal.endedStarts.isEmpty)
      }
      let lock = URL(filePath: "\(path)-lock")
      #expect(try Data(contentsOf: lock).count == 256)
      do {
        let journal = try SQLiteJournal(path: path)
        #expect(journal.endedStarts == [["position": 100]])
        try journal.write(start: ["position": 7])
        #expect(throws: JournalError.self) {
          try journal.write(start: .string(Text(String(repeating: "x", count: 300))))
        }
      }
      do {
        let journal = try SQLiteJournal(path: path)
        #expect(journal.endedStarts == [["position": 100], ["position": 7]])
        try journal.write(start: ["position": 8])
        try journal.write(start: nil)
      }
      #expect(try SQLiteJournal(path: path).endedStarts.isEmpty)
      // A supervisor that never lets it start does not fill the file.
      for _ in 1...101 { try SQLiteJournal(path: path).write(start: 1) }
      #expect(try Data(contentsOf: lock).count == 256)
    }
  }
#endif
