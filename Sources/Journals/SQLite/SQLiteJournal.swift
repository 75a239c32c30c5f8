#if SQLite
  public import CanonicalJSON
  import Foundation
  import GRDB
  import Synchronization
  public import ViewState

  /// A `Journal` in a SQLite file, which one server at a time can use.
  ///
  /// ```swift
  /// await Application.main(journal: try SQLiteJournal(path: "notes.journal")) {
  ///   NotesFeature()
  /// }
  /// ```
  ///
  /// Entries are on the disk when ``append(_:)`` returns: the file has a write-ahead log, `FILE-wal`, that is synced
  /// at the end of each transaction. The file can be read with `sqlite3`, also while a server uses it: the table
  /// `entries` has a row for each input. Copy the journal with ``copy(_:to:since:)``: a copy of the file alone lacks
  /// the inputs in the log.
  public final class SQLiteJournal: Journal {
    private let path: String
    let database: DatabaseQueue
    /// The names of the files; `nil` if the journal is opened only for reading.
    private let names: JournalNames?
    /// The loss of a name, after which nothing is recorded any more; `nil` while the files have their names.
    private let loss = Mutex<JournalNames.Loss?>(nil)
    /// The notes in the lock file, which keeps other servers out; `nil` if the journal is opened only for reading.
    private let starts: StartNotes?
    /// Whether the file existed before the start, but had no data.
    private let wasEmpty: Bool
    /// The reads of a journal that is opened only for reading.
    let reads = Mutex(Reads())

    /// The largest piece of a checkpoint that one transaction writes, in bytes. Inputs wait for it.
    private static let pieceByteCount = 1024 * 1024
    /// The size of entries that are read at once, in bytes.
    private static let readByteCount = 8 * 1024 * 1024

    /// Opens a journal, or creates an empty one if there is no file. Only the owner of a new file may read it.
    ///
    /// - Parameter path: The path of the file; its directory must exist.
    /// - Throws: `JournalError` if the file cannot be opened or written, if another process uses it, or if it is
    ///   not a journal. The file has not changed then.
    public init(path: String) throws(JournalError) {
      let (database, lock, wasEmpty) = try JournalFile.open(path)
      (self.database, starts, self.wasEmpty) = (database, StartNotes(in: lock), wasEmpty)
      self.path = path
      names = JournalNames(of: path)
      // What a process that ended had written of a checkpoint takes space, and there may be no more.
      try? removeLoosePieces()
    }

    /// Opens a journal to read it, also while a server uses it. Writes throw.
    ///
    /// Reads return what the journal had when it was opened. If no read comes for 30 seconds, the reader gives up this
    /// content, so that the server can use its space again; later reads return what the journal has then, and throw if
    /// the server has removed the next entries.
    ///
    /// ```swift
    /// let first = try SQLiteJournal(reading: "notes.journal").entries(after: 0, limit: 1).first
    /// ```
    ///
    /// - Parameter path: The path of the file.
    /// - Throws: `JournalError` if the file cannot be read, or if it is not a journal.
    public init(reading path: String) throws(JournalError) {
      (database, starts, wasEmpty) = (try JournalFile.reader(of: path), nil, false)
      self.path = path
      names = nil
      _ = try marks()
    }

    /// Appends entries. If the file or its log was removed, moved or replaced, this throws an error from then on, even
    /// after the file is put back, because another process may have used it meanwhile.
    public func append(_ entries: [Entry]) throws(JournalError) {
      try transaction(appending: true) { db in
        let statement = try db.cachedStatement(
          sql: "INSERT INTO entries (position, time, input) VALUES (?, ?, ?)")
        for entry in entries {
          try statement.execute(arguments: [
            entry.position, entry.time.description,
            String(decoding: entry.input.canonicalBytes(), as: UTF8.self),
          ])
        }
      }
    }

    /// Checks that the files have their names, so that the next process finds what is recorded.
    ///
    /// - Parameter isEmptyingLog: Whether the content of the log goes to the file if one of them has lost its name, so
    ///   that the file is enough for a restart. Another process may soon use a file that was moved, so the end of this
    ///   process does not write to it.
    private func checkNames(isEmptyingLog: Bool = false) throws(JournalError) {
      try loss.withLock { (loss) throws(JournalError) in
        if loss == nil { loss = names?.error.map { JournalNames.Loss(error: $0) } }
        guard let error = loss?.error else { return }
        if isEmptyingLog, loss?.isLogEmpty == false {
          loss?.isLogEmpty = true
          emptyLog()
        }
        throw error
      }
    }

    public func entries(after position: Int, limit: Int) throws(JournalError) -> [Entry] {
      try read { db in
        let rows = try Row.fetchCursor(
          db,
          sql: """
            SELECT position, time, input FROM entries
            WHERE position > ? ORDER BY position LIMIT ?
            """, arguments: [position, limit])
        var (entries, byteCount): ([Entry], Int) = ([], 0)
        while byteCount < Self.readByteCount, let row = try rows.next() {
          let input = try row.decode(String.self, forColumn: "input")
          entries.append(try Self.entry(row, input))
          byteCount += input.utf8.count
        }
        if hasPaused { try checkNext(entries.first, after: position, db) }
        return entries
      }
    }

    private static func entry(_ row: Row, _ input: String) throws -> Entry {
      let position = try row.decode(Int.self, forColumn: "position")
      guard let time = Timestamp(try row.decode(String.self, forColumn: "time")) else {
        throw JournalError.damaged("entry \(position) has no time")
      }
      return Entry(
        position: position, time: time, input: try json(Array(input.utf8), of: "entry \(position)"))
    }

    public func marks() throws(JournalError) -> [Checkpoint.Mark] {
      try read { db in
        let marks = try Row.fetchAll(
          db,
          sql: """
            SELECT position, time, content FROM checkpoints
            LEFT JOIN pieces ON checkpoint = id AND part = ? AND number = 0 ORDER BY position
            """, arguments: [Checkpoint.weight.string])
        if marks.isEmpty, try Int.fetchOne(db, sql: "SELECT count(*) FROM entries") != 0 {
          throw JournalError.damaged("it has entries and no checkpoint")
        }
        return try marks.map { row in
          let position = try row.decode(Int.self, forColumn: "position")
          // Beyond it the next position may be no Int.
          guard (0...1 << 53).contains(position) else {
            throw JournalError.damaged("the checkpoint \(position) has no place")
          }
          guard let time = Timestamp(try row.decode(String.self, forColumn: "time")) else {
            throw JournalError.damaged("the checkpoint \(position) has no time")
          }
          let weight = try row.decode(Data?.self, forColumn: "content")
          return Checkpoint.Mark(
            position: position, time: time,
            weight: weight.flatMap { try? JSONValue(parsing: Array($0)) })
        }
      }
    }

    public func checkpoint(at position: Int) throws(JournalError) -> Checkpoint? {
      try read { db in
        var parts: [Text: [UInt8]] = [:]
        let pieces = try Row.fetchCursor(
          db,
          sql: """
            SELECT part, content FROM pieces JOIN checkpoints ON checkpoint = id WHERE position = ?
            ORDER BY part, number
            """, arguments: [position])
        while let piece = try pieces.next() {
          let part = Text(try piece.decode(String.self, forColumn: "part"))
          parts[part, default: []] += try piece.decode(Data.self, forColumn: "content")
        }
        if parts.isEmpty { return nil }
        return Checkpoint(
          position: position,
          parts: try parts.reduce(into: [:]) { read, part in
            read[part.key] = try Self.json(part.value, of: "the part \(part.key) of the checkpoint")
          })
      }
    }

    public func write(_ checkpoint: Checkpoint) throws(JournalError) {
      // A piece of a checkpoint that was not finished may have the number.
      try removeLoosePieces()
      do throws(JournalError) {
        try writePieces(checkpoint)
      } catch {
        // On a full disk they would take the last space.
        try? removeLoosePieces()
        throw error
      }
    }

    private func writePieces(_ checkpoint: Checkpoint) throws(JournalError) {
      let id = try transaction { db in
        try Int.fetchOne(db, sql: "SELECT max(id) + 1 FROM checkpoints") ?? 1
      }
      for (name, part) in checkpoint.parts {
        let bytes = part.canonicalBytes()
        let starts = stride(from: 0, to: bytes.count, by: Self.pieceByteCount)
        for (number, start) in starts.enumerated() {
          let piece = Data(bytes[start..<min(start + Self.pieceByteCount, bytes.count)])
          try transaction { db in
            try db.execute(
              sql: "INSERT INTO pieces VALUES (?, ?, ?, ?)",
              arguments: [id, name.string, number, piece])
          }
        }
      }
      // It counts from here on.
      try transaction { db in
        try db.execute(
          sql: "INSERT OR REPLACE INTO checkpoints VALUES (?, ?, ?)",
          arguments: [id, checkpoint.position, checkpoint.mark.time.description])
      }
    }

    public var byteCount: Int {
      get throws(JournalError) {
        try read { db in
          let pragmas = ["page_count", "freelist_count", "page_size"]
          let counts = try pragmas.map { try Int.fetchOne(db, sql: "PRAGMA \($0)") ?? 0 }
          return (counts[0] - counts[1]) * counts[2]
        }
      }
    }

    /// The size of the file and of its log, in bytes.
    public var diskByteCount: Int? { names?.byteCount }

    public func note(_ name: Text) throws(JournalError) -> JSONValue? {
      try read { db in
        let text = try String.fetchOne(
          db, sql: "SELECT content FROM notes WHERE name = ?", arguments: [name.string])
        return try text.map { try Self.json(Array($0.utf8), of: "the note \(name)") }
      }
    }

    public func write(_ note: JSONValue, named name: Text) throws(JournalError) {
      try transaction { db in
        try db.execute(
          sql: "INSERT OR REPLACE INTO notes VALUES (?, ?)",
          arguments: [name.string, String(decoding: note.canonicalBytes(), as: UTF8.self)])
      }
    }

    public func write(start note: JSONValue?) throws(JournalError) { try starts?.write(note) }

    public var endedStarts: [JSONValue] { starts?.ended ?? [] }

    public var warning: String? {
      if wasEmpty {
        return "\(path): there was a file without data; was it copied without \(path)-wal?"
      }
      return names?.hadSecondName == true
        ? "\(path): the file has a second name, a hard link; a server with that name would damage it"
        : nil
    }

    /// Empties the write-ahead log, `FILE-wal`. Otherwise, if the file is replaced by a copy, SQLite would apply the
    /// old log to the copy, and so damage it.
    public func close() {
      if (try? checkNames()) != nil { emptyLog() }
    }

    private func emptyLog() {
      _ = try? database.writeWithoutTransaction { db in
        try db.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)")
      }
    }

    func transaction<Result>(
      appending: Bool = false, _ work: (Database) throws -> Result
    ) throws(JournalError) -> Result {
      try checkNames(isEmptyingLog: appending)
      do {
        return try database.write(work)
      } catch DatabaseError.SQLITE_IOERR_FSYNC where appending {
        // The log has the whole transaction by then, and the next process may take it for one that was committed.
        throw .unconfirmed("\(path): the disk has not confirmed what was written")
      } catch {
        throw JournalError(error, of: path)
      }
    }

    /// Runs work that needs no transaction of its own.
    private func read<Result>(_ work: (Database) throws -> Result) throws(JournalError) -> Result {
      do {
        return try database.inDatabase { db in
          if starts == nil { try keepSnapshot(db) }
          return try work(db)
        }
      } catch {
        throw JournalError(error, of: path)
      }
    }

    private static func json(_ bytes: [UInt8], of place: String) throws(JournalError) -> JSONValue {
      do throws(JSONParseError) {
        return try JSONValue(parsing: bytes, limits: .greatest)
      } catch {
        throw .damaged("\(place) is not JSON: \(error.message) (at byte \(error.offset))")
      }
    }
  }
#endif
