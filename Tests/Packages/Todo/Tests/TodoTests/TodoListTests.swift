import Testing
import TodoScreens
import ViewDeltaTesting

@Suite("The todos of a list")
struct TodoListTests {
  private let milk = Todo(id: 1, title: "Buy milk", due: Timestamp("2026-03-01T09:30:00Z"))
  private let letters = Todo(id: 2, title: "Write letters")

  /// A list whose sources are never called: the tests answer.
  private func list(_ key: Text = "home") throws -> TestViewModel<TodoList> {
    struct NotCalled: Error {}
    return try TestViewModel(
      TodoList(
        todos: Source(every: .seconds(1)) { _ in throw NotCalled() },
        holidays: Source { _ in throw NotCalled() },
        write: { _, _ in throw NotCalled() }),
      key: key)
  }

  private func row(_ todo: Todo) -> Row { TodoList.todo.row("todo/\(todo.id)", todo) }

  @Test("shows todos and holidays, each as soon as it is there")
  func opens() async throws {
    let list = try list()
    #expect(
      list.states == ["todos": "notRequested", "holidays": "notRequested", "changes": "loaded"])
    try await list.open()
    #expect(list.waiting == ["holidays", "todos"])
    #expect(list.rows == [TodoList.loading.row("todos/loading", "Loading the todos…")])

    try list.answer("todos", with: [milk, letters])
    #expect(list.rows == [row(milk), row(letters)])
    try list.answer("holidays", with: [Holiday(date: "2026-04-03", name: "Good Friday")])
    #expect(list.rows(in: "holidays").map(\.id) == ["holiday/2026-04-03"])
  }

  @Test("keeps the todos if the holidays fail, and gets the holidays with a retry")
  func holidaysFail() async throws {
    let list = try list()
    try await list.open()
    try list.answer("todos", with: [milk])
    try list.fail("holidays")
    #expect(list.rows(in: "todos") == [row(milk)])
    #expect(list.rows(in: "holidays").map(\.fields["code"]) == ["unavailable"])

    try await list.tap("holidays/error")
    try list.answer("holidays", with: [Holiday]())
    #expect(list.states["holidays"] == "loaded" && list.rows == [row(milk)])
  }

  @Test("gives the holidays up after ten seconds")
  func holidaysHang() async throws {
    let list = try list()
    try await list.open()
    list.advance(by: .seconds(10))
    #expect(list.rows(in: "holidays").map(\.fields["code"]) == ["timed-out"])
    #expect(list.waiting.isEmpty)
  }

  @Test("shows each second what another program has written to the file")
  func changedFromOutside() async throws {
    let list = try list()
    try await list.open()
    try list.answer("todos", with: [milk])
    list.advance(by: .seconds(1))
    #expect(list.states["todos"] == "loaded")
    try list.answer("todos", with: [milk, letters])
    #expect(list.rows(in: "todos") == [row(milk), row(letters)])
  }

  @Test("writes a new todo back, and loads it")
  func add() async throws {
    let list = try list()
    try await list.open()
    try list.answer("todos", with: [Todo]())
    try await list.send(TodoList.add, "Buy milk", milk.due)
    #expect(list.states["changes"] == "isLoading")
    let change = try list.request(of: "changes", as: TodoList.Change.self)
    guard case .add(_, "Buy milk", milk.due) = change else {
      Issue.record("\(change as Any)")
      return
    }

    try list.answer("changes")
    try list.answer("todos", with: [milk])
    #expect(list.states["changes"] == "loaded" && list.rows(in: "todos") == [row(milk)])
  }

  @Test("shows a todo as done at once, and as it was if the user discards that")
  func showsChanges() async throws {
    let list = try list()
    try await list.open()
    try list.answer("todos", with: [milk, letters])
    var done = milk
    done.isDone = true
    try await list.tap("todo/1")
    #expect(list.rows(in: "todos") == [row(done), row(letters)])
    try list.answer("changes")
    #expect(list.rows(in: "todos") == [row(done), row(letters)])
    try list.answer("todos", with: [done, letters])

    try await list.tap("todo/2")
    try list.fail("changes")
    #expect(list.rows(in: "todos").map(\.fields["isDone"]) == [true, true])
    try await list.tap("changes/error", "Discard")
    #expect(list.rows(in: "todos") == [row(done), row(letters)])
  }

  @Test("loads the todos after a change that was discarded, which may have been written")
  func discarded() async throws {
    let list = try list()
    try await list.open()
    try list.answer("todos", with: [letters])
    try await list.tap("todo/2")
    list.advance(by: .seconds(10))
    #expect(list.rows(in: "changes").map(\.fields["code"]) == ["timed-out"])
    try await list.tap("changes/error", "Discard")
    #expect(list.states["todos"] == "isLoading" && list.rows(in: "todos") == [row(letters)])
    var done = letters
    done.isDone = true
    try list.answer("todos", with: [done])
    #expect(list.rows(in: "todos") == [row(done)])
  }

  @Test("writes changes one after the other, and goes on where it failed")
  func saveFails() async throws {
    let list = try list()
    try await list.open()
    try list.answer("todos", with: [milk, letters])
    try await list.tap("todo/1")
    try await list.tap("todo/2")
    try list.fail("changes", with: LoadFailure(code: "database", message: "It is locked."))
    #expect(list.rows(in: "changes").map(\.fields["code"]) == ["database"])
    #expect(list.rows(in: "changes").map(\.fields["text"]) == ["Couldn't tick todo 1 off."])
    #expect(list.rows(in: "changes").map(\.fields["detail"]) == ["It is locked."])
    #expect(list.waiting == ["holidays"])

    try await list.tap("changes/error")
    #expect(try list.request(of: "changes") == TodoList.Change.finish(1))
    try list.answer("changes")
    #expect(try list.request(of: "changes") == TodoList.Change.finish(2))
    try list.fail("changes")
    try await list.tap("changes/error", "Discard")
    #expect(list.states["changes"] == "loaded" && list.rows(in: "changes").isEmpty)
  }

  @Test(
    "writes a todo again under the id that it had if the file fails, and the next under another")
  func addAgain() async throws {
    let list = try list()
    try await list.open()
    try await list.send(TodoList.add, "Buy milk", nil)
    try await list.send(TodoList.add, "Buy milk", nil)
    func change() throws -> TodoList.Change? { try list.request(of: "changes") }
    let first = try change()
    try list.fail("changes")
    try await list.tap("changes/error")
    #expect(try change() == first && first != nil)
    try list.answer("changes")
    #expect(try change() != first && change() != nil)
  }

  @Test("has no screens but those of its lists")
  func keys() throws {
    #expect(throws: ScreenLookupError.unknownKey) { _ = try self.list("garden") }
  }

  @Test("refuses what makes no sense, and changes nothing")
  func refusals() async throws {
    let list = try list()
    try await list.open()
    try list.answer("todos", with: [milk])
    let before = list.snapshot
    await #expect(throws: Refusal.unknown("todo", 7)) { try await list.send(TodoList.finish, 7) }
    await #expect(throws: Refusal.self) { try await list.send(TodoList.add, "", nil) }
    await #expect(throws: Refusal.self) { try await list.send(["type": "eat"]) }
    #expect(list.snapshot == before)
  }
}
