import Foundation
import ViewDelta

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The todos of a SQLite file, as a screen and over REST, and the holidays of a JSON API.
public struct TodoFeature: Feature {
  let file: String
  let holidays: String

  /// - Parameters:
  ///   - file: The path of the SQLite file.
  ///   - holidays: The address of a JSON array of holidays.
  public init(file: String, holidays: String) {
    (self.file, self.holidays) = (file, holidays)
  }

  public func register(in application: inout ApplicationBuilder) throws {
    let (file, address) = (try TodoFile(file), holidays)
    let screen = TodoList(
      todos: Source(every: .seconds(1)) { list in try await file.todos(of: list) },
      holidays: Source { _ in try await Self.holidays(at: address) },
      write: { list, change in
        switch change {
        case .add(let id, let title, let due):
          _ = try await file.add(title, due: due, to: list, once: id)
        case .finish(let id): try await file.finish(id, of: list)
        }
      })
    application.add(screen, keys: .only(TodoList.lists))
    application.addTask("tidy up") {
      while true {
        let monthAgo = Timestamp.now().advanced(by: .seconds(-30 * 24 * 3600))
        try await file.removeDone(dueBefore: monthAgo)
        try await Task.sleep(for: .seconds(3600))
      }
    }
    Self.addEndpoints(of: file, to: &application)
  }

  private static func holidays(at address: String) async throws -> [Holiday] {
    guard let url = URL(string: address) else { throw LoadFailure.unavailable }
    let (data, response) = try await URLSession.shared.data(from: url)
    guard (response as? HTTPURLResponse)?.statusCode == 200 else { throw LoadFailure.unavailable }
    return try JSONDecoder().decode([Holiday].self, from: data)
  }

  /// The JSON of a todo, and of a body that adds one.
  private static let (todo, newTodo) = (
    ValueType.object(Todo(id: 0, title: ""), Todo.fields).schema
      .mergePatched(with: ["properties": ["id": ["type": "integer"]]]),
    ValueType.object(Todo(id: 0, title: ""), Todo.fields.filter { $0.name != "isDone" }).inputSchema
  )

  /// Describes a route with the status and the JSON of its reply, and the JSON of its body.
  private static func operation(
    _ summary: JSONValue, _ status: Text, _ schema: JSONValue? = nil, body: JSONValue? = nil
  ) -> JSONValue {
    func content(_ schema: JSONValue?) -> JSONValue {
      schema.map { ["content": ["application/json": ["schema": $0]]] } ?? [:]
    }
    return [
      "summary": summary, "tags": ["Todos"],
      "requestBody": body.map { content($0).mergePatched(with: ["required": true]) } ?? nil,
      "responses": [status: content(schema).mergePatched(with: ["description": summary])],
    ]
  }

  /// Adds `/todos/{list}` and `/todos/{list}/{id}`, with their description.
  private static func addEndpoints(of file: TodoFile, to application: inout ApplicationBuilder) {
    application.document([
      "tags": [["name": "Todos"]],
      "problems": [
        "404": [
          "unknown-list": "There is no list of this name.",
          "unknown-todo": "The list has no todo of this id.",
        ],
        "503": ["database": "The file cannot be read or written."],
      ],
    ])
    application.on(
      .get, "/todos/{list}",
      operation("The todos of a list", "200", ["type": "array", "items": todo])
    ) { request async throws(ProblemDetails) in
      let list = try list(request)
      return .json(try await read { try JSONValue(encoding: await file.todos(of: list)) })
    }
    application.on(
      .post, "/todos/{list}", operation("Add a todo", "201", todo, body: newTodo)
    ) { request async throws(ProblemDetails) in
      let list = try list(request)
      let body = try request.json()
      var todo = Todo(id: 0, title: "")
      do throws(JSONShapeError) {
        try body.rejectUnknownMembers(allowed: ["title", "due"])
        for field in Todo.fields where field.name != "isDone" { try field.read(body, into: &todo) }
      } catch {
        throw ProblemDetails(error)
      }
      let (title, due) = (todo.title, todo.due)
      let added = try await read {
        try JSONValue(encoding: await file.add(title, due: due, to: list))
      }
      return .json(added, status: .created)
    }
    application.on(
      .delete, "/todos/{list}/{id}", operation("Remove a todo", "204")
    ) { request async throws(ProblemDetails) in
      let list = try list(request)
      let id = request.parameters["id"].flatMap { Int($0) }
      guard let id, try await read({ try await file.remove(id, from: list) }) else {
        throw ProblemDetails(
          status: .notFound, code: "unknown-todo", detail: "the list has no todo of this id")
      }
      return Response(status: .noContent)
    }
  }

  /// Answers 404 if there is no such list.
  private static func list(_ request: Request) throws(ProblemDetails) -> Text {
    guard let list = TodoList.lists.first(where: { $0.string == request.parameters["list"] }) else {
      throw ProblemDetails(
        status: .notFound, code: "unknown-list", detail: "there is no list of this name")
    }
    return list
  }

  /// Answers 503 if the file cannot be read or written.
  private static func read<Value>(
    _ body: () async throws -> Value
  ) async throws(ProblemDetails) -> Value {
    do { return try await body() } catch {
      throw ProblemDetails(
        status: .serviceUnavailable, code: "database", detail: "the database is not available")
    }
  }
}
