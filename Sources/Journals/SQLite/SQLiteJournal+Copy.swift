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
    /// try SQLiteJournal.copy("notes.journal", to: "bug.journal") { $0.position <= 40_000 }
    /// ```
    ///
    /// - Parameters:
    ///   - path: The path of the journal.
    ///   - copy: The path of the new file; its directory must exist.
    ///   - isEarly: Returns whether a copy may begin with a checkpoint. It begins with the last one of these, or with
    ///     the oldest one if there is none. Without it the copy has all.
    /// - Throws: `JournalError` if the journal cannot be read, if there is a file at `copy`, or if it cannot be
    ///   written. There is no part of a copy then.
    public static func copy(
      _ path: String, to copy: String, since isEarly: ((Checkpoint.Mark) -> Bool)? = nil
    ) throws(JournalError) {
      let journal = try JournalFile.reader(of: path)
      guard try !JournalFile.isFile(copy) else {
        throw .unavailable("\(copy): the file exists already")
      }
      // Beside the copy, so that it is moved there in one step.
      let draft = "\(copy).\(UUID().uuidString)"
      do { try JournalFile.createFile(draft) } catch {
        throw .unavailable("\(copy): it cannot be created")
      }
      defer {
        for name in ["", "-lock", "-wal", "-shm"] {
          try? FileManager.default.removeItem(atPath: draft + name)
        }
      }
      do {
        // One transaction of a reader, for which a server does not wait.
        try journal.inDatabase { try $0.execute(sql: "VACUUM INTO ?", arguments: [draft]) }
      } catch {
        throw JournalError(error, of: path)
      }
      if let isEarly {
        try cut(draft, isEarly)
        return try self.copy(draft, to: copy)
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

    /// Removes what comes before the last of some checkpoints.
    private static func cut(
      _ path: String, _ isEarly: (Checkpoint.Mark) -> Bool
    ) throws(JournalError) {
      let journal = try SQLiteJournal(path: path)
      if let mark = try journal.marks().last(where: isEarly) { try journal.trim(to: mark.position) }
    }
  }
#endif
