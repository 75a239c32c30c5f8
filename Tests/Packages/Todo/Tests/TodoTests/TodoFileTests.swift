import CSQLite
import Foundation
import Testing
import TodoScreens
import ViewDelta

@Suite("The file of the todos")
struct TodoFileTests {
  /// Runs a test with a file of its own.
  private func withFile(_ body: (TodoFile, _ path: String) async throws -> Void) async throws {
    let path = FileManager.default.temporaryDirectory
      .appending(path: "todos-\(UUID().uuidString).sqlite").path()
    defer { try? FileManager.default.removeItem(atPath: path) }
    try await body(TodoFile(path), path)
  }

  @Test("has a todo once if its change is written twice, also by a later run of the program")
  func addTwice() async throws {
    try await withFile { file, path in
      let first = try await file.add("Buy milk", due: nil, to: "home", once: "1")
      #expect(try await file.add("Buy milk", due: nil, to: "home", once: "1") == first)
      let later = try TodoFile(path)
      #expect(try await later.add("Buy milk", due: nil, to: "home", once: "1") == first)
      #expect(try await file.todos(of: "home") == [first])
      _ = try await file.add("Buy milk", due: nil, to: "home", once: "2")
      _ = try await file.add("Buy milk", due: nil, to: "work", once: "3")
      _ = try await file.add("Buy milk", due: nil, to: "home")
      _ = try await file.add("Buy milk", due: nil, to: "home")
      #expect(try await file.todos(of: "home").count == 4)
      #expect(try await file.todos(of: "work").count == 1)
    }
  }

  @Test("keeps each text as it is, a null character too")
  func texts() async throws {
    try await withFile { file, _ in
      for title in ["a\u{0}b", "\u{0}", "Ä🌳", "'; DROP TABLE todo; --"] as [Text] {
        let added = try await file.add(title, due: nil, to: "home")
        #expect(try await file.todos(of: "home").last == added && added.title == title)
      }
    }
  }

  @Test("lets other tasks run while it waits for the lock of another program")
  func locked() async throws {
    try await withFile { file, path in
      var database: OpaquePointer?
      defer { sqlite3_close_v2(database) }
      try #require(sqlite3_open(path, &database) == SQLITE_OK)
      try #require(sqlite3_exec(database, "BEGIN EXCLUSIVE", nil, nil, nil) == SQLITE_OK)
      // More than there are threads in Swift's pool.
      let count = 4 * ProcessInfo.processInfo.activeProcessorCount
      try await withThrowingTaskGroup { group in
        for number in 1...count {
          group.addTask { _ = try await file.add("\(number)", due: nil, to: "home") }
        }
        // This task gets its thread back only if none of the others holds it until its deadline.
        for _ in 1...count { await Task.yield() }
        try #require(sqlite3_exec(database, "COMMIT", nil, nil, nil) == SQLITE_OK)
        try await group.waitForAll()
      }
      #expect(try await file.todos(of: "home").count == count)
    }
  }
}
