import CanonicalJSON
import Foundation
import HTTPTypes
import Snapshots
import Synchronization
import TestSupport
import Testing

@testable import ViewDeltaClient

@Suite("A connection that follows a view model", .timeLimit(.minutes(5)))
struct ConnectionTests {
  let server = ScriptedServer()

  static func list(_ ids: Text..., state: Text = "loaded") throws -> Snapshot {
    try Snapshot(
      states: ["items": state],
      sections: [Section(id: "s", rows: ids.map { Row(id: $0, type: "t") })])
  }

  static func whole(
    _ snapshot: Snapshot, _ revision: String, kind: Snapshot.DocumentKind = .snapshot
  ) -> [UInt8] {
    snapshot.encoded(kind: kind, screen: "list/1", revision: Text(revision))
  }

  static func diff(_ old: Snapshot, _ new: Snapshot, _ from: String, _ to: String) -> [UInt8] {
    new.difference(from: old).encoded(screen: "list/1", from: Text(from), revision: Text(to))
  }

  static func text(_ updates: [ViewModelUpdate]) -> [String] { updates.map(\.summary) }

  @Test("gets the whole, and then each change since its revision, also under a newer name")
  func changes() async throws {
    let (a, ab) = (try Self.list("a"), try Self.list("a", "b"))
    server.reply(body: Self.whole(a, "1"))
    server.reply(body: Self.diff(a, ab, "1", "2"))
    server.unchanged("5")
    server.reply(body: Self.diff(ab, a, "5", "6"))
    let updates = await server.updates()
    #expect(
      Self.text(updates) == [
        #"1: ["a"] after 2 operations"#, #"2: ["a", "b"] after 1 operations"#,
        #"6: ["a"] after 1 operations"#,
      ])
    #expect(
      server.requests == [
        "GET /v1/view-models/list/1",
        "GET /v1/view-models/list/1/diff?since=1&wait=20",
        "GET /v1/view-models/list/1/diff?since=2&wait=20",
        "GET /v1/view-models/list/1/diff?since=5&wait=20",
        "GET /v1/view-models/list/1/diff?since=6&wait=20",
      ])
    #expect(server.pauses.isEmpty)
  }

  @Test("goes on from a replica of before, of which the server may not know the revision")
  func replica() async throws {
    let (a, ab) = (try Self.list("a"), try Self.list("a", "b"))
    server.reply(body: Self.whole(ab, "2", kind: .reset(reason: "epoch-changed")))
    server.unchanged("2")
    let updates = await server.updates(from: try Replica(document: Self.whole(a, "1")))
    #expect(Self.text(updates) == [#"2: ["a", "b"] after 1 operations"#])
    #expect(
      server.requests.prefix(2) == [
        "GET /v1/view-models/list/1/diff?since=1&have=\(ContentHash(of: a))",
        "GET /v1/view-models/list/1/diff?since=2&wait=20",
      ])
  }

  @Test("asks for the view model of any key, also one that begins with an accent")
  func accent() async throws {
    let name: Text = "list/\u{301}a"
    let body = try Self.list("a").encoded(kind: .snapshot, screen: name, revision: "7")
    server.reply(body: body)
    let updates = await server.all(server.connection(to: name).updates(from: nil))
    #expect(Self.text(updates) == [#"7: ["a"] after 2 operations"#])
    #expect(server.requests.first == "GET /v1/view-models/list/%CC%81a")
  }

  @Test("begins with an empty view model if the replica of before is one of another")
  func otherReplica() async throws {
    let a = try Self.list("a")
    let other = try Replica(
      document: a.encoded(kind: .snapshot, screen: "list/2", revision: "1"))
    server.reply(body: Self.whole(a, "7"))
    let updates = await server.updates(from: other)
    #expect(Self.text(updates) == [#"7: ["a"] after 2 operations"#])
    #expect(server.requests.first == "GET /v1/view-models/list/1")
  }

  @Test("tells of an outage once, waits longer after each failure, and tells when it is over")
  func outage() async throws {
    let a = try Self.list("a")
    server.reply(body: Self.whole(a, "1"))
    server.noReply(8)
    server.unchanged("1")
    server.unchanged("1")
    server.noReply()
    server.unchanged("1")
    let updates = await server.updates()
    let outage = ["interrupted: there is no reply: NoReply()", "resumed"]
    #expect(Self.text(updates) == [#"1: ["a"] after 2 operations"#] + outage + outage)
    // The pauses of the second outage begin anew.
    #expect(server.pauses == [0.5, 1, 2, 4, 8, 16, 30, 30, 0.5].map { .seconds($0) })
    // Only then the server may be another one.
    #expect(
      server.requests.map { $0.contains("have=") } == [false, false]
        + Array(repeating: true, count: 8) + [false, false, true, false])
  }

  @Test(
    "asks again at once when the server answers a command, executes it or not",
    arguments: [(202, "none"), (422, "invalid-command"), (412, "revision-mismatch")])
  func answeredCommand(status: Int, code: Text) async throws {
    let connection = server.connection()
    let a = try Self.list("a")
    server.reply(body: Self.whole(a, "1"))
    server.noReply(3)
    for _ in 1...2 { server.inPause {} }
    server.reply(status, [:], body: ["accepted": true, "revision": "2", "code": .string(code)])
    server.inPause { _ = try? await connection.send(["type": "add"], patience: .zero) }
    server.unchanged("1")
    let updates = await server.all(connection.updates())
    #expect(Self.text(updates).last == "resumed")
    #expect(server.pauses == [0.5, 1, 2].map { .seconds($0) })
    #expect(server.cutPauses == [.seconds(2)])
    #expect(server.requests.suffix(3).first?.hasPrefix("POST") == true)
  }

  @Test("asks again at once when a command was answered after the failure and before the pause")
  func answeredBeforePause() async throws {
    let connection = server.connection()
    server.noReply()
    server.reply(202, [:], body: ["accepted": true, "revision": "2"])
    server.reply(body: Self.whole(try Self.list("a"), "1"))
    var updates = connection.updates().makeAsyncIterator()
    let outage = await updates.next()
    #expect(outage?.summary == "interrupted: there is no reply: NoReply()")
    try await connection.send(["type": "add"])
    let end = await updates.next()
    #expect(end?.summary == #"1: ["a"] after 2 operations"#)
    #expect(server.pauses.isEmpty)
  }

  @Test("keeps its pause if a proxy or nothing answers a command, and if the server asked for it")
  func keptPause() async throws {
    let connection = server.connection()
    let command: @Sendable () async throws -> Void = {
      _ = try? await connection.send(["type": "add"], patience: .zero)
    }
    let accepted: JSONValue = ["accepted": true, "revision": "2"]
    server.noReply()
    server.reply(403, [:], body: Array("<html>Go away".utf8))
    server.noReply(3)
    server.reply(429, [:], body: ["code": "too-many-waiting-here"])
    server.reply(503, [.retryAfter: "7"], body: ["code": "too-many-waiting"])
    server.reply(202, [:], body: accepted)
    // What the app cannot use would be sent again and again.
    server.reply(body: ["kind": "page"])
    server.reply(202, [:], body: accepted)
    server.reply(body: Self.whole(try Self.list("a"), "1"))
    for _ in 1...5 { server.inPause(command) }
    let updates = await server.all(connection.updates())
    #expect(Self.text(updates).last == #"1: ["a"] after 2 operations"#)
    #expect(server.pauses == [0.5, 1, 2, 7.5, 8].map { .seconds($0) })
    #expect(server.cutPauses.isEmpty)
  }

  @Test("waits as long as the server asks for, an hour at most")
  func retryAfter() async throws {
    server.reply(503, [.retryAfter: "7"], body: ["code": "too-many-waiting", "detail": "wait"])
    server.reply(429, [.retryAfter: "2592000"])
    server.reply(500, [.retryAfter: "Wed, 21 Oct 2026 07:28:00 GMT"])
    server.reply(503, [.retryAfter: "0"])
    server.reply(body: Self.whole(try Self.list("a"), "1"))
    let updates = await server.updates()
    #expect(
      Self.text(updates) == [
        "interrupted: the server refuses with 503: wait", #"1: ["a"] after 2 operations"#,
      ])
    #expect(server.pauses == [7.5, 3_600.5, 2, 4].map { .seconds($0) })
  }

  @Test("gets the whole anew if a change does not fit, and a pause if that does not either")
  func divergence() async throws {
    let (a, ab) = (try Self.list("a"), try Self.list("a", "b"))
    server.reply(body: Self.whole(a, "1"))
    server.reply(body: Self.diff(ab, a, "1", "2"))
    server.reply(body: Array("<html>Please log in".utf8))
    server.reply(body: Self.whole(ab, "2"))
    let updates = await server.updates()
    #expect(updates.count == 3)
    #expect(Self.text(updates)[2] == #"2: ["a", "b"] after 1 operations"#)
    guard case .interrupted(.unexpected) = updates[1] else {
      Issue.record("\(updates[1].summary)")
      return
    }
    #expect(server.requests[2...3].allSatisfy { $0 == "GET /v1/view-models/list/1" })
    #expect(server.pauses == [.seconds(0.5)])
  }

  @Test("waits longer and longer if no change fits, as if a cache repeats an old one")
  func cachedChange() async throws {
    let (a, ab) = (try Self.list("a"), try Self.list("a", "b"))
    server.reply(body: Self.whole(a, "1"))
    for _ in 1...4 {
      server.reply(body: Self.diff(ab, a, "1", "2"))
      server.reply(body: Self.whole(a, "1"))
    }
    server.reply(body: Self.diff(a, ab, "1", "2"))
    server.reply(body: Self.diff(a, ab, "1", "2"))
    server.reply(body: Self.whole(ab, "2"))
    _ = await server.updates()
    #expect(server.pauses == [0.5, 1, 2].map { .seconds($0) }, "the change that fits ends that")
  }

  @Test("does not take the view model of another name, as after a mistake of a proxy")
  func otherName() async throws {
    server.reply(
      body: try Self.list("x").encoded(kind: .snapshot, screen: "list/2", revision: "1"))
    server.reply(body: Self.whole(try Self.list("a"), "1"))
    #expect(await Self.text(server.updates()).last == #"1: ["a"] after 2 operations"#)
  }

  @Test(
    "asks for a diff, which says what is drawn again and not animated, also if the whole is smaller"
  )
  func preference() async throws {
    server.reply(body: Self.whole(try Self.list("a"), "1"))
    server.unchanged("1")
    _ = await server.updates()
    #expect(server.preferences == ["return=diff", "return=diff", "return=diff"])
    let other = ScriptedServer()
    _ = await other.all(other.group(of: ["list/1"]).updates())
    #expect(other.preferences == ["return=diff"])
  }

  /// Answers a request whose task is cancelled as the answer comes.
  private struct LateServer: HTTPTransport {
    let body: [UInt8]

    func reply(to request: HTTPRequest, body: Data) async -> (Data, HTTPResponse) {
      withUnsafeCurrentTask { $0?.cancel() }
      return (Data(self.body), HTTPResponse(status: .ok))
    }
  }

  @Test("tells nothing to a loop that has been cancelled, also if the answer was on its way")
  func cancelled() async throws {
    let server = LateServer(body: Self.whole(try Self.list("a"), "1"))
    let connection = ViewModelConnection(
      to: "list/1", on: URL(string: "http://localhost")!, by: server)
    let loop = Task {
      var updates = connection.updates().makeAsyncIterator()
      return await updates.next()?.summary
    }
    #expect(await loop.value == nil)
  }

  @Test("reads documents outside of the actor of its app") @MainActor
  func actor() async throws {
    server.reply(body: Self.whole(try Self.list("a"), "1"))
    let areMain = Mutex<[Bool]>([])
    // It asks for the time first where it asks for changes.
    let pacing = Pacing(
      now: {
        areMain.withLock { $0.append(Thread.isMainThread) }
        return .zero
      }, sleep: { _ in }, random: { 1 })
    let remote = RemoteServer(at: URL(string: "http://localhost")!, by: server, pacing)
    var updates = ViewModelConnection(to: "list/1", on: remote).updates().makeAsyncIterator()
    #expect(await updates.next() != nil)
    #expect(areMain.withLock { $0 } == [false])
  }

  @Test("pauses if a poll comes back at once without news")
  func shortPolls() async throws {
    let a = try Self.list("a")
    server.reply(body: Self.whole(a, "1"))
    server.pollTime = .zero
    for _ in 1...3 { server.unchanged("1") }
    server.reply(body: Self.diff(a, try Self.list("a", "b"), "1", "2"))
    #expect(await server.updates().count == 2)
    #expect(server.pauses == [1, 1, 1].map { .seconds($0) })
  }

  @Test("ends with the problem if the server refuses for good", arguments: [404, 410, 403, 400])
  func refusals(status: Int) async throws {
    server.reply(body: Self.whole(try Self.list("a"), "1"))
    server.reply(status, [:], body: ["code": "unknown-key", "detail": "there is none"])
    var updates = server.connection().updates().makeAsyncIterator()
    #expect(await updates.next() != nil)
    guard case .ended(let problem)? = await updates.next() else {
      Issue.record("it goes on")
      return
    }
    #expect(problem.status == status && problem.code == "unknown-key")
    #expect(await updates.next() == nil, "it has ended")
  }

  @Test("writes names and addresses as URLs want them")
  func addresses() async throws {
    for (address, path) in [
      ("http://localhost", ""), ("https://example.com/views/", "/views"),
    ] {
      let server = ScriptedServer()
      server.reply(404, [:], body: ["code": "unknown-key"])
      let form = server.connection(to: "form/ä 1@hT7c-0VqRk2mZ5xEo9sYwA", at: address)
      for await _ in form.updates() {}
      #expect(
        server.requests == ["GET \(path)/v1/view-models/form/%C3%A4%201@hT7c-0VqRk2mZ5xEo9sYwA"])
    }
  }

  @Test(
    "is told that there is no server at an address that is not one of the web",
    arguments: ["views.example.com", "localhost:8080", "127.0.0.1", "/views"])
  func strangeAddresses(address: String) async throws {
    let connection = server.connection(at: address)
    var updates = connection.updates().makeAsyncIterator()
    guard case .interrupted(let error)? = await updates.next() else {
      Issue.record("it is not interrupted")
      return
    }
    #expect("\(error)".contains("\(address)/ is not the address of a server"))
    await #expect(throws: ConnectionError.self) {
      try await connection.send(["type": "add"], patience: .zero)
    }
    #expect(server.requests.isEmpty)
  }
}
