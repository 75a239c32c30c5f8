#if SQLite
  import CanonicalJSON
  import Foundation
  import GRDB
  public import ViewState

  extension SQLiteJournal {
    /// Copies a journal to a file that a server can start from, also while a server uses the journal. The copy has all
    /// inputs that were recorded before the call. A server that starts from it gives other revisions, because clients may
    /// know revisions from after the copy.
    ///
    /// ```swift
    /// try SQLiteJournal.copy("notes.journal", to: "notes-monday.journal")
    /// try SQLiteJournal.copy("notes.journal", to: "bug.journal") { $0.position <= 40_000 }
    /// ```
    ///
    /// - Parameters:
    ///   - path: The path of the journal.
    ///   - copy: The path of the new file; its directory must exist.
    ///   - isEarly: Returns whether the copy may begin with a checkpoint. It begins with the last such checkpoint, or
    ///     with the oldest checkpoint if there is none. If `isEarly` is `nil`, the copy has all inputs.
    /// - Throws: `JournalError` if the journal cannot be read, if there is a file at `copy` already, or if the copy
    ///   cannot be written. No part of a copy is left then.
    public static func copy(
      _ path: String, to copy: String, since isEarly: ((Checkpoint.Mark) -> Bool)? = nil
    ) throws(JournalError) {
      let journal = try JournalFile.reader(of: path)
      let (draft, target) = try draft(of: copy)
      defer { remove(draft) }
      do { try journal.inDatabase(check) } catch { throw JournalError(error, of: path) }
      do {
        // One transaction of a reader, for which a server does not wait.
        try journal.inDatabase { try $0.execute(sql: "VACUUM INTO ?", arguments: [draft]) }
        try DatabaseQueue(path: draft).write { db in
          try db.execute(
            sql: "INSERT OR REPLACE INTO notes VALUES (?, 'true')",
            arguments: [JournalNote.copy.string])
        }
      } catch {
        // Nothing but the copy is written.
        let code = (error as? DatabaseError)?.extendedResultCode
        let isWrite = code == .SQLITE_FULL || code == .SQLITE_IOERR_WRITE
        throw JournalError(error, of: isWrite ? copy : path)
      }
      if let isEarly {
        try cut(draft, isEarly)
        return try self.copy(draft, to: copy)
      }
      do {
        try FileManager.default.moveItem(atPath: draft, toPath: target)
      } catch {
        throw .unavailable("\(copy): it cannot be written")
      }
      // SQLite has synced the content, but not this name.
      do {
        let folder = URL(filePath: target).deletingLastPathComponent()
        try FileHandle(forReadingFrom: folder).synchronize()
      } catch {
        try? FileManager.default.removeItem(atPath: target)
        throw .unavailable("\(copy): the disk has not confirmed its name")
      }
    }

    /// Creates a journal with the content that a closure writes. A server can start from it.
    ///
    /// ```swift
    /// try SQLiteJournal.create("notes.journal") { journal in try journal.write(checkpoint) }
    /// ```
    ///
    /// - Parameters:
    ///   - path: The path of the new file; its directory must exist.
    ///   - write: Writes to the journal.
    /// - Throws: The errors of `write`, and `JournalError` if there is a file at `path` already, or if the file cannot
    ///   be written. No new file is left then.
    public static func create(
      _ path: String, _ write: (SQLiteJournal) throws -> Void
    ) throws {
      let (draft, _) = try draft(of: path)
      defer { remove(draft) }
      try write(SQLiteJournal(path: draft))
      try copy(draft, to: path)
    }

    /// Checks that the whole file can be read, because a copy of a damaged journal must not replace an earlier copy.
    private static func check(_ db: Database) throws {
      let problems = try String.fetchAll(db, sql: "PRAGMA quick_check(1)")
      guard problems == ["ok"] else { throw DatabaseError(resultCode: .SQLITE_CORRUPT) }
    }

    /// Creates an empty file beside a new one, so that it is moved there in one step. Returns the paths of both, which
    /// lead through no link.
    private static func draft(
      of path: String
    ) throws(JournalError) -> (draft: String, target: String) {
      guard try !JournalFile.isFile(path) else {
        throw .unavailable("\(path): the file exists already")
      }
      try JournalFile.checkLogs(of: path)
      let end = "-journal"
      // A folder of this name has no log.
      if path.hasSuffix(end), (try? JournalFile.isFile(String(path.dropLast(end.count)))) == true {
        throw .unavailable("\(path): SQLite would remove it as a log of the file without \(end)")
      }
      let suffix = ".\(UUID().uuidString)"
      try JournalFile.createFile(path + suffix, for: path)
      let draft = JournalFile.realPath(path + suffix)
      return (draft, String(draft.dropLast(suffix.count)))
    }

    private static func remove(_ draft: String) {
      for name in ["", "-lock", "-wal", "-shm"] {
        try? FileManager.default.removeItem(atPath: draft + name)
      }
    }

    /// Removes what comes before the last checkpoint for which a closure returns `true`.
    private static func cut(
      _ path: String, _ isEarly: (Checkpoint.Mark) -> Bool
    ) throws(JournalError) {
      let journal = try SQLiteJournal(path: path)
      if let mark = try journal.marks().last(where: isEarly) { try journal.trim(to: mark.position) }
    }
  }
#endif
