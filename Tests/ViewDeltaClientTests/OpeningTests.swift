import CanonicalJSON
import Snapshots
import Testing

@testable import ViewDeltaClient

@Suite("The opening command of a screen that an app follows", .timeLimit(.minutes(5)))
struct OpeningTests {
  let server = ScriptedServer()

  private static let description: JSONValue = [
    "name": "list", "opening": "appear", "opens": ["items"],
  ]
  private static let accepted: JSONValue = ["accepted": true, "revision": "2"]
  private static let path = "GET /v1/view-models/list"
  private static let command = #"POST /v1/view-models/list/1/commands {"type":"appear"}"#

  /// The description of the screen, and the reply to its opening command.
  private func open() {
    server.reply(body: Self.description)
    server.reply(202, [:], body: Self.accepted)
  }

  @Test("is sent after a whole view model that was never loaded")
  func opening() async throws {
    let (new, loading) = (
      try ConnectionTests.list("a", state: "notRequested"),
      try ConnectionTests.list("a", state: "isLoading")
    )
    server.reply(body: ConnectionTests.whole(new, "1"))
    open()
    server.reply(body: ConnectionTests.diff(new, loading, "1", "2"))
    // The server has lost all, and does not take commands now; the view model is followed meanwhile.
    server.reply(body: ConnectionTests.whole(new, "9", kind: .reset(reason: "epoch-changed")))
    server.reply(body: Self.description)
    server.reply(503, [.retryAfter: "3"])
    server.unchanged("9")
    server.unchanged("9")
    open()
    let updates = await server.updates()
    #expect(updates.count == 3)
    let posts = server.requests.indices.filter { server.requests[$0].hasPrefix("POST") }
    #expect(posts == [2, 6, 10] && posts.allSatisfy { server.requests[$0] == Self.command })
  }

  @Test("is not sent if no source that it loads is new, or the screen has none")
  func noOpening() async throws {
    let new = try ConnectionTests.list("a", state: "notRequested")
    for description: JSONValue in [
      ["name": "list", "opening": "appear", "opens": ["others"]], ["name": "list"],
    ] {
      let server = ScriptedServer()
      server.reply(body: ConnectionTests.whole(new, "1"))
      server.reply(body: description)
      server.unchanged("1")
      #expect(await server.updates().count == 1)
      #expect(server.requests.count { $0 == "GET /v1/view-models/list" } == 1)
      #expect(server.requests.allSatisfy { $0.hasPrefix("GET") })
    }
  }

  @Test("is sent again soon if it gets no answer, also while nothing changes")
  func again() async throws {
    server.reply(body: ConnectionTests.whole(try ConnectionTests.list(state: "notRequested"), "1"))
    server.reply(body: Self.description)
    server.noReply()
    server.unchanged("1")
    server.reply(body: Self.description)
    server.reply(503, [.retryAfter: "3"])
    for _ in 1...2 { server.unchanged("1") }
    // A proxy has no server for a moment.
    server.reply(404)
    server.unchanged("1")
    open()
    #expect(await server.updates().count == 1)
    let opening = [Self.path, Self.command]
    func poll(_ wait: Int) -> String { "\(Self.path)/1/diff?since=1&wait=\(wait)" }
    // A poll takes two seconds here, however long the server may wait.
    #expect(
      server.requests == ["\(Self.path)/1"] + opening + [poll(1)] + opening
        + [poll(4), poll(2), Self.path, poll(2)] + opening + [poll(20)])
  }

  @Test(
    "is sent again after what may pass, for the revision of that time",
    arguments: [(500, "screen-failed"), (412, "precondition-failed"), (400, nil), (403, nil)]
      as [(Int, Text?)])
  func refusals(status: Int, code: Text?) async throws {
    server.reply(body: ConnectionTests.whole(try ConnectionTests.list(state: "notRequested"), "1"))
    server.reply(body: Self.description)
    server.reply(status, [:], body: code.map { ["code": .string($0)] } ?? [:])
    server.unchanged("2")
    open()
    _ = await server.updates()
    #expect(server.requests.indices.filter { server.requests[$0] == Self.command } == [2, 5])
    #expect(server.matches == [#""1""#, #""2""#])
  }

  @Test("is sent for any revision if a change that cannot be seen came first three times in turn")
  func outrun() async throws {
    // Longer than any pause, so that there is one poll before each command.
    server.pollTime = .seconds(60)
    server.reply(body: ConnectionTests.whole(try ConnectionTests.list(state: "notRequested"), "1"))
    for number in 2...4 {
      server.reply(body: Self.description)
      server.reply(412, [:], body: ["code": "precondition-failed"])
      server.unchanged("\(number)")
    }
    open()
    _ = await server.updates()
    #expect(server.matches == [#""1""#, #""2""#, #""3""#, nil])
  }

  @Test("is not sent again after a snapshot in place of a change that leaves a source new")
  func snapshot() async throws {
    server.reply(body: ConnectionTests.whole(try ConnectionTests.list(state: "notRequested"), "1"))
    open()
    let other = try ConnectionTests.list("a", state: "notRequested")
    server.reply(body: ConnectionTests.whole(other, "2"))
    server.unchanged("2")
    #expect(await server.updates().count == 2)
    #expect(server.matches == [#""1""#])
  }

  @Test("is not sent again if the server itself refuses it", arguments: [422, 404, 409])
  func refusal(status: Int) async throws {
    server.reply(body: ConnectionTests.whole(try ConnectionTests.list(state: "notRequested"), "1"))
    server.reply(body: Self.description)
    server.reply(status, [:], body: ["code": "unknown-command"])
    for _ in 1...3 { server.unchanged("1") }
    _ = await server.updates()
    #expect(server.requests.count { $0 == Self.command } == 1)
  }

  @Test("is asked for again if the page of a network answers in its place")
  func page() async throws {
    server.reply(body: ConnectionTests.whole(try ConnectionTests.list(state: "notRequested"), "1"))
    for page: JSONValue in [["login": "https://example.com"], ["name": "Wi-Fi"]] {
      server.reply(body: page)
      server.unchanged("1")
    }
    // It loads all sources if it does not name them.
    server.reply(body: ["name": "list", "opening": "appear"])
    server.reply(202, [:], body: Self.accepted)
    _ = await server.updates()
    #expect(server.requests.count { $0 == Self.path } == 3)
    #expect(server.requests.count { $0 == Self.command } == 1)
  }

  @Test("waits until a poll has told the revision of a server that may have been started anew")
  func doubt() async throws {
    let new = ConnectionTests.whole(try ConnectionTests.list(state: "notRequested"), "1")
    server.unchanged("other.0")
    server.reply(body: Self.description)
    server.noReply()
    server.noReply()
    server.unchanged("third.0")
    open()
    _ = await server.updates(from: try Replica(document: new))
    #expect(server.requests.indices.filter { server.requests[$0] == Self.command } == [2, 6])
    #expect(server.matches == [#""other.0""#, #""third.0""#])
  }

  @Test("is sent again to a server that was started anew and has changed since")
  func changedSince() async throws {
    let new = try ConnectionTests.list("a", state: "notRequested")
    let more = try ConnectionTests.list("a", "b", state: "notRequested")
    server.reply(body: ConnectionTests.whole(new, "1"))
    open()
    server.noReply()
    // It knows the content, from which a change leads to its own.
    server.reply(body: ConnectionTests.diff(new, more, "1", "other.2"))
    open()
    _ = await server.updates()
    #expect(server.matches == [#""1""#, #""other.2""#])
  }

  @Test("is sent again to a server that was started anew with the same content, and to no other")
  func restarted() async throws {
    server.reply(body: ConnectionTests.whole(try ConnectionTests.list(state: "notRequested"), "1"))
    open()
    server.noReply()
    server.unchanged("1")
    // A change that is not visible has another revision, too.
    server.unchanged("2")
    server.noReply()
    server.unchanged("other.0")
    open()
    _ = await server.updates()
    #expect(server.requests.indices.filter { server.requests[$0] == Self.command } == [2, 9])
  }

  @Test("is asked for again if the server refuses it, because another build may have come since")
  func otherBuild() async throws {
    // Longer than any pause, so that there is one poll before each command.
    server.pollTime = .seconds(60)
    server.reply(body: ConnectionTests.whole(try ConnectionTests.list(state: "notRequested"), "1"))
    func refuse(_ later: JSONValue) {
      server.reply(422, [:], body: ["code": "invalid-command"])
      server.reply(body: later)
    }
    let other: JSONValue = ["name": "list", "opening": "load", "opens": ["items"]]
    server.reply(body: Self.description)
    refuse(other)
    server.unchanged("1")
    // This one is still named after its refusal, so it is not sent again.
    server.reply(body: other)
    refuse(other)
    for _ in 1...2 { server.unchanged("1") }
    _ = await server.updates()
    let posts = server.requests.filter { $0.hasPrefix("POST") }
    #expect(posts == [Self.command, Self.command.replacing("appear", with: "load")])
    #expect(server.requests.count { $0 == Self.path } == 4)
  }
}
