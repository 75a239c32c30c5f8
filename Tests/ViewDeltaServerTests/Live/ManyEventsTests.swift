import CanonicalJSON
import HTTPTypes
import MicroHTTP
import TestSupport
import Testing
import ViewDeltaServer

extension Backend {
  /// Opens one event stream of many view models.
  func manyEvents(_ query: String, _ fields: HTTPFields = [:]) -> StreamReader? {
    StreamReader(
      application.router,
      Request(method: .get, target: "/v1/events?\(query)", fields: fields))
  }
}

@Suite("An event stream of many view models")
struct ManyEventsTests {
  @Test(
    "begins with what a poll of all would say, and names all revisions in the order of the query")
  func firstBlock() async throws {
    let (backend, since) = try await Backend.loaded()
    await backend.retitle("Two")
    await backend.get("/v1/view-models/profile/2")
    let stream = try #require(
      backend.manyEvents("screen=profile/2&screen=profile/1&since=\(since)"))
    #expect(stream.fields[.contentType] == "text/event-stream")
    #expect(stream.fields[.cacheControl] == "no-store")
    #expect(stream.fields[.contentLanguage] == "en")
    let events = try stream.read()
    let body: JSONValue = [
      "screens": ["profile/1": ["since": .string(Text(since))], "profile/2": [:]]
    ]
    #expect(events.map(\.data) == [backend.sync(body).answer?.body])
    let second = try await backend.get("/v1/view-models/profile/2").string("revision")
    #expect(events.map(\.id) == ["\(second),\(try await backend.revision)"])
    #expect(events.map(\.retry) == [1_000])
  }

  @Test("names the revisions at once, without a document, to a client that holds everything")
  func nothingNew() async throws {
    let (backend, revisions) = try await SyncTests.manyUsers(2)
    let query =
      "screen=profile/1&since=\(revisions[1] ?? "")&screen=profile/2&since=\(revisions[2] ?? "")"
    let stream = try #require(backend.manyEvents(query))
    let piece = try #require(stream.readPiece())
    let id = "\(revisions[1] ?? ""),\(revisions[2] ?? "")"
    #expect(String(decoding: piece.body, as: UTF8.self) == "retry: 1000\nid: \(id)\n\n")
    #expect(stream.readPiece() == nil)
    #expect(backend.waitingCount == 1)
    stream.leave()
    #expect(backend.waitingCount == 0)
  }

  @Test("brings all changes of one write in one event, and the rest of its time nothing")
  func oneWrite() async throws {
    let backend = try Backend(.scoreboards)
    let viewModels = ["scoreboards/all", "scoreboard/1", "profile/1"]
    for viewModel in viewModels { await backend.get("/v1/view-models/\(viewModel)") }
    let stream = try #require(
      backend.manyEvents(viewModels.map { "screen=\($0)" }.joined(separator: "&")))
    _ = try stream.read()
    for number in 1...20 {
      await backend.call(.patch, "/v1/scoreboards/1", body: ["title": .string("Title \(number)")])
      let pieces = [stream.readPiece(), stream.readPiece()]
      #expect(pieces[1] == nil)
      let text = try String(decoding: #require(pieces[0]).body, as: UTF8.self)
      #expect(text.split(separator: "\n").map { $0.prefix(4) } == ["id: ", "data"])
      let data = try #require(text.split(separator: "\n").last)
      let screens = try JSONReader(JSONValue(parsing: Array(data.dropFirst(6).utf8))).member(
        "screens")
      #expect(try screens.memberNames == ["scoreboard/1", "scoreboards/all"])
    }
  }

  @Test("never lets its client see two view models disagree while another one writes")
  func atomicity() async throws {
    let backend = try Backend(.scoreboards)
    // Those in between, which do not exist, leave a write time to come between the two.
    let between = (100..<198).map { Text("profile/\($0)") }
    var client = MultiReplica(["scoreboards/all"] + between + ["scoreboard/1"])
    let stream = try #require(backend.manyEvents(client.query))
    try client.take(stream.read())
    let writer = Task {
      for number in 1...300 {
        await backend.call(.patch, "/v1/scoreboards/1", body: ["title": .string("Title \(number)")])
      }
    }
    var title = ""
    try await wait {
      for event in try stream.read() {
        try client.take([event])
        title = try #require(client.title(of: "scoreboard/1", row: 0))
        try #require(client.title(of: "scoreboards/all", row: 1) == title)
      }
      return title == "Title 300"
    }
    await writer.value
  }

  @Test("carries a hundred view models, and resumes all of them by one Last-Event-ID")
  func hundred() async throws {
    let (backend, _) = try await SyncTests.manyUsers(100)
    var client = MultiReplica((1...100).map { "profile/\($0)" })
    let stream = try #require(backend.manyEvents(client.query))
    try client.take(stream.read())
    #expect(client.replicas.count == 100)
    for id in [1, 50, 100] { await SyncTests.send("loadPosts", to: id, backend) }
    let events = try stream.read()
    #expect(events.count == 1)
    try client.take(events)
    #expect(client.changed == ["profile/1", "profile/100", "profile/50"])
    stream.leave()
    await SyncTests.send("loadPosts", to: 2, backend)
    let again = try #require(
      backend.manyEvents(client.query, [.lastEventID: client.lastEventID]))
    try client.take(again.read())
    #expect(client.changed == ["profile/2"])
    try await client.compare(with: backend)
    again.leave()
    #expect(backend.waitingCount == 0)
  }

  @Test(
    "tells of a deleted key once, goes on with the others, and with the key when it is there again")
  func deletion() async throws {
    let (backend, _) = try await SyncTests.manyUsers(2)
    var client = MultiReplica(["profile/1", "profile/2", "profile/9"])
    let stream = try #require(backend.manyEvents(client.query))
    try client.take(stream.read())
    #expect(client.problems == ["profile/9": "unknown-key"])
    await backend.call(.delete, "/v1/users/2")
    let gone = try #require(try stream.read().first)
    try client.take([gone])
    #expect(client.changed == ["profile/2"] && client.problems["profile/2"] == "key-deleted")
    #expect(gone.id == "\(try await backend.revision),key-deleted,unknown-key")

    await SyncTests.send("loadPosts", to: 1, backend)
    backend.scheduler.advance(by: .seconds(4))
    try client.take(stream.read())
    #expect(client.changed == ["profile/1"])
    stream.leave()
    let again = try #require(backend.manyEvents(client.query, [.lastEventID: client.lastEventID]))
    #expect(try again.read().map(\.data) == [nil])

    for id in [2, 9] {
      await backend.call(.post, "/v1/users", body: ["id": .integer(id), "username": "u"])
    }
    backend.scheduler.advance(by: .seconds(15))
    try client.take(again.read())
    #expect(client.changed == ["profile/2", "profile/9"])
    #expect(client.problems.isEmpty)
    try await client.compare(with: backend)
  }

  @Test("gives a client that reads late one event for all that happened, and comments when idle")
  func coalesced() async throws {
    let (backend, revisions) = try await SyncTests.manyUsers(3)
    var client = MultiReplica(revisions.keys.sorted().map { "profile/\($0)" })
    let stream = try #require(backend.manyEvents(client.query))
    try client.take(stream.read())
    for id in [1, 2, 3] { await SyncTests.send("appear", to: id, backend) }
    backend.scheduler.advance(by: .seconds(10))
    let events = try stream.read()
    #expect(events.count == 1)
    try client.take(events)
    try await client.compare(with: backend)
    backend.scheduler.advance(by: .seconds(15))
    #expect(try stream.read().map(\.isComment) == [true])
  }

  @Test("knows by its hash what a client holds from before a restart")
  func restart() async throws {
    let (before, since) = try await Backend.loaded()
    let (after, revision) = try await Backend.loaded()
    let have = try await before.contentHash
    let query = "screen=profile/1&since=\(since)&have=\(have)"
    let stream = try #require(after.manyEvents(query))
    #expect(try stream.read().map(\.id) == [revision])
    await after.retitle("Two")
    let diff = await after.diff("since=\(revision)")
    #expect(
      try stream.read().map(\.data) == [Array(#"{"screens":{"profile/1":\#(diff.text)}}"#.utf8)])
  }

  @Test(
    "resets each view model whose revision it does not know, or with strict handling names the problem"
  )
  func reset() async throws {
    let (backend, revision) = try await Backend.loaded()
    // Those of the two view models, exchanged, and one of another run.
    let other = try await backend.get("/v1/view-models/profile/2").string("revision")
    var client = MultiReplica(["profile/1", "profile/2"])
    for (id, reasons) in [
      ("\(other),\(revision)", ["other-screen", "other-screen"]),
      ("\(revision),00000000.7", [nil, "epoch-changed"]),
    ] as [(String, [String?])] {
      let stream = try #require(backend.manyEvents(client.query, [.lastEventID: id]))
      let event = try #require(try stream.read().first)
      #expect(event.id == "\(revision),\(other)")
      let screens = try JSONReader(JSONValue(parsing: #require(event.data))).member("screens")
      for (name, reason) in zip(["profile/1", "profile/2"] as [Text], reasons) {
        let document = try screens.optionalMember(name)
        #expect(try document?.member("kind").string() == reason.map { _ in "reset" })
        #expect(try document?.member("reason").string().string == reason)
      }
    }
    let strict = try #require(
      backend.manyEvents(
        client.query, [.lastEventID: "\(revision),00000000.7", .prefer: "handling=strict"]))
    try client.take(strict.read())
    #expect(client.problems == ["profile/2": "revision-expired"])
    #expect(client.lastEventID == "\(revision),revision-expired")
    await backend.retitle("Two")
    #expect(try strict.read().count == 1)
  }

  /// Queries, a Last-Event-ID, the status, and a part of the detail.
  static let faults: [(String, String, Int, String)] = [
    ("", "", 400, "found 0"), ("since=R", "", 400, "since has no screen before it"),
    ("have=R&screen=profile/1", "", 400, "have has no screen before it"),
    ("screen=", "", 400, "screen is empty"), ("screen=profile", "", 400, "not a screen and a key"),
    ("screen=profile/1/2", "", 400, "not a screen and a key"),
    ("screen=/", "", 400, "not a screen and a key"),
    ("screen=profile/1&since=", "", 400, "since is empty"),
    ("screen=profile/1&since=a%20b", "", 400, "since is not a revision"),
    ("screen=profile/1&have=UPPER", "", 400, "have is not"),
    ("screen=profile/1&since=R&since=R", "", 400, "since of profile/1 is repeated"),
    ("screen=profile/1&screen=profile/2&screen=profile/1", "", 400, "profile/1 is repeated"),
    ((1...101).map { "screen=profile/\($0)" }.joined(separator: "&"), "", 400, "found 101"),
    ("screen=profile/1&screen=nope/1", "", 404, "there is no screen nope"),
    ("screen=profile/1&screen=profile/2", "R", 400, "not name one revision for each"),
    ("screen=profile/1", "R,R", 400, "not name one revision for each"),
    ("screen=profile/1&screen=profile/2", "R,", 400, "not 1 to 64 of"),
    ("screen=profile/1&screen=profile/2", "R,a b", 400, "not 1 to 64 of"),
  ]

  /// One backend for all cases, because no case changes anything.
  private static let refusing = Result { try Backend() }

  @Test("is refused with a problem, not opened, if the request is wrong", arguments: faults)
  func refusals(query: String, lastEventID: String, status: Int, detail: String) async throws {
    let backend = try Self.refusing.get()
    let answer = await backend.get("/v1/events?\(query)", [.lastEventID: lastEventID])
    #expect(answer.status == status)
    #expect(try answer.string("detail").contains(detail), "\(answer.text)")
    #expect(answer["Content-Type"] == "application/problem+json")
    #expect(backend.waitingCount == 0)
  }

  @Test("is refused with 406 and 503, and takes no place for HEAD")
  func limits() async throws {
    let backend = try Backend { $0.configuration.waitingLimits = WaitingLimits(total: 1) }
    let target = "/v1/events?screen=profile/1"
    #expect(await backend.get(target, [.accept: "application/json"]).status == 406)
    #expect(await backend.call(.head, target).status == 200)
    let stream = try #require(backend.manyEvents("screen=profile/1"))
    #expect(await backend.get(target).status == 503)
    _ = try stream.read()
    backend.application.beginDraining()
    #expect(try stream.read().isEmpty && stream.isOver)
    #expect(backend.waitingCount == 0)
  }
}
