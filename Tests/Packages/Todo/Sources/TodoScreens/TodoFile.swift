import CSQLite
import Dispatch
import Foundation
import ViewDelta

/// Something to do.
public struct Todo: Codable, Equatable, Sendable {
  public let id: Int
  public var title: Text
  public var due: Timestamp?
  public var isDone: Bool

  public init(id: Int, title: Text, due: Timestamp? = nil, isDone: Bool = false) {
    (self.id, self.title, self.due, self.isDone) = (id, title, due, isDone)
  }

  /// The members of a todo over HTTP and in its row.
  public static let fields = [
    Field("title", \Todo.title, .text(1...200)), Field("due", \Todo.due),
    Field("isDone", \Todo.isDone),
  ]
}

/// The SQLite file with the todos of all lists.
///
/// Each call opens the file anew, so that it can be replaced while the server runs.
public struct TodoFile: Sendable {
  let path: String
  /// SQLite waits for the locks of other programs. It does so here, because a thread of Swift's own pool must
  /// not wait: while all of them do, no task of the program runs.
  private let queue = DispatchQueue(label: "todos")

  /// Opens the file, which is created if there is none.
  public init(_ path: String) throws {
    self.path = path
    _ = try execute(
      """
      CREATE TABLE IF NOT EXISTS todo (
        id INTEGER PRIMARY KEY AUTOINCREMENT, list TEXT NOT NULL, title TEXT NOT NULL, due TEXT,
        isDone INTEGER NOT NULL DEFAULT 0, change TEXT UNIQUE)
      """)
  }

  /// The todos of a list: those with a date first, by their dates.
  public func todos(of list: Text) async throws -> [Todo] {
    try await run(
      "SELECT id, title, due, isDone FROM todo WHERE list = ? ORDER BY due IS NULL, due, id",
      [list.string]
    ).map { row in
      Todo(
        id: Int(row[0] ?? "") ?? 0, title: Text(row[1] ?? ""),
        due: row[2].flatMap { Timestamp($0) },
        isDone: row[3] == "1")
    }
  }

  /// Adds a todo, and returns it with its id.
  ///
  /// - Parameter change: The id of the change; a change that was written before adds nothing. Without an id each
  ///   call adds a todo.
  public func add(
    _ title: Text, due: Timestamp?, to list: Text, once change: Text? = nil
  ) async throws -> Todo {
    let rows = try await run(
      """
      INSERT INTO todo (list, title, due, change) VALUES (?, ?, ?, ?)
      ON CONFLICT (change) DO UPDATE SET change = change RETURNING id
      """,
      [
        list.string, title.string, due?.description, change?.string,
      ])
    return Todo(id: Int(rows.first?[0] ?? "") ?? 0, title: title, due: due)
  }

  /// Ticks a todo off; `false` if there is no such todo.
  @discardableResult
  public func finish(_ id: Int, of list: Text) async throws -> Bool {
    try await !run(
      "UPDATE todo SET isDone = 1 WHERE id = ? AND list = ? RETURNING id",
      [String(id), list.string]
    ).isEmpty
  }

  /// Removes a todo; `false` if there is no such todo.
  public func remove(_ id: Int, from list: Text) async throws -> Bool {
    try await !run(
      "DELETE FROM todo WHERE id = ? AND list = ? RETURNING id", [String(id), list.string]
    ).isEmpty
  }

  /// Removes what is done and was due before a time, from all lists.
  public func removeDone(dueBefore time: Timestamp) async throws {
    _ = try await run("DELETE FROM todo WHERE isDone = 1 AND due < ?", [time.description])
  }

  /// Runs a statement on the queue, after those before it, and returns its rows.
  private func run(_ statement: String, _ arguments: [String?]) async throws -> [[String?]] {
    try await withCheckedThrowingContinuation { continuation in
      queue.async { continuation.resume(with: Result { try execute(statement, arguments) }) }
    }
  }

  /// Runs a statement, and returns its rows.
  private func execute(_ statement: String, _ arguments: [String?] = []) throws -> [[String?]] {
    var database: OpaquePointer?
    defer { sqlite3_close_v2(database) }
    guard sqlite3_open(path, &database) == SQLITE_OK else { throw error(database) }
    // Another process may be writing.
    sqlite3_busy_timeout(database, 5000)
    var prepared: OpaquePointer?
    defer { sqlite3_finalize(prepared) }
    guard sqlite3_prepare_v2(database, statement, -1, &prepared, nil) == SQLITE_OK else {
      throw error(database)
    }
    // SQLite copies each text before the call returns: this is SQLITE_TRANSIENT, a macro with a cast.
    let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    for (index, argument) in arguments.enumerated() {
      guard let argument else { continue }
      // With the number of bytes, because a text may contain U+0000.
      let count = Int32(argument.utf8.count)
      sqlite3_bind_text(prepared, Int32(index + 1), argument, count, transient)
    }
    var rows: [[String?]] = []
    while true {
      switch sqlite3_step(prepared) {
      case SQLITE_ROW:
        rows.append(
          (0..<sqlite3_column_count(prepared)).map { column in
            sqlite3_column_text(prepared, column).map { bytes in
              let count = Int(sqlite3_column_bytes(prepared, column))
              return String(
                decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
            }
          })
      case SQLITE_DONE: return rows
      default: throw error(database)
      }
    }
  }

  private func error(_ database: OpaquePointer?) -> LoadFailure {
    TodoList.failure.because(String(cString: sqlite3_errmsg(database)))
  }
}
