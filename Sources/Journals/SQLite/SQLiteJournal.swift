#if SQLite
  import CanonicalJSON
  import Foundation
  import GRDB
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
  /// `entries` has a row for each input. Copy it with ``copy(_:to:)``: a copy of the file alone lacks what is in the
  /// log.
  public final class SQLiteJournal: Journal {
    private let path: String
    private let database: DatabaseQueue
    /// Keeps other servers out. Those who only read are let in.
    private let lock: FileHandle

    /// `PRAGMA application_id` of the files: `VDJ1` in ASCII.
    private static let applicationID = 0x5644_4A31
    /// `PRAGMA user_version` of the files, which counts up with the form of the tables.
    private static let version = 1
    /// The largest piece of a checkpoint that one transaction writes, in bytes. Inputs wait for it.
    private static let pieceByteCount = 1024 * 1024
    /// The largest number of entries that one transaction removes. Inputs wait for it.
    private static let removedCount = 4096

    /// Opens a journal, or creates an empty one if there is no file. Only the owner of a new file may read it.
    ///
    /// - Parameter path: The path of the file; its directory must exist.
    /// - Throws: `JournalError` if the file cannot be opened or written, if another process uses it, or if it is
    ///   no journal. The file has not changed then.
    public init(path: String) throws(JournalError) {
      if try !Self.isFile(path) { try Self.createFile(path) }
      lock = try Self.lock(path)
      do {
        database = try DatabaseQueue(path: path, configuration: Self.configuration)
        try database.inDatabase(Self.prepare)
      } catch {
        throw JournalError(error, of: path)
      }
      self.path = path
    }

    /// Returns whether there is a file at a path.
    static func isFile(_ path: String) throws(JournalError) -> Bool {
      var isDirectory: ObjCBool = false
      let isThere = FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory)
      if isDirectory.boolValue { throw .unavailable("\(path): it is a directory") }
      return isThere
    }

    /// Creates an empty file that only its owner may read.
    static func createFile(_ path: String) throws(JournalError) {
      let isCreated = FileManager.default.createFile(
        atPath: path, contents: nil, attributes: [.posixPermissions: 0o600])
      if !isCreated { throw .unavailable("\(path): it cannot be created") }
    }

    /// Takes the lock of servers, which ends with the process. It is no lock of SQLite, which would keep readers out.
    private static func lock(_ path: String) throws(JournalError) -> FileHandle {
      let file = "\(path)-lock"
      if try !isFile(file) { try createFile(file) }
      guard let handle = FileHandle(forUpdatingAtPath: file) else {
        throw .unavailable("\(file): it cannot be opened")
      }
      guard flock(handle.fileDescriptor, LOCK_EX | LOCK_NB) == 0 else {
        throw .unavailable("\(path): another process uses it")
      }
      return handle
    }

    static var configuration: Configuration {
      var configuration = Configuration()
      configuration.label = "viewdelta.sqlite"
      // Somebody else may write for a moment, such as `sqlite3`.
      configuration.busyMode = .timeout(5)
      return configuration
    }

    /// Checks that a file is a journal.
    ///
    /// - Returns: Whether it is an empty file.
    static func check(_ db: Database) throws -> Bool {
      let id = try Int.fetchOne(db, sql: "PRAGMA application_id") ?? 0
      let version = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
      let isNew = try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_master") == 0 && id == 0
      guard isNew || id == applicationID else {
        throw JournalError.damaged("it is a database of another program")
      }
      guard isNew || version == Self.version else {
        throw JournalError.damaged(
          "it has version \(version), and this program reads version \(Self.version)")
      }
      return isNew
    }

    /// Checks that a file is a journal, and makes a new one a journal.
    private static func prepare(_ db: Database) throws {
      let isNew = try check(db)
      guard try String.fetchOne(db, sql: "PRAGMA journal_mode = WAL") == "wal" else {
        throw JournalError.unavailable("its file system takes no write-ahead log")
      }
      try db.execute(
        sql: """
          PRAGMA synchronous = FULL;
          PRAGMA journal_size_limit = 16777216;
          """)
      // Also for a file that is not new, so that one that cannot be written is refused before anybody is served.
      try db.inTransaction(.immediate) {
        if isNew { try db.execute(sql: tables) }
        return .commit
      }
    }

    private static let tables = """
      PRAGMA application_id = \(applicationID);
      PRAGMA user_version = \(version);
      CREATE TABLE entries (
        position INTEGER PRIMARY KEY, time TEXT NOT NULL, sender TEXT, input TEXT NOT NULL
      ) STRICT;
      CREATE TABLE checkpoints (
        id INTEGER PRIMARY KEY, position INTEGER NOT NULL UNIQUE
      ) STRICT;
      CREATE TABLE pieces (
        checkpoint INTEGER NOT NULL, part TEXT NOT NULL, number INTEGER NOT NULL,
        content BLOB NOT NULL, PRIMARY KEY (checkpoint, part, number)
      ) STRICT, WITHOUT ROWID;
      """

    public func append(_ entries: [Entry]) throws(JournalError) {
      try transaction { db in
        let statement = try db.cachedStatement(
          sql: "INSERT INTO entries (position, time, sender, input) VALUES (?, ?, ?, ?)")
        for entry in entries {
          try statement.execute(arguments: [
            entry.position, entry.time.description, entry.by?.rawValue.string,
            String(decoding: entry.input.canonicalBytes(), as: UTF8.self),
          ])
        }
      }
    }

    public func entries(after position: Int, limit: Int) throws(JournalError) -> [Entry] {
      try transaction { db in
        try Row.fetchAll(
          db,
          sql: """
            SELECT position, time, sender, input FROM entries
            WHERE position > ? ORDER BY position LIMIT ?
            """, arguments: [position, limit]
        ).map(Self.entry)
      }
    }

    private static func entry(_ row: Row) throws -> Entry {
      let position: Int = row["position"]
      guard let time = Timestamp(row["time"] as String) else {
        throw JournalError.damaged("entry \(position) has no time")
      }
      let sender: String? = row["sender"]
      return Entry(
        position: position, time: time, by: sender.map { Owner(rawValue: Text($0)) },
        input: try json(Array((row["input"] as String).utf8), of: "entry \(position)"))
    }

    public func checkpoint() throws(JournalError) -> Checkpoint? {
      try transaction { db in
        let oldest = try Row.fetchOne(
          db, sql: "SELECT id, position FROM checkpoints ORDER BY position LIMIT 1")
        guard let oldest
        else {
          guard try Int.fetchOne(db, sql: "SELECT count(*) FROM entries") == 0 else {
            throw JournalError.damaged("it has entries and no checkpoint")
          }
          return nil
        }
        var parts: [Text: [UInt8]] = [:]
        let pieces = try Row.fetchCursor(
          db, sql: "SELECT part, content FROM pieces WHERE checkpoint = ? ORDER BY part, number",
          arguments: [oldest["id"] as Int])
        while let piece = try pieces.next() {
          parts[Text(piece["part"] as String), default: []] += piece["content"] as Data
        }
        return Checkpoint(
          position: oldest["position"],
          parts: try parts.reduce(into: [:]) { read, part in
            read[part.key] = try Self.json(part.value, of: "the part \(part.key) of the checkpoint")
          })
      }
    }

    public func write(_ checkpoint: Checkpoint) throws(JournalError) {
      // A piece of a checkpoint that was not finished may have the number.
      try removeLoosePieces()
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
          sql: "INSERT OR REPLACE INTO checkpoints VALUES (?, ?)",
          arguments: [id, checkpoint.position])
      }
    }

    private func removeLoosePieces() throws(JournalError) {
      try transaction { db in
        try db.execute(
          sql: "DELETE FROM pieces WHERE checkpoint NOT IN (SELECT id FROM checkpoints)")
      }
    }

    public func trim(to position: Int) throws(JournalError) {
      try transaction { db in
        try db.execute(
          sql: "DELETE FROM checkpoints WHERE position < ?", arguments: [position])
      }
      try removeLoosePieces()
      // Oldest first, so that there is no gap if the process ends meanwhile.
      while let first = try transaction({ db in
        try Int.fetchOne(
          db, sql: "SELECT min(position) FROM entries WHERE position <= ?", arguments: [position])
      }) {
        try transaction { db in
          try db.execute(
            sql: "DELETE FROM entries WHERE position < ? AND position <= ?",
            arguments: [first + Self.removedCount, position])
        }
      }
    }

    private func transaction<Result>(
      _ work: (Database) throws -> Result
    ) throws(JournalError) -> Result {
      do {
        return try database.write(work)
      } catch {
        throw JournalError(error, of: path)
      }
    }

    private static func json(_ bytes: [UInt8], of place: String) throws(JournalError) -> JSONValue {
      do throws(JSONParseError) {
        return try JSONValue(parsing: bytes, limits: JSONLimits(maximumDepth: 512))
      } catch {
        throw .damaged("\(place) is no JSON: \(error.message) (at byte \(error.offset))")
      }
    }
  }

  extension JournalError {
    /// Names the file of an error.
    init(_ error: any Error, of path: String) {
      switch error {
      case JournalError.damaged(let reason): self = .damaged("\(path): \(reason)")
      case JournalError.unavailable(let reason): self = .unavailable("\(path): \(reason)")
      case DatabaseError.SQLITE_NOTADB: self = .damaged("\(path): it is no journal")
      case DatabaseError.SQLITE_CORRUPT: self = .damaged("\(path): it is damaged")
      case DatabaseError.SQLITE_BUSY: self = .unavailable("\(path): another process uses it")
      default:
        self = .unavailable("\(path): \((error as? DatabaseError)?.message ?? "\(error)")")
      }
    }
  }
#endif
