import CanonicalJSON
import HTTPTypes
import Snapshots
import TestSupport
import Testing

@testable import ViewDeltaClient

@Suite("A window of a view model that an app follows", .timeLimit(.minutes(5)))
struct WindowTests {
  let server = ScriptedServer()
  let connection: ViewModelConnection

  init() {
    connection = server.connection()
  }

  private static func window(_ start: Int, _ count: Int) -> RowWindow {
    RowWindow(start: start, count: count)!
  }

  /// The rows `r0` to `r9`, or others, as they are seen through a window.
  private static func seen(_ start: Int, _ count: Int, of ids: [Text] = all) throws -> Snapshot {
    try Snapshot(
      states: ["items": "loaded"],
      sections: [Section(id: "s", rows: ids.map { Row(id: $0, type: "t") })]
    ).seen(through: window(start, count))
  }

  private static let all = (0..<10).map { Text("r\($0)") }

  private func summary(_ updates: [ViewModelUpdate]) -> [String] {
    updates.map { update in
      guard case .changed(let replica, _) = update, let window = replica.snapshot.window else {
        return update.summary
      }
      return "\(window.rows.start),\(window.rows.count) of \(window.total) at \(update.summary)"
    }
  }

  private static let path = "GET /v1/view-models/list/1"

  @Test("has its rows alone, and is scrolled by a diff, which ends a poll that waits")
  func scroll() async throws {
    let (first, next) = (try Self.seen(0, 3), try Self.seen(2, 3))
    connection.scroll(to: Self.window(0, 3))
    server.reply(body: ConnectionTests.whole(first, "1"))
    server.unchanged("2")
    server.noReply()
    server.lastReply { [connection] in connection.scroll(to: Self.window(2, 3)) }
    server.reply(body: ConnectionTests.diff(first, next, "2", "2"))
    let later = try Self.seen(2, 3, of: Array(Self.all.dropFirst(6)))
    server.reply(body: ConnectionTests.diff(next, later, "2", "3"))
    let updates = await server.all(connection.updates())
    #expect(
      summary(updates) == [
        #"0,3 of 10 at 1: ["r0", "r1", "r2"] after 2 operations"#,
        #"2,3 of 10 at 2: ["r2", "r3", "r4"] after 4 operations"#,
        #"2,3 of 4 at 3: ["r8", "r9"] after 5 operations"#,
      ])
    #expect(
      server.requests == [
        "\(Self.path)?window=0,3",
        "\(Self.path)/diff?since=1&wait=20&window=0,3",
        "\(Self.path)/diff?since=2&wait=20&window=0,3",
        "\(Self.path)/diff?since=2&wait=20&window=0,3&next=2,3",
        "\(Self.path)/diff?since=2&wait=20&window=2,3",
        "\(Self.path)/diff?since=3&wait=20&window=2,3",
      ])
    #expect(server.pauses.isEmpty)
  }

  @Test("never ends a request that is answered at once, and scrolls to the last window after it")
  func twice() async throws {
    let (first, second, last) = (try Self.seen(0, 3), try Self.seen(2, 3), try Self.seen(7, 3))
    server.reply(body: ConnectionTests.whole(first, "1"))
    server.lastReply { [connection] in
      connection.scroll(to: Self.window(1, 3))
      connection.scroll(to: Self.window(2, 3))
    }
    server.reply(body: ConnectionTests.diff(first, second, "1", "1"))
    server.lastReply { [connection] in
      for start in 5...7 { connection.scroll(to: Self.window(start, 3)) }
    }
    server.reply(body: ConnectionTests.diff(second, last, "1", "2"))
    connection.scroll(to: Self.window(0, 3))
    let updates = await server.all(connection.updates())
    #expect(
      summary(updates) == [
        #"0,3 of 10 at 1: ["r0", "r1", "r2"] after 2 operations"#,
        #"2,3 of 10 at 1: ["r2", "r3", "r4"] after 4 operations"#,
        #"7,3 of 10 at 2: ["r7", "r8", "r9"] after 6 operations"#,
      ])
    #expect(
      server.requests.dropFirst() == [
        "\(Self.path)/diff?since=1&wait=20&window=0,3&next=2,3",
        "\(Self.path)/diff?since=1&wait=20&window=2,3&next=7,3",
        "\(Self.path)/diff?since=2&wait=20&window=7,3",
      ])
  }

  @Test("is told of no outage by a scroll away and back, or to where it is")
  func back() async throws {
    server.reply(body: ConnectionTests.whole(try Self.seen(0, 3), "1"))
    server.noReply()
    server.lastReply { [connection] in
      connection.scroll(to: Self.window(0, 3))
      connection.scroll(to: Self.window(5, 3))
      connection.scroll(to: Self.window(0, 3))
    }
    server.unchanged("1")
    server.lastReply { [connection] in connection.scroll(to: Self.window(0, 3)) }
    connection.scroll(to: Self.window(0, 3))
    #expect(await server.all(connection.updates()).count == 1)
    #expect(
      server.requests.dropFirst().allSatisfy {
        $0 == "\(Self.path)/diff?since=1&wait=20&window=0,3"
      })
    #expect(server.requests.count == 4 && server.pauses.isEmpty)
  }

  @Test("scrolls at once in the pause after a poll that a server ends early, not after a failure")
  func pauses() async throws {
    server.pollTime = .zero
    let (first, next) = (try Self.seen(0, 3), try Self.seen(2, 3))
    server.reply(body: ConnectionTests.whole(first, "1"))
    server.unchanged("1")
    server.inPause { [connection] in connection.scroll(to: Self.window(1, 3)) }
    server.noReply()
    server.inPause { [connection] in connection.scroll(to: Self.window(2, 3)) }
    server.reply(body: ConnectionTests.diff(first, next, "1", "2"))
    connection.scroll(to: Self.window(0, 3))
    let updates = await server.all(connection.updates())
    #expect(
      summary(updates).dropFirst() == [
        "interrupted: there is no reply: NoReply()",
        #"2,3 of 10 at 2: ["r2", "r3", "r4"] after 4 operations"#,
      ])
    #expect(server.pauses == [.seconds(1), .seconds(0.5)])
    #expect(server.cutPauses == [.seconds(1)])
    // A window has no hash.
    #expect(server.requests[3] == "\(Self.path)/diff?since=1&window=0,3&next=2,3")
  }

  @Test("goes on in the new one if the server was started anew while it scrolls")
  func restart() async throws {
    server.reply(body: ConnectionTests.whole(try Self.seen(0, 3), "1"))
    server.lastReply { [connection] in connection.scroll(to: Self.window(7, 3)) }
    server.noReply()
    let other = try Self.seen(7, 3, of: Self.all.reversed())
    server.reply(body: ConnectionTests.whole(other, "x", kind: .reset(reason: "epoch-changed")))
    connection.scroll(to: Self.window(0, 3))
    let updates = await server.all(connection.updates())
    #expect(summary(updates).last == #"7,3 of 10 at x: ["r2", "r1", "r0"] after 2 operations"#)
    #expect(
      server.requests.suffix(2) == [
        "\(Self.path)/diff?since=1&window=0,3&next=7,3",
        "\(Self.path)/diff?since=x&wait=20&window=7,3",
      ])
  }

  @Test("is fetched anew if a document has another one, or another number of rows than it")
  func misfits() async throws {
    let (first, next) = (try Self.seen(0, 3), try Self.seen(2, 3))
    func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
    let diff = text(ConnectionTests.diff(first, next, "1", "1"))
    let whole = text(ConnectionTests.whole(next, "1"))
    let all = try Snapshot(
      states: ["items": "loaded"],
      sections: [Section(id: "s", rows: Self.all.map { Row(id: $0, type: "t") })])
    let wrong: [(String, String)] = [
      (diff, "the document has the window 2,3 instead of the window 4,3"),
      (whole, "the document has the window 2,3 instead of the window 4,3"),
      (
        text(ConnectionTests.whole(all, "1")), "the document has all rows instead of the window 4,3"
      ),
      (
        diff.replacing(#""count":3,"start":2"#, with: #""count":4,"start":2"#),
        "the document has 3 rows instead of 4"
      ),
      (
        whole.replacing(#""total":10"#, with: #""total":3"#),
        "the document has 3 rows instead of 1"
      ),
    ]
    for (document, reason) in wrong {
      let server = ScriptedServer()
      let connection = server.connection()
      server.reply(body: ConnectionTests.whole(first, "1"))
      server.lastReply { connection.scroll(to: Self.window(4, 3)) }
      for _ in 1...2 { server.reply(body: Array(document.utf8)) }
      server.reply(body: ConnectionTests.whole(try Self.seen(4, 3), "1"))
      connection.scroll(to: Self.window(0, 3))
      let updates = await server.all(connection.updates())
      #expect(updates.count == 3)
      #expect(updates[1].summary.contains(reason), "\(updates[1].summary)")
      #expect(summary(updates).last == #"4,3 of 10 at 1: ["r4", "r5", "r6"] after 6 operations"#)
      #expect(
        server.requests[1...3] == [
          "\(Self.path)/diff?since=1&wait=20&window=0,3&next=4,3",
          "\(Self.path)?window=4,3", "\(Self.path)?window=4,3",
        ])
    }
    // A window behind the end has no rows.
    let beyond = ConnectionTests.whole(try Self.seen(12, 3), "1")
    #expect(try Replica(document: beyond).snapshot.rowCount == 0)
  }

  @Test("goes on as a replica of before shows it, and leads from all rows to it by a fetch")
  func replicas() async throws {
    let (first, next) = (try Self.seen(0, 3), try Self.seen(2, 3))
    server.unchanged("1")
    server.reply(body: ConnectionTests.diff(first, next, "1", "2"))
    let replica = try Replica(document: ConnectionTests.whole(first, "1"))
    server.lastReply { [connection] in connection.scroll(to: Self.window(2, 3)) }
    let polled = await server.all(connection.updates(from: replica))
    #expect(summary(polled).first == "resumed")
    #expect(
      server.requests.prefix(2) == [
        "\(Self.path)/diff?since=1&window=0,3", "\(Self.path)/diff?since=1&wait=20&window=0,3",
      ])

    let other = ScriptedServer()
    let list = other.connection()
    let abc = try ConnectionTests.list("r0", "b", "r2")
    other.reply(body: ConnectionTests.whole(abc, "5"))
    other.noReply()
    other.lastReply { list.scroll(to: Self.window(0, 3)) }
    other.reply(body: ConnectionTests.whole(first, "5"))
    let updates = await other.all(list.updates())
    #expect(summary(updates).last == #"0,3 of 10 at 5: ["r0", "r1", "r2"] after 2 operations"#)
    #expect(other.requests[2] == "\(Self.path)?window=0,3")
    #expect(other.requests[3] == "\(Self.path)/diff?since=5&wait=20&window=0,3")
  }

  @Test("of one of a group is scrolled while the others are followed on")
  func group() async throws {
    let names: (Text, Text) = ("list/1", "board/1")
    let group = server.group(of: [names.0, names.1])
    let (first, next, a) = (try Self.seen(0, 3), try Self.seen(2, 3), try ConnectionTests.list("a"))
    func reply(_ documents: [Text: JSONValue], _ revisions: String) {
      server.reply(200, [.viewRevision: revisions], body: ["screens": .object(documents)])
    }
    group[names.0].scroll(to: Self.window(0, 3))
    reply(
      [
        names.0: try GroupTests.whole(names.0, first, "l1"),
        names.1: try GroupTests.whole(names.1, a, "b1"),
      ], "b1,l1")
    server.noReply()
    server.lastReply { group[names.0].scroll(to: Self.window(2, 3)) }
    reply([names.0: try GroupTests.diff(names.0, first, next, "l1", "l1")], "b2,l1")
    let updates = await server.all(group.updates())
    #expect(
      summary(updates.compactMap { $0[names.0] }) == [
        #"0,3 of 10 at l1: ["r0", "r1", "r2"] after 2 operations"#,
        #"2,3 of 10 at l1: ["r2", "r3", "r4"] after 4 operations"#,
      ])
    #expect(updates.map(\.count) == [2, 1])
    #expect(
      server.requests
        == [
          #"{"board/1":{},"list/1":{"window":{"count":3,"start":0}}}}"#,
          #"{"board/1":{"since":"b1"},"list/1":{"since":"l1","window":{"count":3,"start":0}}},"wait":20}"#,
          #"{"board/1":{"since":"b1"},"list/1":{"next":{"count":3,"start":2},"since":"l1","window":{"count":3,"start":0}}},"wait":20}"#,
          #"{"board/1":{"since":"b2"},"list/1":{"since":"l1","window":{"count":3,"start":2}}},"wait":20}"#,
        ].map { #"POST /v1/sync {"screens":"# + $0 })
  }

  @Test("of one with a problem is scrolled when that has passed, and the others at once")
  func problem() async throws {
    let names: (Text, Text) = ("list/1", "list/2")
    let group = server.group(of: [names.0, names.1])
    let (first, next) = (try Self.seen(0, 3), try Self.seen(2, 3))
    func reply(_ documents: [Text: JSONValue], _ revisions: String) {
      server.reply(200, [.viewRevision: revisions], body: ["screens": .object(documents)])
    }
    for name in [names.0, names.1] { group[name].scroll(to: Self.window(0, 3)) }
    reply(
      [
        names.0: GroupTests.problem(500, "screen-failed"),
        names.1: try GroupTests.whole(names.1, first, "m1"),
      ], "screen-failed,m1")
    for name in [names.0, names.1] {
      server.noReply()
      server.lastReply { group[name].scroll(to: Self.window(2, 3)) }
    }
    reply([names.1: try GroupTests.diff(names.1, first, next, "m1", "m1")], "screen-failed,m1")
    reply([names.0: try GroupTests.whole(names.0, next, "l1")], "l1,m1")
    let updates = await server.all(group.updates())
    #expect(
      summary(updates.compactMap { $0[names.0] }).last
        == #"2,3 of 10 at l1: ["r2", "r3", "r4"] after 2 operations"#)
    #expect(
      server.requests.map { $0.contains(#""list/1":{"next""#) }.allSatisfy { !$0 },
      "no window of it is held")
  }

  @Test("that the app cannot read is asked for anew when the app scrolls to another one")
  func unreadable() async throws {
    let name: Text = "list/1"
    let group = server.group(of: [name])
    let strange: JSONValue = ["kind": "page", "screen": .string(name), "revision": "1"]
    func reply(_ document: JSONValue) {
      server.reply(
        200, [.viewRevision: "1"], body: ["screens": .object([name: document])])
    }
    let (first, next) = (try Self.seen(0, 3), try Self.seen(2, 3))
    reply(strange)
    server.noReply()
    server.lastReply { group[name].scroll(to: Self.window(2, 3)) }
    reply(try GroupTests.diff(name, first, next, "1", "1"))
    reply(try GroupTests.whole(name, next, "1"))
    group[name].scroll(to: Self.window(0, 3))
    let updates = await server.all(group.updates())
    #expect(
      summary(updates.compactMap { $0[name] }).last
        == #"2,3 of 10 at 1: ["r2", "r3", "r4"] after 2 operations"#)
    #expect(updates.count == 2)
    let bodies = server.requests.map { $0.split(separator: #""list/1":"#).last ?? "" }
    #expect(
      bodies.prefix(4) == [
        #"{"window":{"count":3,"start":0}}}}"#,
        #"{"since":"1","window":{"count":3,"start":0}}},"wait":20}"#,
        #"{"next":{"count":3,"start":2},"since":"1","window":{"count":3,"start":0}}},"wait":20}"#,
        #"{"window":{"count":3,"start":2}}},"wait":20}"#,
      ])
  }
}
