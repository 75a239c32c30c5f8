import CanonicalJSON
import HTTPTypes
import Snapshots
import TestSupport
import Testing

@testable import ViewDeltaClient

/// What a group does if the server cannot show a view model, or replies with what does not fit.
extension GroupTests {
  @Test("goes on if one does not exist, is deleted or fails, and ends with the last one")
  func problems() async throws {
    let (a, ab) = (try ConnectionTests.list("a"), try ConnectionTests.list("a", "b"))
    server.reply(
      [
        Self.list: try Self.whole(Self.list, a, "l1"),
        Self.board: try Self.whole(Self.board, a, "b1"),
        "none/1": Self.problem(404, "unknown-screen"),
      ], revisions: "b1,l1,unknown-screen")
    server.reply([Self.board: Self.problem(500, "screen-failed")], revisions: "screen-failed,l2")
    server.reply(
      [Self.list: try Self.diff(Self.list, a, ab, "l2", "l3")], revisions: "screen-failed,l3")
    server.reply(
      [
        Self.list: Self.problem(410, "key-deleted"),
        Self.board: try Self.whole(Self.board, ab, "b5", kind: .reset(reason: "epoch-changed")),
      ], revisions: "b5,key-deleted")
    server.reply([Self.board: Self.problem(403, "forbidden")], revisions: "forbidden")
    server.unchanged("")
    let updates = await server.all(
      server.group(of: Self.both.union(["none/1"])).updates())
    #expect(
      Self.text(updates) == [
        [
          #"board/1 b1: ["a"] after 2 operations"#, #"list/1 l1: ["a"] after 2 operations"#,
          "none/1 ended with 404 unknown-screen",
        ],
        ["board/1 interrupted: the server refuses with 500: screen-failed"],
        [#"list/1 l3: ["a", "b"] after 1 operations"#],
        [
          #"board/1 b5: ["a", "b"] after 1 operations"#, "list/1 ended with 410 key-deleted",
        ],
        ["board/1 ended with 403 forbidden"],
      ])
    #expect(
      server.requests.dropFirst() == [
        #"POST /v1/sync {"screens":{"board/1":{"since":"b1"},"list/1":{"since":"l1"}},"wait":20}"#,
        #"POST /v1/sync {"screens":{"board/1":{"since":"screen-failed"},"list/1":{"since":"l2"}},"wait":20}"#,
        #"POST /v1/sync {"screens":{"board/1":{"since":"screen-failed"},"list/1":{"since":"l3"}},"wait":20}"#,
        #"POST /v1/sync {"screens":{"board/1":{"since":"b5"}},"wait":20}"#,
      ])
    #expect(server.pauses.isEmpty)
  }

  @Test("is told that the server fails for all while one has failed, and of nothing twice")
  func failedInOutage() async throws {
    let a = try ConnectionTests.list("a")
    server.reply(
      [
        Self.list: try Self.whole(Self.list, a, "l1"),
        Self.board: Self.problem(500, "screen-failed"),
      ],
      revisions: "screen-failed,l1")
    server.noReply()
    server.unchanged("screen-failed,l1")
    let updates = await server.all(server.group(of: Self.both).updates())
    #expect(
      Self.text(updates).dropFirst() == [
        ["list/1 interrupted: there is no reply: NoReply()"], ["list/1 resumed"],
      ])
  }

  @Test("takes changes that come together only together, also if one of them does not fit")
  func divergence() async throws {
    let (a, ab) = (try ConnectionTests.list("a"), try ConnectionTests.list("a", "b"))
    try replyBoth(a, a)
    server.reply(
      [
        Self.list: try Self.diff(Self.list, a, ab, "l1", "l2"),
        Self.board: try Self.diff(Self.board, ab, a, "b1", "b2"),
      ], revisions: "b2,l2")
    server.reply(
      [
        Self.list: try Self.diff(Self.list, a, ab, "l1", "l2"),
        Self.board: try Self.whole(Self.board, ab, "b2"),
      ], revisions: "b2,l2")
    let updates = await server.all(server.group(of: Self.both).updates())
    #expect(
      Self.text(updates.suffix(1)) == [
        [
          #"board/1 b2: ["a", "b"] after 1 operations"#,
          #"list/1 l2: ["a", "b"] after 1 operations"#,
        ]
      ])
    #expect(updates.count == 2)
    #expect(
      server.requests[2]
        == #"POST /v1/sync {"screens":{"board/1":{},"list/1":{"since":"l1"}},"wait":20}"#)
  }

  @Test("goes on if the app cannot read one, which is asked for again once it has changed")
  func unreadable() async throws {
    let (a, ab) = (try ConnectionTests.list("a"), try ConnectionTests.list("a", "b"))
    let strange: JSONValue = ["kind": "page", "screen": "board/1", "revision": "b"]
    let first = try Self.whole(Self.list, a, "l1")
    server.reply([Self.list: first, Self.board: strange], revisions: "b1,l1")
    server.reply([Self.list: try Self.diff(Self.list, a, ab, "l1", "l2")], revisions: "b1,l2")
    server.reply([Self.board: try Self.diff(Self.board, a, ab, "b1", "b2")], revisions: "b2,l2")
    server.reply([Self.board: strange], revisions: "b2,l2")
    server.reply([Self.board: try Self.diff(Self.board, a, ab, "b2", "b3")], revisions: "b3,l2")
    server.reply([Self.board: try Self.whole(Self.board, ab, "b3")], revisions: "b3,l2")
    let updates = await server.all(server.group(of: Self.both).updates())
    let strangeKind = ReplicaError.unexpectedShape(
      JSONShapeError(
        pointer: JSONPointer(tokens: ["screens", Self.board, "kind"]),
        message: #"expected "snapshot", "reset" or "diff""#))
    #expect(
      Self.text(updates) == [
        [
          "board/1 interrupted: \(ConnectionError.unexpected(Text("\(strangeKind)")))",
          #"list/1 l1: ["a"] after 2 operations"#,
        ],
        [#"list/1 l2: ["a", "b"] after 1 operations"#],
        [#"board/1 b3: ["a", "b"] after 2 operations"#],
      ])
    func poll(_ board: String, _ list: String) -> String {
      #"POST /v1/sync {"screens":{"board/1":{\#(board)},"list/1":{"since":"\#(list)"}},"wait":20}"#
    }
    #expect(
      server.requests.dropFirst() == [
        poll(#""since":"b1""#, "l1"), poll(#""since":"b1""#, "l2"), poll("", "l2"),
        poll(#""since":"b2""#, "l2"), poll("", "l2"), poll(#""since":"b3""#, "l2"),
      ])
    #expect(server.pauses.isEmpty)
  }

  @Test("is interrupted by a reply that is not one of ViewDelta, and keeps what it has")
  func strangers() async throws {
    let a = try ConnectionTests.list("a")
    server.reply([Self.list: try Self.whole(Self.list, a, "l1")], revisions: "l1")
    server.reply(body: Array("<html>Please log in".utf8))
    server.reply(200, [.viewRevision: "l1"], body: Array("<html>Please log in".utf8))
    server.unchanged("b1,l1")
    server.unchanged("l1")
    let updates = await server.all(server.group(of: [Self.list]).updates())
    #expect(updates.count == 3)
    guard case .interrupted(.unexpected)? = updates[1][Self.list] else {
      Issue.record("\(Self.text(updates))")
      return
    }
    #expect(Self.text(updates).last == ["list/1 resumed"])
    #expect(server.pauses == [0.5, 1, 2].map { .seconds($0) })
  }

  @Test("is interrupted by a reply without a view model that the app does not have yet")
  func lacking() async throws {
    let a = try ConnectionTests.list("a")
    server.reply([Self.board: try Self.whole(Self.board, a, "b1")], revisions: "b1,l1")
    server.unchanged("b1,l1")
    try replyBoth(a, a)
    let updates = await server.all(server.group(of: Self.both).updates())
    let steps = Self.text(updates)
    let lack = "interrupted: the reply is not one of ViewDelta: it lacks list/1"
    #expect(
      steps == [
        ["board/1 \(lack)", "list/1 \(lack)"],
        [#"board/1 b1: ["a"] after 2 operations"#, #"list/1 l1: ["a"] after 2 operations"#],
      ])
    #expect(server.pauses == [0.5, 1].map { .seconds($0) })
  }

  @Test("ends at once if the server refuses the request for good, and if it has no view models")
  func refusal() async throws {
    server.reply(422, [:], body: ["code": "bad-member", "pointer": "/screens"])
    let updates = await server.all(server.group(of: Self.both).updates())
    #expect(
      Self.text(updates) == [
        ["board/1 ended with 422 bad-member", "list/1 ended with 422 bad-member"]
      ])
    #expect(await server.all(server.group(of: []).updates()).isEmpty)
    #expect(server.requests.count == 1)
  }
}
