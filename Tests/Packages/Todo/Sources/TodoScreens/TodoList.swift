import ViewDelta

/// A day on which there is no work.
public struct Holiday: Codable, Equatable, Sendable {
  public let date: Text
  public let name: Text

  public init(date: Text, name: Text) { (self.date, self.name) = (date, name) }
}

/// The todos of a list, and the holidays beside them.
public struct TodoList: Screen {
  /// What a command writes back.
  public enum Change: Codable, Equatable, Sendable {
    /// By the id the file adds the todo once if the change is written again.
    case add(id: Text, Text, due: Timestamp?)
    case finish(Int)

    /// Shows what the change does to the todos. One that is added has no id before it is written.
    func apply(to todos: inout [Todo]) {
      guard case .finish(let id) = self, let index = todos.firstIndex(where: { $0.id == id })
      else { return }
      todos[index].isDone = true
    }
  }

  public struct State: ScreenState {
    var todos = LoadState<[Todo]>()
    var holidays = LoadState<[Holiday]>()
    var changes = SaveState<Change>()

    public init() {}
  }

  public static let name: Text = "todos"
  public static let keyName = "list"
  public static let summary = "The todos of a list, and holidays."

  let todos: Source<[Todo]>
  let holidays: Source<[Holiday]>
  let write: @Sendable (_ list: Text, Change) async throws -> Void

  public init(
    todos: Source<[Todo]>, holidays: Source<[Holiday]>,
    write: @escaping @Sendable (_ list: Text, Change) async throws -> Void
  ) {
    (self.todos, self.holidays, self.write) = (todos, holidays, write)
  }

  /// The keys. The todos of other keys are not loaded each second.
  public static let lists: [Text] = ["home", "work"]

  public func initialState(
    for list: Text, in stores: Stores
  ) throws(ScreenLookupError) -> State {
    guard Self.lists.contains(list) else { throw .unknownKey }
    return State()
  }

  public static let add = Command(
    "add", "Adds a todo.", .text("title", 1...200), .value("due", of: Timestamp?.self),
    writing: { (state: inout State, transaction, title, due) in
      try state.changes.save(.add(id: transaction.inputID, title, due: due))
    })
  public static let finish = Command("finish", "Ticks a todo off.", .integer("todo")) {
    (state: inout State, id) in
    guard state.todos.loadable.value?.contains(where: { $0.id == id }) == true else {
      throw Refusal.unknown("todo", id)
    }
    try state.changes.save(.finish(id))
  }

  public var commands: [AnyCommand<State>] {
    Self.add
    Self.finish
  }

  public static let todo = RowType("todo", of: Todo.self, "Something to do.") {
    Todo.fields
    Action(finish, "Done", if: { !$0.isDone }) { $0.id }
  }
  public static let holiday = RowType("holiday", of: Holiday.self, "A day without work.") {
    Field("date", \.date)
    Field("name", \.name)
  }

  public static let loading = RowType(text: "loading", "Data is loaded for the first time.")

  public var rowTypes: [RowTypeDescriptor] {
    Self.todo
    Self.holiday
    Self.loading
  }

  public var parts: [any ScreenPart<State>] {
    [
      Loading(
        "todos", \.todos, from: todos,
        showing: { state, todos in state.changes.pending.reduce(into: todos) { $1.apply(to: &$0) } }
      ) { todos, isLoading in
        if let todos {
          ForEach(todos, as: Self.todo) { "todo/\($0.id)" }
        } else if isLoading {
          Self.loading("todos/loading", "Loading the todos…")
        }
      },
      Loading("holidays", \.holidays, from: holidays) { holidays, _ in
        if let holidays { ForEach(holidays, as: Self.holiday) { "holiday/\($0.date)" } }
      },
      Saving(
        "changes", \.changes, to: write,
        failure: { change in
          switch change {
          case .add(_, let title, _): "Couldn't add “\(title)”."
          case .finish(let id): "Couldn't tick todo \(id) off."
          }
        }
      ) { state, _, change in
        state.todos.change { change.apply(to: &$0) }
      },
    ]
  }

  /// A change that waits no longer was written, or discarded although it may have been written.
  public func changed(_ state: inout State, from before: State) {
    if state.changes.pending.count < before.changes.pending.count { state.todos.reload() }
  }

  /// The failure of the file.
  static let failure = LoadFailure(
    code: "database", message: "The file cannot be read or written.")
  public var failures: [LoadFailure] { [Self.failure] }
}
