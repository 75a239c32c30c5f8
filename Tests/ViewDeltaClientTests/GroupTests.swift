import CanonicalJSON
import HTTPTypes
import Snapshots
import TestSupport
import Testing

@testable import ViewDeltaClient

@Suite("A group of view models that an app follows", .timeLimit(.minutes(5)))
struct GroupTests {
  let server = ScriptedServer()

  static let (list, board): (Text, Text) = ("list/1", "board/1")
  static let both: Set<Text> = [list, board]

  static func whole(
    _ name: Text, _ snapshot: Snapshot, _ revision: Text, kind: Snapshot.DocumentKind = .snapshot
  ) throws -> JSONValue {
    try JSONValue(parsing: snapshot.encoded(kind: kind, screen: name, revision: revision))
  }

  static func diff(
    _ name: Text, _ old: Snapshot, _ new: Snapshot, _ from: Text, _ to: Text
  ) throws -> JSONValue {
    try JSONValue(
      parsing: new.difference(from: old).encoded(screen: name, from: from, revision: to))
  }

  static func problem(_ status: Int, _ code: Text) -> JSONValue {
    ["kind": "problem", "status": .integer(status), "code": .string(code), "title": "No"]
  }

  /// The reply with both view models as they are.
  func replyBoth(_ list: Snapshot, _ board: Snapshot) throws {
    let documents = [
      Self.list: try Self.whole(Self.list, list, "l1"),
      Self.board: try Self.whole(Self.board, board, "b1"),
    ]
    server.reply(documents, revisions: "b1,l1")
  }

  /// What happened in each step, by the order of the names.
  static func text(_ updates: [[Text: ViewModelUpdate]]) -> [[String]] {
    updates.map { step in
      step.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value.summary)" }
    }
  }

  @Test("is asked for in one request, and gives what has changed together in one step")
  func changes() async throws {
    let (a, ab) = (try ConnectionTests.list("a"), try ConnectionTests.list("a", "b"))
    try replyBoth(a, ab)
    server.reply(
      [
        Self.list: try Self.diff(Self.list, a, ab, "l1", "l2"),
        Self.board: try Self.diff(Self.board, ab, a, "b1", "b2"),
      ], revisions: "b2,l2")
    // A change that nobody sees gives the content a newer name, alone or with a change of the other one.
    server.unchanged("b3,l3")
    server.reply([Self.list: try Self.diff(Self.list, ab, a, "l3", "l4")], revisions: "b4,l4")
    let updates = await server.all(server.group(of: Self.both).updates())
    #expect(
      Self.text(updates) == [
        [
          #"board/1 b1: ["a", "b"] after 2 operations"#, #"list/1 l1: ["a"] after 2 operations"#,
        ],
        [
          #"board/1 b2: ["a"] after 1 operations"#, #"list/1 l2: ["a", "b"] after 1 operations"#,
        ],
        [#"list/1 l4: ["a"] after 1 operations"#],
      ])
    func poll(_ board: String, _ list: String) -> String {
      #"POST /v1/sync {"screens":{"board/1":{"since":"\#(board)"},"list/1":{"since":"\#(list)"}},"wait":20}"#
    }
    #expect(
      server.requests == [
        #"POST /v1/sync {"screens":{"board/1":{},"list/1":{}}}"#, poll("b1", "l1"),
        poll("b2", "l2"), poll("b3", "l3"), poll("b4", "l4"),
      ])
  }

  @Test("goes on from the replicas of before, and gets another one beside them")
  func replicas() async throws {
    let (a, ab) = (try ConnectionTests.list("a"), try ConnectionTests.list("a", "b"))
    let replica = try Replica(
      document: a.encoded(kind: .snapshot, screen: Self.list, revision: "1"))
    server.reply(
      [
        Self.list: try Self.whole(Self.list, ab, "2", kind: .reset(reason: "epoch-changed")),
        Self.board: try Self.whole(Self.board, a, "7"),
      ], revisions: "7,2")
    let updates = await server.all(
      server.group(of: Self.both).updates(from: [Self.list: replica, "list/2": replica]))
    #expect(
      Self.text(updates) == [
        [
          #"board/1 7: ["a"] after 2 operations"#, #"list/1 2: ["a", "b"] after 1 operations"#,
        ]
      ])
    #expect(
      server.requests.first
        == #"POST /v1/sync {"screens":{"board/1":{},"list/1":{"have":"\#(ContentHash(of: a))","since":"1"}}}"#
    )
  }

  @Test("is told once that the replicas of before are up to date, and then of an outage")
  func upToDate() async throws {
    let replica = try Replica(
      document: try ConnectionTests.list("a").encoded(
        kind: .snapshot, screen: Self.list, revision: "1"))
    for _ in 1...2 { server.unchanged("1") }
    server.noReply()
    server.unchanged("1")
    let updates = await server.all(
      server.group(of: [Self.list]).updates(from: [Self.list: replica]))
    #expect(
      Self.text(updates) == [
        ["list/1 resumed"], ["list/1 interrupted: there is no reply: NoReply()"],
        ["list/1 resumed"],
      ])
  }

  @Test("is told of an outage once, and of its end together with what has changed meanwhile")
  func outage() async throws {
    let (a, ab) = (try ConnectionTests.list("a"), try ConnectionTests.list("a", "b"))
    try replyBoth(a, a)
    server.noReply(2)
    server.reply(503, [.retryAfter: "7"])
    server.reply([Self.list: try Self.diff(Self.list, a, ab, "l1", "l2")], revisions: "b9,l2")
    server.unchanged("b9,l2")
    let updates = await server.all(server.group(of: Self.both).updates())
    #expect(
      Self.text(updates.suffix(2)) == [
        [
          "board/1 interrupted: there is no reply: NoReply()",
          "list/1 interrupted: there is no reply: NoReply()",
        ],
        ["board/1 resumed", #"list/1 l2: ["a", "b"] after 1 operations"#],
      ])
    #expect(server.pauses == [0.5, 1, 7.5].map { .seconds($0) })
    #expect(
      server.requests.map { $0.contains("have") } == [false, false, true, true, true, false, false])
    #expect(
      server.requests.map { $0.contains("wait") } == [false, true, false, false, false, true, true])
  }

  @Test("gets the opening command of the view model that was never loaded")
  func opening() async throws {
    let (new, a) = (
      try ConnectionTests.list("a", state: "notRequested"), try ConnectionTests.list("a")
    )
    try replyBoth(new, a)
    server.reply(body: ["name": "list", "opening": "appear", "opens": ["items"]])
    server.reply(503, [.retryAfter: "3"])
    server.unchanged("b1,l1")
    server.unchanged("b1,l1")
    server.reply(body: ["name": "list", "opening": "appear", "opens": ["items"]])
    server.reply(202, [:], body: ["accepted": true, "revision": "l2"])
    let updates = await server.all(server.group(of: Self.both).updates())
    #expect(updates.count == 1)
    let command = #"POST /v1/view-models/list/1/commands {"type":"appear"}"#
    #expect(server.requests.indices.filter { server.requests[$0] == command } == [2, 6])
    #expect(server.requests.count { $0 == "GET /v1/view-models/list" } == 2)
  }

  @Test("sends commands to its view models")
  func commands() async throws {
    server.reply(200, [:], body: ["accepted": true, "revision": "l2"])
    try await server.group(of: Self.both)[Self.list].send(["type": "add"])
    #expect(server.requests == [#"POST /v1/view-models/list/1/commands {"type":"add"}"#])
  }
}
