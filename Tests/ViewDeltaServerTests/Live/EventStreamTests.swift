import CanonicalJSON
import HTTPTypes
import MicroHTTP
import TestSupport
import Testing
import ViewDeltaClient
import ViewDeltaServer
import ViewState

@Suite("An event stream")
struct EventStreamTests {
  @Test("begins with the whole view model, and goes on with what each poll would say")
  func documents() async throws {
    let (backend, start) = try await Backend.loaded()
    let stream = try #require(backend.events())
    #expect(stream.fields[.contentType] == "text/event-stream")
    #expect(stream.fields[.cacheControl] == "no-store")
    #expect(HTTPField.Name("X-Accel-Buffering").flatMap { stream.fields[$0] } == "no")
    var events = try stream.read()
    #expect(events.count == 1)
    #expect(events.first?.retry == 1_000 && events.first?.id == start)
    #expect(events.first?.data == (await backend.get(Backend.viewModel).body))

    var since = start
    for number in 1...20 {
      #expect(try stream.read().isEmpty)
      await backend.retitle("Title \(number)")
      events = try stream.read()
      let poll = await backend.diff("since=\(since)")
      #expect(events.map(\.data) == [poll.body])
      #expect(events.first?.id == poll["View-Revision"] && events.first?.retry == nil)
      since = try #require(events.first?.id)
    }
  }

  /// The query and Last-Event-ID of a client, and the revision whose diff comes first: the first for
  /// `{F}`, the last for `{L}`.
  static let standpoints: [(String, String?, String?)] = [
    ("since={F}", nil, "F"), ("since={F}", "{L}", "L"), ("since={L}", "{F}", "F"), ("", "{F}", "F"),
    ("since={F}", "", "F"), ("since={L}", "", "L"), ("since=00000000.1", "{F}", "F"), ("", "", nil),
  ]

  @Test(
    "starts after the revision that the client names: Last-Event-ID beats since, an empty one is none",
    arguments: standpoints)
  func standpoint(query: String, lastEventID: String?, from: String?) async throws {
    let (backend, first) = try await Backend.loaded()
    await backend.retitle("Two")
    let last = try await backend.revision
    func named(_ text: String) -> String {
      text.replacing("{F}", with: first).replacing("{L}", with: last)
    }
    let fields: HTTPFields = lastEventID.map { [.lastEventID: named($0)] } ?? [:]
    let stream = try #require(backend.events(named(query), fields))
    let events = try stream.read()
    #expect(events.map(\.id) == [last] && events.map(\.retry) == [1_000])
    switch from {
    case nil:
      #expect(events.map(\.data) == [await backend.get(Backend.viewModel).body])
    case "F":
      #expect(events.map(\.data) == [await backend.diff("since=\(first)").body])
    default:
      #expect(events.map(\.data) == [nil])
      await backend.retitle("Three")
      #expect(try stream.read().map(\.data) == [await backend.diff("since=\(last)").body])
    }
  }

  @Test("says honestly that it does not know a revision, and goes on from there")
  func reset() async throws {
    let (backend, start) = try await Backend.loaded()
    let stream = try #require(backend.events("", [.lastEventID: "00000000.7"]))
    let events = try stream.read()
    #expect(events.map(\.data) == [await backend.diff("since=00000000.7").body])
    #expect(events.first?.id == start)
    await backend.retitle("Two")
    #expect(try stream.read().map(\.data) == [await backend.diff("since=\(start)").body])
  }

  @Test("does not take the content that the client held at first for that of Last-Event-ID")
  func staleContent() async throws {
    let (before, since) = try await Backend.loaded()
    let (after, _) = try await Backend.loaded()
    let query = "since=\(since)&have=\(try await before.contentHash)"
    await before.retitle("Two")
    let last = try await before.revision
    await after.retitle("Three")
    let stream = try #require(after.events(query, [.lastEventID: last]))
    #expect(try stream.read().map(\.data) == [await after.diff("since=\(last)").body])
    let same = try #require(after.events(query, [.lastEventID: since]))
    #expect(try same.read().map(\.data) == [await after.diff(query).body])
  }

  @Test("names its revision at once to a client that holds its content from before a restart")
  func restart() async throws {
    let (before, since) = try await Backend.loaded()
    let (after, revision) = try await Backend.loaded()
    let have = try await before.contentHash
    let stream = try #require(after.events("since=\(since)&have=\(have)"))
    let first = try #require(stream.readPiece())
    #expect(String(decoding: first.body, as: UTF8.self) == "retry: 1000\nid: \(revision)\n\n")
    #expect(stream.readPiece() == nil)
    await after.retitle("Two")
    #expect(try stream.read().map(\.data) == [await after.diff("since=\(revision)").body])
  }

  @Test("says nothing of a change that cannot be seen, and goes on from the name that it gave")
  func rename() async throws {
    let backend = try Backend()
    let start = try await backend.revision
    let stream = try #require(backend.events("since=\(start)"))
    #expect(try stream.read().map(\.id) == [start])
    await backend.retitle("Two")
    #expect(try await backend.revision != start)
    #expect(stream.readPiece() == nil)
    let again = try #require(backend.events("since=\(start)"))
    #expect(try again.read().map(\.id) == [try await backend.revision])

    await backend.send("loadPosts")
    let diff = await backend.diff("since=\(start)")
    #expect(try diff.string("from") == start)
    #expect(try stream.read().map(\.data) == [diff.body])
  }

  @Test("has its first block in one piece, which all clients of one place share")
  func firstBlock() async throws {
    let (backend, start) = try await Backend.loaded()
    await backend.retitle("Two")
    let current = try await backend.revision
    for query in ["", "since=\(start)", "since=\(current)", "since=00000000.1"] {
      let pieces = try (0..<2).map { _ in
        let stream = try #require(backend.events(query))
        return try #require(stream.readPiece())
      }
      #expect(pieces[0].isIdentical(to: pieces[1]))
      let poll = await backend.diff(query)
      let data = poll.status == 204 ? "" : "data: \(poll.text)\n"
      #expect(
        String(decoding: pieces[0].body, as: UTF8.self)
          == "retry: 1000\nid: \(current)\n\(data)\n")
    }
  }

  @Test(
    "is refused with a problem, not opened, where the request is wrong",
    arguments: [
      ("since=", "", "", 400), ("since=a%20b", "", "", 400), ("since={F}&since={F}", "", "", 400),
      ("have=UPPER", "", "", 400), ("", "a b", "", 400), ("", "a/b", "", 400),
      ("", String(repeating: "a", count: 65), "", 400), ("since=", "{F}", "", 400),
      ("since=00000000.7", "", "handling=strict", 410), ("", "00000000.7", "handling=strict", 410),
    ])
  func refusals(query: String, lastEventID: String, prefer: String, status: Int) async throws {
    let (backend, first) = try await Backend.loaded()
    var fields: HTTPFields = [.lastEventID: lastEventID.replacing("{F}", with: first)]
    if !prefer.isEmpty { fields[.prefer] = prefer }
    let answer = await backend.get(
      Backend.viewModel + "/events?" + query.replacing("{F}", with: first), fields)
    #expect(answer.status == status)
    #expect(answer["Content-Type"] == "application/problem+json")
    #expect(backend.waitingCount == 0)
  }

  @Test("is 404 without a screen, 410 of a deleted key, 406 for who takes no events")
  func absence() async throws {
    let (backend, _) = try await Backend.loaded()
    #expect(await backend.get("/v1/view-models/nope/1/events").status == 404)
    #expect(await backend.get("/v1/view-models/profile/99/events").status == 404)
    let json = await backend.get(Backend.viewModel + "/events", [.accept: "application/json"])
    #expect(json.status == 406)
    let accepted = await backend.get(Backend.viewModel + "/events", [.accept: "text/event-stream"])
    #expect(accepted.status == 200)
    await backend.call(.delete, "/v1/users/1")
    #expect(await backend.get(Backend.viewModel + "/events").status == 410)
    #expect(backend.waitingCount == 0)
  }

  @Test("shows that it is alive every 15 seconds of silence, counted anew after each event")
  func heartbeat() async throws {
    let (backend, revision) = try await Backend.loaded()
    let stream = try #require(backend.events("since=\(revision)"))
    #expect(try stream.read().map(\.retry) == [1_000])
    for _ in 0..<3 {
      backend.scheduler.advance(by: .milliseconds(14_899))
      #expect(try stream.read().isEmpty)
      backend.scheduler.advance(by: .milliseconds(101))
      #expect(try stream.read().map(\.isComment) == [true])
    }
    backend.scheduler.advance(by: .seconds(14))
    await backend.retitle("Two")
    #expect(try stream.read().map(\.id) == [try await backend.revision])
    backend.scheduler.advance(by: .milliseconds(14_899))
    #expect(try stream.read().isEmpty)
    backend.scheduler.advance(by: .milliseconds(101))
    #expect(try stream.read().map(\.isComment) == [true])
  }

  @Test("gives a client that reads late one diff for all that happened, and no pile of comments")
  func coalesced() async throws {
    let (backend, start) = try await Backend.loaded()
    let stream = try #require(backend.events())
    _ = try stream.read()
    var replica = try Replica(document: await backend.get(Backend.viewModel).body)
    for round in 1...5 {
      for number in 1...100 {
        await backend.retitle("Title \(round) \(number)")
        // In all less than the shortest life of a stream, four minutes.
        if number % 20 == 0 { backend.scheduler.advance(by: .seconds(9)) }
      }
      let events = try stream.read()
      #expect(events.count == 1)
      try replica.apply(document: try #require(events.first?.data))
      #expect(replica.canonicalBytes() == (await backend.get(Backend.viewModel).body))
    }
    #expect(replica.revision.string != start)
  }
}

extension HTTPField.Name {
  static var lastEventID: HTTPField.Name { HTTPField.Name("Last-Event-ID")! }
}
