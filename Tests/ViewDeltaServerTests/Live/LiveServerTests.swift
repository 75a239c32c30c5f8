import CanonicalJSON
import HTTPTypes
import TestSupport
import Testing
import ViewDeltaClient
import ViewDeltaServer

@Suite("A server with clients that wait", .serialized)
struct LiveServerTests {
  @Test("gives a thousand of them the same bytes of one change, and keeps their connections")
  func thousand() async throws {
    let (backend, revision) = try await Backend.loaded()
    try await LiveServer.run(backend) { live in
      let clients = try (0..<1_000).map { _ in try live.poll("since=\(revision)&wait=20") }
      try live.awaitWaiting(1_000)
      try live.retitle("Two")
      let bodies = try Set(clients.map { try $0.readReply().body })
      #expect(try bodies == [live.client().get("\(Backend.viewModel)/diff?since=\(revision)").body])
      #expect(backend.waitingCount == 0)
      for client in clients { #expect(try client.get("/healthz").status == 200) }
    }
  }

  @Test("shows them each step of a profile and a post that load, with the fewest operations")
  func workedExample() async throws {
    let backend = try Backend()
    try await LiveServer.run(backend) { live in
      let client = try live.client()
      func json(_ reply: HTTPReply) throws -> JSONReader {
        JSONReader(try JSONValue(parsing: reply.body))
      }
      func operations(_ reply: HTTPReply) throws -> [String] {
        let rows = try json(reply).member("rows")
        return try ["deletes", "inserts", "moves", "updates"].flatMap { group in
          try rows.optionalMember(group)?.elements().map {
            "\(group) \(try ($0.optionalMember("row") ?? $0).member("id").string())"
          } ?? []
        }
      }
      let start = try LiveServer.revision(of: client.get(Backend.viewModel))
      var since = start
      func poll(during cause: () throws -> Void) throws -> [String] {
        let poll = try live.poll("since=\(since)&wait=20")
        try live.awaitWaiting(1)
        try cause()
        let reply = try poll.readReply()
        since = try LiveServer.revision(of: reply)
        return try operations(reply)
      }
      func send(_ command: String) throws {
        let reply = try client.request(
          "POST", Backend.viewModel + "/commands", json: #"{"type":"\#(command)"}"#)
        try require(reply.status == 202, reply.text)
      }

      let steps = [
        try poll { try send("loadPosts") },
        try poll { try send("loadProfile") },
        try poll { backend.scheduler.advance(by: .seconds(3)) },
        try poll { backend.scheduler.advance(by: .seconds(1)) },
      ]
      #expect(
        steps == [
          ["inserts posts/loading"], ["updates profile/header"],
          ["inserts profile/location", "inserts profile/website", "updates profile/header"],
          ["deletes posts/loading", "inserts post/1"],
        ])
      let whole = try operations(client.get("\(Backend.viewModel)/diff?since=\(start)"))
      #expect(
        whole == [
          "inserts profile/location", "inserts profile/website", "inserts post/1",
          "updates profile/header",
        ])
      let kept = try json(client.get(Backend.viewModel + "/revisions")).member("revisions")
        .elements()
      let causes = try kept.map { try $0.member("cause").value }
      #expect(
        causes == [
          ["kind": "start"], ["kind": "command", "type": "loadPosts"],
          ["kind": "command", "type": "loadProfile"],
          ["kind": "loadResult", "outcome": "loaded", "source": "profile"],
          ["kind": "loadResult", "outcome": "loaded", "source": "posts"],
        ])
      let sizes = try kept.map { try $0.member("operations").integer() }
      #expect(sizes == [0, 1, 1, 3, 2])
    }
  }

  @Test("answers them when their time is over")
  func timeout() async throws {
    let (backend, revision) = try await Backend.loaded()
    try await LiveServer.run(backend) { live in
      let clients = try (1...20).map { try live.poll("since=\(revision)&wait=\($0)") }
      let head = try live.client()
      try head.send(
        "HEAD \(Backend.viewModel)/diff?since=\(revision)&wait=9 HTTP/1.1\r\nHost: localhost\r\n\r\n"
      )
      try live.awaitWaiting(21)
      backend.scheduler.advance(by: .seconds(20))
      for client in clients {
        let reply = try client.readReply()
        #expect(reply.status == 204)
        #expect(reply["view-revision"] == revision)
        #expect(reply["content-length"] == nil)
      }
      #expect(try head.readReply(hasBody: false).status == 204)
      #expect(try head.get("/healthz").status == 200)
    }
  }

  @Test("lets those wait that name a hundred view models with long keys, and answers them")
  func sync() async throws {
    let (backend, revision) = try await Backend.loaded()
    let users = (0..<100).map { "\($0)" + String(repeating: "k", count: 120) }
    for id in users.dropFirst() {
      await backend.call(.post, "/v1/users", body: ["id": .string(id), "username": "ada"])
    }
    var screens: [Text: JSONValue] = ["profile/1": ["since": .string(revision)]]
    for id in users.dropFirst() {
      let since = try await backend.get("/v1/view-models/profile/\(id)").string("revision")
      screens["profile/\(id)"] = ["since": .string(since)]
    }
    let body: JSONValue = ["screens": .object(screens), "wait": 50]
    try await LiveServer.run(backend) { live in
      let clients = try (0..<50).map { _ in try live.client() }
      for client in clients {
        try client.send(
          "POST /v1/sync HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            + "Content-Length: \(body.description.utf8.count)\r\n\r\n\(body)")
      }
      try live.awaitWaiting(50)
      for client in clients.prefix(10) { client.close() }
      try live.awaitWaiting(40)
      try live.retitle("Two")
      let poll = try live.client().get("\(Backend.viewModel)/diff?since=\(revision)").text
      for client in clients.dropFirst(10) {
        #expect(try client.readReply().text == #"{"screens":{"profile/1":\#(poll)}}"#)
      }
    }
  }

  @Test("gives the place of one that left to another, within the sweep", arguments: [false, true])
  func abandonment(isReset: Bool) async throws {
    let limits = WaitingLimits(total: 10, perAddress: 10)
    let (backend, revision) = try await Backend.loaded { $0.configuration.waitingLimits = limits }
    try await LiveServer.run(backend) { live in
      let query = "since=\(revision)&wait=50"
      let clients = try (0..<5).map { _ in try live.poll(query) }
      let streams = try (0..<5).map { _ in try live.events("since=\(revision)") }
      try live.awaitWaiting(10)
      let refused = try live.poll(query).readReply()
      #expect(refused.status == 503)
      #expect(refused["retry-after"] == "5")
      #expect(refused.text.contains(#""code":"too-many-waiting""#))
      for client in clients.prefix(2) + streams.prefix(2).map(\.client) {
        if isReset { client.reset() } else { client.close() }
      }
      try live.awaitWaiting(6)
      let late = try live.poll(query)
      try live.awaitWaiting(7)
      try live.retitle("Two")
      for client in clients.dropFirst(2) + [late] { #expect(try client.readReply().status == 200) }
      for stream in streams.dropFirst(2) { #expect(try stream.nextDocument() != nil) }
    }
  }

  @Test("refuses one address more than its share, and keeps the connection")
  func share() async throws {
    let limits = WaitingLimits(total: 100, perAddress: 3)
    let (backend, revision) = try await Backend.loaded { $0.configuration.waitingLimits = limits }
    try await LiveServer.run(backend) { live in
      let clients = try (0..<3).map { _ in try live.poll("since=\(revision)&wait=50") }
      try live.awaitWaiting(3)
      let refused = try live.poll("since=\(revision)&wait=50")
      let reply = try refused.readReply()
      #expect(reply.status == 429)
      #expect(reply["retry-after"] == "5")
      #expect(try refused.get("\(Backend.viewModel)/events").status == 429)
      #expect(try refused.get("\(Backend.viewModel)/diff?since=\(revision)").status == 204)
      try live.retitle("Two")
      for client in clients { #expect(try client.readReply().status == 200) }
    }
  }

  @Test("answers all polls and ends all streams when it goes down, and then is down")
  func shutdown() async throws {
    let (backend, revision) = try await Backend.loaded()
    try await LiveServer.run(backend) { live in
      let polls = try (0..<100).map { _ in try live.poll("since=\(revision)&wait=50") }
      let streams = try (0..<100).map { _ in try live.events("since=\(revision)") }
      for stream in streams { #expect(try stream.next()?.retry == 1_000) }
      try live.awaitWaiting(200)
      try live.awaitIdle(200)
      backend.application.beginDraining()
      for poll in polls {
        let reply = try poll.readReply()
        #expect(reply.status == 204)
        #expect(reply["view-revision"] == revision)
      }
      for stream in streams { #expect(try stream.next() == nil) }
      let late = try live.poll("since=\(revision)&wait=50").readReply()
      #expect(late.status == 503)
      #expect(late.text.contains(#""code":"shutting-down""#))
      #expect(try live.client().get("\(Backend.viewModel)/events").status == 503)
    }
  }
}
