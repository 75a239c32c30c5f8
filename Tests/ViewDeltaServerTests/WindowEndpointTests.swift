import AllocationCounter
import CanonicalJSON
import HTTPTypes
import MicroHTTP
import TestSupport
import Testing
import ViewDeltaClient
import ViewState

@testable import ViewDeltaServer

@Suite("A window of a view model")
struct WindowEndpointTests {
  private static let board = "/v1/view-models/scoreboard/4"
  private static let players = "/v1/scoreboards/4/players"

  /// A backend whose board 4 has so many players, of whom each has a point more than the one after.
  private static func backend(players count: Int) async throws -> Backend {
    let backend = try Backend(.scoreboards)
    for number in 0..<count {
      let player: JSONValue = [
        "id": .integer(100 + number), "name": .string("P\(number)"),
        "score": .integer(1_000 - number),
      ]
      #expect(await backend.call(.post, players, body: player).status == 201)
    }
    return backend
  }

  /// Makes a list of elements with titles of a length, and returns its path.
  private static func list(of count: Int, titleLength: Int) throws -> (Backend, path: String) {
    let scheduler = ManualScheduler()
    var demo = DemoApplication(ScreenEnvironment(scheduler: scheduler), [])
    let title = JSONValue.string(Text(String(repeating: "x", count: titleLength)))
    demo.configuration.data = [
      "list": .array((0..<count).map { ["id": .integer($0), "title": title] })
    ]
    let backend = Backend(scheduler: scheduler, application: try demo.make())
    return (backend, "/v1/view-models/collection/list")
  }

  /// Returns the largest number of bytes that this thread holds at one time while it finds a reply.
  private static func peakByteCount(of request: Request, to backend: Backend) throws -> Int {
    allocation_counter_start()
    let reply = backend.application.router.reply(to: request)
    let counts = allocation_counter_stop()
    switch reply {
    case .now, .standing: return counts.peakBytes
    case .later, .stream: throw LawViolation("the reply is made on another thread")
    }
  }

  private static func score(_ backend: Backend, _ number: Int, _ score: Int) async {
    await backend.call(
      .patch, "\(players)/\(100 + number)", body: ["score": .integer(score)])
  }

  private static func ids(_ answer: Answer) throws -> [String] {
    try answer.rows.map { try $0.member("id").string().string }
  }

  @Test("has the rows that it names, the number of all, and the revision and the tag of the whole")
  func snapshot() async throws {
    let backend = try await Self.backend(players: 30)
    let whole = await backend.get(Self.board)
    let seen = await backend.get("\(Self.board)?window=10,5")
    let all = try Self.ids(whole)
    #expect(try Self.ids(seen) == Array(all[10..<15]))
    #expect(try seen.json.member("rowCount").integer() == 5)
    #expect(
      try seen.json.member("window").value == [
        "count": 5, "start": 10, "total": .integer(all.count),
      ])
    #expect(seen["ETag"] == whole["ETag"] && seen["View-Revision"] == whole["View-Revision"])
    let tag = try #require(seen["ETag"])
    #expect(await backend.get("\(Self.board)?window=10,5", [.ifNoneMatch: tag]).status == 304)
    let replica = try Replica(document: seen.body)
    #expect(replica.snapshot.window?.total == all.count && replica.canonicalBytes() == seen.body)
    #expect(try Self.ids(await backend.get("\(Self.board)?window=500,5")) == [])
    let revision = try whole.string("revision")
    await Self.score(backend, 12, 0)
    let old = await backend.get("\(Self.board)?at=\(revision)&window=10,5")
    #expect(old.text == seen.text)
  }

  @Test("is sent when a client scrolls, though its tag is that of the window that the client has")
  func scrolledTag() async throws {
    let (backend, list) = try Self.list(of: 300, titleLength: 80)
    let held = await backend.get("\(list)?window=0,100")
    let (since, tag) = (try held.string("revision"), try #require(held["ETag"]))
    let scroll = "\(list)/diff?since=\(since)&window=0,100&next=200,100"
    let seen = await backend.get(scroll, [.ifNoneMatch: tag])
    // It is smaller than the diff between the two windows.
    #expect(try seen.status == 200 && seen.string("kind") == "snapshot")
    #expect(seen.body == (await backend.get("\(list)?window=200,100")).body)
  }

  @Test("gets the changes of its rows alone, and a poll is not woken by others")
  func outside() async throws {
    let backend = try await Self.backend(players: 30)
    let since = try await backend.get("\(Self.board)?window=0,10").string("revision")
    let target = "\(Self.board)/diff?since=\(since)&window=0,10"
    let poll = backend.open(.get, "\(target)&wait=20")
    await backend.call(.patch, "\(Self.players)/120", body: ["name": "Outside"])
    #expect(poll.answer == nil)
    let unchanged = await backend.get(target)
    #expect(unchanged.status == 204)
    let renamed = try #require(unchanged["View-Revision"])
    #expect(renamed != since)
    await backend.call(.patch, "\(Self.players)/103", body: ["name": "Inside"])
    let answer = try #require(poll.answer)
    #expect(answer.status == 200 && answer.text.contains(#""name":"Inside""#))
    #expect(!answer.text.contains("Outside"))
    let later = await backend.get("\(Self.board)/diff?since=\(renamed)&window=0,10")
    #expect(try later.json.member("rows").value == answer.json.member("rows").value)
  }

  @Test("scrolls to the next one by a diff")
  func scroll() async throws {
    let backend = try await Self.backend(players: 30)
    let first = await backend.get("\(Self.board)?window=5,10")
    var replica = try Replica(document: first.body)
    let scrolled = await backend.get(
      "\(Self.board)/diff?since=\(replica.revision)&window=5,10&next=7,10")
    let changes = try replica.apply(document: scrolled.body)
    #expect(changes.rows.deletes.count == 2 && changes.rows.inserts.count == 2)
    #expect(changes.rows.moves.isEmpty && changes.rows.updates.isEmpty)
    #expect(replica.canonicalBytes() == (await backend.get("\(Self.board)?window=7,10")).body)
    let same = await backend.get(
      "\(Self.board)/diff?since=\(replica.revision)&window=7,10&next=7,10")
    #expect(same.status == 204)
    let patch = await backend.get(
      "\(Self.board)/diff?since=\(replica.revision)&window=7,10&next=8,10",
      [.accept: "application/json-patch+json"])
    #expect(patch.text.contains(#""path":"/window""#))
    let gone = await backend.get("\(Self.board)/diff?since=other.1&window=7,10&next=8,10")
    #expect(try gone.string("kind") == "reset" && Self.ids(gone).count == 10)
  }

  @Test("is the next one for a client whose stream breaks after it has scrolled")
  func reconnection() async throws {
    let backend = try await Self.backend(players: 30)
    let since = try await backend.get(Self.board).string("revision")
    let query = "since=\(since)&window=5,5&next=6,5"
    let stream = try #require(backend.events(query, of: Self.board))
    #expect(try stream.read().count == 1)
    await backend.call(.patch, "\(Self.players)/108", body: ["name": "Eight"])
    // A browser opens the same address again.
    let back = try #require(backend.events(query, [.lastEventID: since], of: Self.board))
    let diff = await backend.get("\(Self.board)/diff?since=\(since)&window=6,5")
    #expect(try back.read().map(\.data) == [diff.body])
  }

  @Test("equals what a client has that is fed diffs only, while rows change and it scrolls")
  func history() async throws {
    try await withSeeds(15) { random in
      let backend = try await Self.backend(players: 40)
      var window = "0,10"
      var replica = try Replica(document: await backend.get("\(Self.board)?window=\(window)").body)
      for _ in 0..<40 {
        switch random.number(in: 0...3) {
        case 0: await Self.score(backend, random.number(in: 0...39), random.number(in: 0...1_100))
        case 1:
          await backend.call(
            .delete, "\(Self.players)/\(100 + random.number(in: 0...39))")
        case 2:
          await backend.call(
            .post, Self.players,
            body: ["name": "New", "score": .integer(random.number(in: 0...1_100))])
        default: break
        }
        let next =
          random.chance(0.3)
          ? "\(random.number(in: 0...50)),\(random.number(in: 1...30))" : window
        let answer = await backend.get(
          "\(Self.board)/diff?since=\(replica.revision)&window=\(window)&next=\(next)",
          [.prefer: "return=diff"])
        try replica.take(answer)
        window = next
        let expected = await backend.get("\(Self.board)?window=\(window)").body
        try require(replica.canonicalBytes() == expected, "window \(window)")
      }
    }
  }

  @Test(
    "is followed in one poll and one stream of many view models, and by the sender of a command")
  func everywhere() async throws {
    let backend = try await Self.backend(players: 30)
    let since = try await backend.get("\(Self.board)?window=5,5").string("revision")
    await backend.call(.patch, "\(Self.players)/107", body: ["name": "Seven"])
    let poll = await backend.get("\(Self.board)/diff?since=\(since)&window=5,5&next=6,5")
    let held: JSONValue = [
      "since": .string(since), "window": ["start": 5, "count": 5],
      "next": ["start": 6, "count": 5],
    ]
    let sync = backend.sync(["screens": ["scoreboard/4": held]])
    #expect(sync.answer?.text == #"{"screens":{"scoreboard/4":\#(poll.text)}}"#)
    let stream = try #require(
      backend.events("since=\(since)&window=5,5&next=6,5", of: Self.board))
    let opening = try stream.read()
    #expect(opening.count == 1 && opening[0].data == poll.body)
    await backend.call(.patch, "\(Self.players)/129", body: ["name": "Outside"])
    await backend.call(.patch, "\(Self.players)/108", body: ["name": "Eight"])
    let events = try stream.read()
    #expect(events.count == 1)
    let before = await backend.get("\(Self.board)?at=\(since)&window=5,5")
    var replica = try Replica(document: before.body)
    try replica.apply(document: poll.body)
    try replica.apply(document: try #require(events.last?.data))
    #expect(replica.canonicalBytes() == (await backend.get("\(Self.board)?window=6,5")).body)

    // A view model that is not made yet would be made on another thread.
    _ = await backend.get("/v1/view-models/scoreboards/all")
    let target =
      "/v1/events?screen=scoreboard/4&since=\(since)&window=5,5&screen=scoreboards/all"
    let many = try #require(
      StreamReader(backend.application.router, Request(method: .get, target: target, fields: [:])))
    let first = try #require(try many.read().first?.data)
    #expect(String(decoding: first, as: UTF8.self).contains(#""window":{"count":5,"start":5,"#))
    let sent = await backend.call(
      .post, "\(Self.board)/commands?since=\(replica.revision)&window=6,5",
      body: ["type": "setScore", "player": 108, "score": 5])
    #expect(sent.status == 200)
    try replica.apply(document: sent.json.member("diff").value.canonicalBytes())
    #expect(replica.canonicalBytes() == (await backend.get("\(Self.board)?window=6,5")).body)
  }

  @Test(
    "says in a stream that its rows were others meanwhile, as the reply to a command may have shown them",
    arguments: ["\(board)/events?since={S}", "/v1/events?screen=scoreboard/4&since={S}"])
  func meanwhile(target: String) async throws {
    let backend = try await Self.backend(players: 30)
    let since = try await backend.get("\(Self.board)?window=0,10").string("revision")
    let stream = try #require(
      StreamReader(
        backend.application.router,
        Request(
          method: .get, target: target.replacing("{S}", with: since) + "&window=0,10", fields: [:]))
    )
    _ = try stream.read()
    await backend.call(.patch, "\(Self.players)/120", body: ["name": "Outside"])
    #expect(try stream.read().isEmpty)
    for name in ["Other", "P3"] as [JSONValue] {
      await backend.call(.patch, "\(Self.players)/103", body: ["name": name])
    }
    let diff = await backend.get("\(Self.board)/diff?since=\(since)&window=0,10")
    #expect(diff.status == 204)
    let event = try #require(stream.read().first)
    let current = try #require(diff["View-Revision"])
    let data = String(decoding: try #require(event.data), as: UTF8.self)
    #expect(event.id == current && data.contains(#""from":"\#(since)","kind":"diff""#))
    #expect(!data.contains("rows"))
    // Of so many revisions not all are compared.
    for number in 1...SeenRevision.comparedCount + 2 {
      #expect(try stream.read().isEmpty)
      await backend.call(.patch, "\(Self.players)/120", body: ["name": "Outside \(number)"])
    }
    #expect(try stream.read().map(\.id) == [try await backend.get(Self.board).string("revision")])
  }

  @Test(
    "is not cut for a reply that is known, nor if nothing in it has changed",
    .enabled(if: allocation_counter_is_available(), "a sanitizer has an allocator of its own"))
  func cutsNothing() async throws {
    let (backend, list) = try Self.list(of: 3_000, titleLength: 1)
    let elements = "/v1/collections/list"
    let first = try await backend.get("\(list)?window=500,1000").string("revision")
    await backend.call(.patch, "\(elements)/1000", body: ["title": "Inside"])
    let second = try await backend.get("\(list)?window=500,1000").string("revision")
    await backend.call(.patch, "\(elements)/2000", body: ["title": "Outside"])
    for (target, status) in [
      ("?window=500,1000", 200), ("/diff?since=\(first)&window=500,1000", 200),
      ("/diff?since=\(second)&window=500,1000", 204),
    ] {
      let request = Request(method: .get, target: list + target, fields: [:])
      // A small reply is kept if it is asked for twice.
      for _ in 0..<2 { #expect(await backend.get(list + target).status == status) }
      // The references of a cut to its rows take 16,000 bytes.
      let byteCount = try Self.peakByteCount(of: request, to: backend)
      #expect(byteCount < 12_000, "\(target) takes \(byteCount) bytes")
    }
  }

  @Test(
    "is not encoded whole for a diff that is clearly smaller",
    .enabled(if: allocation_counter_is_available(), "a sanitizer has an allocator of its own"))
  func encodesNoWhole() async throws {
    let (backend, list) = try Self.list(of: 1_100, titleLength: 800)
    let since = try await backend.get("\(list)?window=0,1000").string("revision")
    let request = Request(
      method: .get, target: "\(list)/diff?since=\(since)&window=0,1000&next=10,1000", fields: [:])
    // The document takes more than 800,000 bytes.
    let byteCount = try Self.peakByteCount(of: request, to: backend)
    #expect(byteCount < 500_000, "\(byteCount) bytes")
    let diff = await backend.application.router.respond(to: request)
    #expect((4_097...20_000).contains(diff.body.count))
  }

  /// One backend for all cases, because no case changes anything.
  private static let refusing = Result { try Backend(.scoreboards) }

  @Test(
    "is refused if it is malformed, out of range, or does not belong to the other parameters",
    arguments: [
      "?window=", "?window=1", "?window=1,", "?window=,1", "?window=-1,5", "?window=1,0",
      "?window=1,1001", "?window=99999999999999999999,1", "?window=2147483648,1", "?window=1,2,3",
      "?window=1,2&window=1,2", "?window=a,b", "?window=%2B1,2", "/diff?since=R&next=0,5",
      "/diff?window=0,5&next=0,5", "/diff?since=R&window=0,5&next=5",
      "/diff?since=R&window=0,5&have=47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU",
      "/events?next=0,5",
    ])
  func refusals(query: String) async throws {
    let answer = await (try Self.refusing.get()).get(Self.board + query)
    #expect(answer.status == 400 && answer.code == "bad-query", "\(answer.text)")
  }

  @Test("is refused in a body with the member at fault")
  func bodies() async throws {
    let backend = try Backend(.scoreboards)
    for (held, pointer) in [
      (["window": "0,5"], "/screens/scoreboard~14/window"),
      (["window": ["start": 0]], "/screens/scoreboard~14/window/count"),
      (["window": ["start": 0, "count": 0]], "/screens/scoreboard~14/window"),
      (["next": ["start": 0, "count": 1]], "/screens/scoreboard~14"),
    ] as [(JSONValue, String)] {
      let answer = try #require(backend.sync(["screens": ["scoreboard/4": held]]).answer)
      #expect(answer.status == 422 && answer.pointer == pointer, "\(answer.text)")
    }
  }
}
