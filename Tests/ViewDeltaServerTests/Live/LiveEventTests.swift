import CanonicalJSON
import MicroHTTP
import TestSupport
import Testing
import ViewDeltaClient
import ViewDeltaServer

@Suite("An event stream on a connection", .serialized)
struct LiveEventTests {
  @Test("brings each change as it happens, with the bytes of the poll")
  func changes() async throws {
    let (backend, start) = try await Backend.loaded()
    try await LiveServer.run(backend) { live in
      let stream = try live.events()
      #expect(stream.head["content-type"] == "text/event-stream")
      #expect(stream.head["cache-control"] == "no-store")
      #expect(stream.head["x-accel-buffering"] == "no")
      let client = try live.client()
      let first = try #require(try stream.next())
      #expect(first.retry == 1_000 && first.id == start)
      #expect(try first.data == client.get(Backend.viewModel).body)
      var since = start
      for number in 1...30 {
        try live.retitle("Title \(number)")
        let event = try #require(try stream.next())
        let poll = try client.get("\(Backend.viewModel)/diff?since=\(since)")
        #expect(event.data == poll.body)
        #expect(event.id == poll["view-revision"])
        since = try #require(event.id)
      }
    }
  }

  @Test("shows that it is alive after 15 seconds, and ends in order after its lifetime")
  func time() async throws {
    let (backend, revision) = try await Backend.loaded {
      $0.configuration.eventStreamLifetime = .milliseconds(40_050)...(.milliseconds(40_050))
    }
    try await LiveServer.run(backend) { live in
      let stream = try live.events("since=\(revision)")
      #expect(try stream.next()?.retry == 1_000)
      for _ in 0..<2 {
        try live.awaitIdle(1)
        backend.scheduler.advance(by: .seconds(15))
        #expect(try stream.next()?.isComment == true)
      }
      try live.awaitIdle(1)
      backend.scheduler.advance(by: .milliseconds(10_000))
      #expect(try stream.next() == nil)
      try live.awaitWaiting(0)
      #expect(try stream.client.get("/healthz").status == 200)
    }
  }

  @Test("goes on for a client that comes back with the last id, and has no gap")
  func comingBack() async throws {
    let (backend, _) = try await Backend.loaded()
    try await LiveServer.run(backend) { live in
      var replica: Replica?
      var lastEventID: String?
      for round in 1...20 {
        let stream = try live.events(
          fields: lastEventID.map { ["Last-Event-ID: \($0)"] } ?? [])
        if lastEventID == nil {
          let first = try #require(try stream.nextDocument())
          replica = try Replica(document: first.data)
        }
        try live.retitle("Title \(round)")
        let event = try #require(try stream.nextDocument())
        try replica?.apply(document: event.data)
        lastEventID = event.id
        stream.client.reset()
        try live.retitle("While it was away \(round)")
      }
      let last = try #require(
        try live.events(fields: ["Last-Event-ID: \(lastEventID ?? "")"]).nextDocument())
      try replica?.apply(document: last.data)
      #expect(try replica?.canonicalBytes() == live.client().get(Backend.viewModel).body)
    }
  }

  @Test("gives a client that does not read one diff for what it missed, and its replica is right")
  func slowReader() async throws {
    // The first event is larger than the buffers of a connection, so it is stuck on its way.
    let posts = (1...64).map { id in
      JSONValue.object([
        "id": .integer(id), "userId": 1, "title": .string("Title \(id)"),
        "body": .string(String(repeating: "x", count: 64_000)),
      ])
    }
    let backend = try Backend(
      data: ["users": [["id": 1, "username": "ada"]], "posts": .array(posts)])
    await backend.load()
    let start = try await backend.revision
    try await LiveServer.run(backend) { live in
      let slow = try live.events()
      // The first event is made in a task. It is on its way once bytes of it are here.
      try slow.client.awaitArrival()
      for number in 1...20 { try live.retitle("Title \(number)") }
      let client = try live.client()
      let snapshot = try client.get(Backend.viewModel)
      let first = try #require(try slow.nextDocument())
      #expect(first.id == start)
      let diff = try #require(try slow.nextDocument())
      #expect(try diff.id == LiveServer.revision(of: snapshot))
      #expect(try diff.data == client.get("\(Backend.viewModel)/diff?since=\(start)").body)
      var replica = try Replica(document: first.data)
      try replica.apply(document: diff.data)
      #expect(replica.canonicalBytes() == snapshot.body)
    }
  }

  @Test("carries a hundred view models on one connection, with the longest ids a client may send")
  func hundred() async throws {
    let (backend, _) = try await SyncTests.manyUsers(100)
    try await LiveServer.run(backend) { live in
      var client = MultiReplica((1...100).map { "profile/\($0)" })
      for round in 1...3 {
        let stream = try EventConnection(
          live.client(), "/v1/events?\(client.query)",
          fields: round == 1 ? [] : ["Last-Event-ID: \(client.lastEventID)"])
        try client.take([#require(try stream.next())])
        for id in [round, 40 + round, 97 + round] {
          let reply = try live.client().request(
            "POST", "/v1/view-models/profile/\(id)/commands", json: #"{"type":"loadPosts"}"#)
          #expect(reply.status == 202)
          try client.take([#require(try stream.next())])
          #expect(client.changed == ["profile/\(id)"])
        }
        stream.client.reset()
      }
      let longest = Array(repeating: String(repeating: "R", count: 64), count: 100)
      let stream = try EventConnection(
        live.client(), "/v1/events?\(client.query)",
        fields: ["Last-Event-ID: \(longest.joined(separator: ","))"])
      let resets = try #require(try stream.next()?.data)
      #expect(try JSONReader(JSONValue(parsing: resets)).member("screens").memberNames.count == 100)
    }
  }

  @Test("leaves nothing behind for HEAD, and none for who is refused")
  func head() async throws {
    let (backend, _) = try await Backend.loaded()
    try await LiveServer.run(backend) { live in
      let client = try live.client()
      for _ in 0..<20 {
        let head = try client.request("HEAD", "\(Backend.viewModel)/events")
        #expect(head.status == 200)
        #expect(head["content-type"] == "text/event-stream")
        let bad = try client.get("\(Backend.viewModel)/events", fields: ["Last-Event-ID: a b"])
        #expect(bad.status == 400)
      }
      #expect(backend.waitingCount == 0)
      #expect(live.server.statistics.requestsParked == 0)
    }
  }

  @Test("ends in order when the key is deleted")
  func deletion() async throws {
    let (backend, revision) = try await Backend.loaded()
    try await LiveServer.run(backend) { live in
      let streams = try (0..<20).map { _ in try live.events("since=\(revision)") }
      let polls = try (0..<20).map { _ in try live.poll("since=\(revision)&wait=50") }
      try live.awaitWaiting(40)
      #expect(try live.client().request("DELETE", "/v1/users/1").status == 204)
      for stream in streams {
        #expect(try stream.nextDocument() == nil)
        #expect(try stream.client.get("\(Backend.viewModel)/events").status == 410)
      }
      for poll in polls { #expect(try poll.readReply().status == 410) }
    }
  }
}
