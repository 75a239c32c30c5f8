#if SQLite
  import Foundation
  import GRDB
  import Glibc
  import ViewState

  /// Opens the SQLite files of journals.
  enum JournalFile {
    /// `PRAGMA application_id` of the files: `VDJ1` in ASCII.
    private static let applicationID = 0x5644_4A31
    /// `PRAGMA user_version` of the files, which increases when the tables or the form of their content change.
    private static let version = 3

    /// Opens a journal for a server, or creates an empty one if there is no file.
    ///
    /// - Returns: The file, its lock, and whether the file existed already, but had no data.
    static func open(
      _ path: String
    ) throws(JournalError) -> (DatabaseQueue, lock: FileHandle, wasEmpty: Bool) {
      let isNew = try !isFile(path)
      try checkLogs(of: realPath(path))
      if isNew { try createFile(path) }
      // SQLite takes a file of one byte for an empty one.
      if byteCount(of: path) == 1 { throw .damaged("\(path): it is not a journal") }
      let lock = try lock(path)
      do {
        let database = try DatabaseQueue(path: realPath(path), configuration: configuration)
        let isEmpty = try database.inDatabase { db in
          try prepare(db)
          return try Int.fetchOne(db, sql: "SELECT count(*) FROM checkpoints") == 0
        }
        return (database, lock, isEmpty && !isNew)
      } catch {
        let error = JournalError(error, of: path)
        // Nothing is left beside a file of another program.
        if case .damaged = error { try? FileManager.default.removeItem(atPath: lockPath(path)) }
        throw error
      }
    }

    /// Opens a journal to read it.
    static func reader(of path: String) throws(JournalError) -> DatabaseQueue {
      guard try isFile(path) else { throw .unavailable("\(path): the file does not exist") }
      try checkLogs(of: realPath(path))
      var configuration = configuration
      configuration.readonly = true
      configuration.allowsUnsafeTransactions = true
      do {
        let database = try DatabaseQueue(path: realPath(path), configuration: configuration)
        if try database.inDatabase(check) { throw JournalError.damaged("it is empty") }
        return database
      } catch {
        throw JournalError(error, of: path)
      }
    }

    /// Returns whether there is a file at a path.
    static func isFile(_ path: String) throws(JournalError) -> Bool {
      if path.isEmpty { throw .unavailable("the path is empty") }
      var status = stat()
      guard stat(path, &status) == 0 else {
        // A folder that the user may not search hides whether the file is there.
        if errno == EACCES { throw .unavailable("\(path): \(systemReason)") }
        return false
      }
      // The open of a pipe would wait for a writer.
      switch status.st_mode & S_IFMT {
      case S_IFREG: return true
      case S_IFDIR: throw .unavailable("\(path): it is a directory")
      default: throw .unavailable("\(path): it is not a file")
      }
    }

    /// Checks that SQLite removes no file beside this one. It would remove the log of one that is missing or empty, even
    /// to read it, and the log may have the last changes of a journal that was moved. It would also remove a database,
    /// such as a copy, whose name is that of the log of a transaction.
    static func checkLogs(of path: String) throws(JournalError) {
      let other = "\(path)-journal"
      let head = try? FileHandle(forReadingAtPath: other)?.read(upToCount: 6)
      if head == Data("SQLite".utf8) {
        throw .unavailable("\(other): SQLite would remove it as a log of \(path); rename it")
      }
      // An empty log, which a server leaves, is of no harm.
      guard byteCount(of: path) == 0, byteCount(of: "\(path)-wal") > 0 else { return }
      throw .unavailable(
        "\(path)-wal: it is left over from another journal of this name; move it along with that one, "
          + "or remove it")
    }

    /// Returns the size of a file in bytes; 0 if there is none. It does not open the file, because the close would end
    /// the locks that this process has on it already (fcntl(2)).
    private static func byteCount(of path: String) -> Int {
      var status = stat()
      return stat(path, &status) == 0 ? Int(status.st_size) : 0
    }

    /// Creates an empty file that only its owner may read, unless another process has created it by now: that one may
    /// use it already.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - name: The path that an error names, if it is another one.
    static func createFile(_ path: String, for name: String? = nil) throws(JournalError) {
      let descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
      if descriptor < 0 {
        throw .unavailable("\(name ?? path): it cannot be created: \(systemReason)")
      }
      close(descriptor)
    }

    /// The reason of the system for which the last call has failed, such as `Permission denied`.
    private static var systemReason: String { String(cString: strerror(errno)) }

    /// The absolute path of a file, whatever links lead to it; of a missing one, the path to which the last link leads.
    /// SQLite takes a relative one that begins with `file:` for an address, and Foundation removes `..` before it follows
    /// links, which leads to another folder.
    static func realPath(_ path: String) -> String {
      guard let real = realpath(path, nil) else {
        // Links in a circle lead nowhere.
        guard errno == ENOENT,
          let next = try? FileManager.default.destinationOfSymbolicLink(atPath: path)
        else { return path }
        let slash = UInt8(ascii: "/")
        let folder = next.utf8.first == slash ? nil : path.utf8.lastIndex(of: slash)
        return realPath((folder.map { path[...$0] } ?? "") + next)
      }
      defer { free(real) }
      return String(cString: real)
    }

    private static func lockPath(_ path: String) -> String { "\(realPath(path))-lock" }

    /// Takes the lock of servers, which ends with the process. It is no lock of SQLite, which would keep readers out.
    private static func lock(_ path: String) throws(JournalError) -> FileHandle {
      let file = lockPath(path)
      if try !isFile(file) { try createFile(file) }
      let descriptor = Glibc.open(file, O_RDWR | O_CLOEXEC)
      if descriptor < 0 { throw .unavailable("\(file): it cannot be opened: \(systemReason)") }
      let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
      guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
        throw .unavailable("\(path): another process uses it")
      }
      return handle
    }

    private static var configuration: Configuration {
      var configuration = Configuration()
      configuration.label = "viewdelta.sqlite"
      // Somebody else may write for a moment, such as `sqlite3`. Shorter than a write may take, so that its sender learns
      // that nothing is recorded, also if a piece of a checkpoint waits before it.
      configuration.busyMode = .timeout(2)
      return configuration
    }

    /// Checks that a file is a journal.
    ///
    /// - Returns: Whether it is an empty file.
    private static func check(_ db: Database) throws -> Bool {
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
        throw JournalError.unavailable("its file system does not support a write-ahead log")
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
        position INTEGER PRIMARY KEY, time TEXT NOT NULL, input TEXT NOT NULL
      ) STRICT;
      CREATE TABLE checkpoints (
        id INTEGER PRIMARY KEY, position INTEGER NOT NULL UNIQUE, time TEXT NOT NULL
      ) STRICT;
      CREATE TABLE pieces (
        checkpoint INTEGER NOT NULL, part TEXT NOT NULL, number INTEGER NOT NULL,
        content BLOB NOT NULL, PRIMARY KEY (checkpoint, part, number)
      ) STRICT, WITHOUT ROWID;
      CREATE TABLE notes (name TEXT PRIMARY KEY, content TEXT NOT NULL) STRICT;
      """
  }

  extension JournalError {
    /// Names the file of an error.
    init(_ error: any Error, of path: String) {
      let reason = errno
      var message = (error as? DatabaseError)?.message ?? "\(error)"
      // SQLite says only `disk I/O error`, and does not keep the reason for which a commit has failed.
      if case DatabaseError.SQLITE_IOERR = error, [EDQUOT, EFBIG, EIO, EROFS].contains(reason) {
        message += " (\(String(cString: strerror(reason))))"
      }
      switch error {
      case JournalError.damaged(let reason): self = .damaged("\(path): \(reason)")
      case JournalError.unavailable(let reason): self = .unavailable("\(path): \(reason)")
      case DatabaseError.SQLITE_NOTADB: self = .damaged("\(path): it is not a journal")
      case DatabaseError.SQLITE_CORRUPT, is RowDecodingError:
        self = .damaged("\(path): it is damaged")
      case DatabaseError.SQLITE_BUSY: self = .unavailable("\(path): another process uses it")
      case DatabaseError.SQLITE_CONSTRAINT_PRIMARYKEY:
        self = .unavailable(
          "\(path): another server has recorded changes in it, so its lock file was removed; stop this server"
        )
      case DatabaseError.SQLITE_CANTOPEN, DatabaseError.SQLITE_READONLY:
        self = .unavailable(
          "\(path): \(message); the user of the process must be able to write it, its folder and "
            + "the files beside it, \(path)-wal and \(path)-shm")
      case is DatabaseError where message.hasPrefix("no such table"):
        self = .damaged("\(path): \(message)")
      default: self = .unavailable("\(path): \(message)")
      }
    }
  }
#endif
