#if SQLite
  import Foundation
  import GRDB
  public import ViewState

  extension SQLiteJournal {
    /// Copies a journal to a file that a server can start from, also while a server uses the journal. The copy has all
    /// that was recorded before the call.
    ///
    /// ```swift
    /// try SQLiteJournal.copy("notes.journal", to: "notes-monday.journal")
    /// ```
    ///
    /// - Parameters:
    ///   - path: The path of the journal.
    ///   - copy: The path of the new file; its directory must exist.
    /// - Throws: `JournalError` if the journal cannot be read, if there is a file at `copy`, or if it cannot be
    ///   written. There is no part of a copy then.
    public static func copy(_ path: String, to copy: String) throws(JournalError) {
      let journal = try JournalFile.reader(of: path)
      guard try !JournalFile.isFile(copy) else {
        throw .unavailable("\(copy): the file exists already")
      }
      // Beside the copy, so that it is moved there in one step.
      let draft = "\(copy).\(UUID().uuidString)"
      do { try JournalFile.createFile(draft) } catch {
        throw .unavailable("\(copy): it cannot be created")
      }
      defer { try? FileManager.default.removeItem(atPath: draft) }
      do {
        // One transaction of a reader, for which a server does not wait.
        try journal.inDatabase { try $0.execute(sql: "VACUUM INTO ?", arguments: [draft]) }
      } catch {
        throw JournalError(error, of: path)
      }
      do {
        let file = try FileHandle(forUpdating: URL(filePath: draft))
        try file.synchronize()
        try file.close()
        try FileManager.default.moveItem(atPath: draft, toPath: copy)
      } catch {
        throw .unavailable("\(copy): it cannot be written")
      }
    }
  }
#endif
