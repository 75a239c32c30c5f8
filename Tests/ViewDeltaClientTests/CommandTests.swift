import CanonicalJSON
import HTTPTypes
import Snapshots
import Synchronization
import Testing

@testable import ViewDeltaClient

@Suite("A command that an app sends", .timeLimit(.minutes(5)))
struct CommandTests {
  let server = ScriptedServer()

  @Test("is sent again under its key until there is a reply")
  func commands() async throws {
    server.noReply()
    server.reply(503, [.retryAfter: "2"])
    server.reply(408)
    server.reply(522)
    server.reply(202, [:], body: ["accepted": true, "revision": "7", "details": ["ignored": 1]])
    let reply = try await server.connection().send(["type": "add", "name": "é"])
    #expect(reply.isAccepted && reply.revision == "7" && reply.details == ["ignored": 1])
    #expect(
      server.requests
        == Array(
          repeating: #"POST /v1/view-models/list/1/commands {"name":"é","type":"add"}"#, count: 5))
    #expect(Set(server.keys).count == 1 && server.keys.first??.isEmpty == false)
    server.reply(202, [:], body: ["accepted": true, "revision": "7"])
    try await server.connection().send(["type": "add"])
    #expect(Set(server.keys).count == 2, "another command has another key")
  }

  @Test("is given up after its patience, and at once if the server refuses it")
  func patience() async throws {
    server.noReply(99)
    await #expect(throws: ConnectionError.self) {
      try await server.connection().send(["type": "add"], patience: .seconds(20))
    }
    #expect(server.requests.count == 5)
    // A machine that sleeps in a pause wakes up after the end.
    server.inPause { [server] in server.pass(.seconds(20)) }
    await #expect(throws: ConnectionError.self) {
      try await server.connection().send(["type": "add"], patience: .seconds(20))
    }
    #expect(server.requests.count == 6)
    let other = ScriptedServer()
    other.reply(422, [:], body: ["code": "bad-argument", "detail": "too long", "pointer": "/name"])
    let error = await #expect(throws: ConnectionError.self) {
      try await other.connection().send(["type": "add", "name": "x"], at: "3")
    }
    guard case .refused(let problem)? = error else { return }
    #expect(problem.pointer == "/name" && other.requests.count == 1)
  }

  typealias Answer = (status: Int, code: Text?)

  /// Returns the error of a command that gets the replies in turn; no reply for `nil`.
  private func failure(after replies: [Answer?]) async throws -> String {
    let server = ScriptedServer()
    for reply in replies {
      guard let reply else {
        server.noReply()
        continue
      }
      server.reply(reply.status, [:], body: reply.code.map { ["code": .string($0)] } ?? [:])
    }
    server.noReply(9)
    let error = await #expect(throws: ConnectionError.self) {
      let patience = Duration.seconds(replies.count * 2)
      try await server.connection().send(["type": "add"], patience: patience)
    }
    return try #require(error).description
  }

  @Test(
    "is not called refused if something else than the server refuses it after a reply was lost",
    arguments: [nil, (504, nil), (503, "unconfirmed")] as [Answer?],
    [(403, nil), (500, nil), (429, "too-many-waiting"), (503, "overloaded")] as [Answer])
  func undecided(lost: Answer?, later: Answer) async throws {
    let error = try await failure(after: [lost, later])
    // A proxy that fails does not say either whether the command was executed.
    let expected =
      later.status == 500
      ? "500" : lost.map { "\($0.status): \($0.code ?? "no reason")" } ?? "there is no reply"
    #expect(error.contains(expected), "\(error)")
  }

  @Test(
    "has the answer of the server itself after a reply was lost",
    arguments: [nil, (504, nil), (503, "unconfirmed")] as [Answer?],
    [(422, "invalid-command"), (500, "screen-failed")] as [(Int, Text)])
  func decided(lost: Answer?, later: (status: Int, code: Text)) async throws {
    let error = try await failure(after: [lost, (later.status, later.code)])
    #expect(error == "the server refuses with \(later.status): \(later.code)")
  }

  @Test("is called refused if only busy servers and proxies have refused it")
  func refusedByProxy() async throws {
    let error = try await failure(after: [(429, "too-many-waiting"), (403, nil)])
    #expect(error == "the server refuses with 403: no reason")
  }

  @Test("is sent again at once when a loop gets an answer again")
  func wokenCommand() async throws {
    let connection = server.connection()
    var updates = connection.updates().makeAsyncIterator()
    server.noReply()
    #expect(await updates.next() != nil)
    server.noReply(2)
    server.reply(body: ConnectionTests.whole(try ConnectionTests.list("a"), "1"))
    server.reply(202, [:], body: ["accepted": true, "revision": "2"])
    let followed = Mutex(updates)
    server.inPause {}
    server.inPause {
      var updates = followed.withLock { $0 }
      _ = await updates.next()
    }
    try await connection.send(["type": "add"])
    #expect(server.requests.count == 5)
    #expect(server.cutPauses == [.seconds(1)])
  }

  @Test("is that of an action of a row")
  func actions() throws {
    func action(_ title: Text) -> JSONValue {
      ["title": .string(title), "command": ["type": "act"]]
    }
    func titles(_ fields: [Text: JSONValue]) -> [Text] {
      let actions = Row(id: "a", type: "t", fields: fields).actions
      #expect(actions.allSatisfy { $0.command == ["type": "act"] })
      return actions.map(\.title)
    }
    #expect(titles([:]).isEmpty)
    #expect(titles(["action": action("Buy")]) == ["Buy"])
    let more: JSONValue = [action("Move"), ["title": "Later"], action("Delete")]
    #expect(titles(["action": action("Buy"), "moreActions": more]) == ["Buy", "Move", "Delete"])
    #expect(titles(["action": ["title": "Buy"], "moreActions": 1]).isEmpty)
  }

  @Test("enters a value into the field of a row, and there is none for other rows")
  func entering() {
    func command(_ change: JSONValue?) -> JSONValue? {
      Row(id: "a", type: "t", fields: change.map { ["change": $0] } ?? [:])
        .command(entering: "Ada")
    }
    #expect(
      command(["argument": "text", "command": ["type": "enter", "row": "name"]])
        == ["type": "enter", "row": "name", "text": "Ada"])
    for change in [
      nil, 1, [:], ["argument": "value"], ["command": ["type": "enter"]],
      ["argument": 1, "command": ["type": "enter"]], ["argument": "value", "command": "enter"],
    ] as [JSONValue?] {
      #expect(command(change) == nil)
    }
  }
}
