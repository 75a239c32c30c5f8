import CanonicalJSON
import HTTPTypes
import TestSupport
import Testing
import ViewDeltaServer

@Suite("A poll of many view models")
struct SyncTests {
  /// The body of a poll of the users' view models since these revisions.
  static func body(_ revisions: [Int: String], wait: Int? = nil) -> JSONValue {
    var screens: [Text: JSONValue] = [:]
    for (id, revision) in revisions { screens["profile/\(id)"] = ["since": .string(revision)] }
    var body: [Text: JSONValue] = ["screens": .object(screens)]
    if let wait { body["wait"] = .integer(wait) }
    return .object(body)
  }

  /// A backend with so many users, and the revisions of their view models.
  static func manyUsers(_ count: Int) async throws -> (Backend, [Int: String]) {
    let users = (1...count).map { id in
      JSONValue.object(["id": .integer(id), "username": .string("user\(id)")])
    }
    let backend = try Backend(data: ["users": .array(users), "posts": []])
    var revisions: [Int: String] = [:]
    for id in 1...count {
      revisions[id] = try await backend.get("/v1/view-models/profile/\(id)").string("revision")
    }
    return (backend, revisions)
  }

  static func send(_ type: JSONValue, to id: Int, _ backend: Backend) async {
    await backend.call(.post, "/v1/view-models/profile/\(id)/commands", body: ["type": type])
  }

  @Test("waits for a change of any of them, and tells of that one alone what its own poll would")
  func oneChange() async throws {
    let (backend, revisions) = try await Self.manyUsers(50)
    let sync = backend.sync(Self.body(revisions, wait: 20))
    #expect(sync.answer == nil)
    #expect(backend.waitingCount == 1)
    await Self.send("loadPosts", to: 37, backend)
    let answer = try #require(sync.answer)
    let since = try #require(revisions[37])
    let poll = await backend.get("/v1/view-models/profile/37/diff?since=\(since)")
    #expect(answer.status == 200)
    #expect(answer.text == #"{"screens":{"profile/37":\#(poll.text)}}"#)
    #expect(answer["Content-Type"] == "application/json")
    #expect(answer["Cache-Control"] == "no-store")
    #expect(backend.waitingCount == 0)
  }

  @Test("follows no preference for a diff in a reply without one")
  func noDiff() async throws {
    let backend = try Backend()
    let answer = await backend.call(
      .post, "/v1/sync", [.prefer: "return=diff"], body: ["screens": ["profile/1": [:]]])
    #expect(answer.status == 200 && answer["Preference-Applied"] == nil)
  }

  @Test("goes on waiting after a change that cannot be seen, and tells of the next one that can")
  func rename() async throws {
    let (backend, revisions) = try await Self.manyUsers(2)
    let since = try #require(revisions[1])
    let sync = backend.sync(Self.body(revisions, wait: 20))
    await backend.call(.patch, "/v1/users/1", body: ["username": "other"])
    #expect(try await backend.revision != since)
    #expect(sync.answer == nil)
    let renamed = "\(try await backend.revision),\(try #require(revisions[2]))"
    let now = backend.sync(Self.body(revisions)).answer
    #expect(now?.status == 204 && now?["View-Revision"] == renamed)
    backend.scheduler.advance(by: .seconds(1))
    let later = backend.sync(Self.body(revisions, wait: 5))
    await backend.call(.patch, "/v1/users/1", body: ["username": "another"])
    #expect(later.answer == nil)
    backend.scheduler.advance(by: .seconds(5))
    #expect(
      later.answer?["View-Revision"]
        == "\(try await backend.revision),\(try #require(revisions[2]))")
    await Self.send("loadPosts", to: 1, backend)
    let poll = await backend.diff("since=\(since)")
    #expect(try poll.string("from") == since)
    #expect(sync.answer?.text == #"{"screens":{"profile/1":\#(poll.text)}}"#)
  }

  @Test("tells at once of all that changed since, and of nothing else")
  func manyChanges() async throws {
    let (backend, revisions) = try await Self.manyUsers(20)
    for id in [3, 11, 19] { await Self.send("appear", to: id, backend) }
    let answer = try #require(backend.sync(Self.body(revisions, wait: 20)).answer)
    let screens = try answer.json.member("screens")
    #expect(try screens.memberNames.sorted() == ["profile/11", "profile/19", "profile/3"])
    for id in [3, 11, 19] {
      let since = try #require(revisions[id])
      let poll = await backend.get("/v1/view-models/profile/\(id)/diff?since=\(since)")
      #expect(answer.text.contains(#""profile/\#(id)":\#(poll.text)"#))
    }
  }

  @Test("is 204 after its time, at once without one, and after 55 seconds at the latest")
  func timeout() async throws {
    let (backend, revisions) = try await Self.manyUsers(3)
    #expect(backend.sync(Self.body(revisions)).answer?.status == 204)
    #expect(backend.sync(Self.body(revisions, wait: 0)).answer?.status == 204)
    for (wait, seconds) in [(7, 7), (56, 55), (1_000_000_000, 55)] {
      let sync = backend.sync(Self.body(revisions, wait: wait))
      backend.scheduler.advance(by: .seconds(seconds) - .milliseconds(101))
      #expect(sync.answer == nil)
      backend.scheduler.advance(by: .milliseconds(101))
      #expect(sync.answer?.status == 204)
      #expect(sync.answer?["Cache-Control"] == "no-store")
    }
    #expect(backend.waitingCount == 0)
    // View models that nothing has touched are kept for up to two minutes.
    backend.scheduler.advance(by: .seconds(120))
    #expect(backend.scheduler.pendingCount == 0)
  }

  @Test("gives the whole view model of which the client has nothing")
  func withoutSince() async throws {
    let backend = try Backend()
    let answer = await backend.call(
      .post, "/v1/sync", body: ["screens": ["profile/1": [:]], "wait": 20])
    let snapshot = await backend.get(Backend.viewModel)
    #expect(answer.text == #"{"screens":{"profile/1":\#(snapshot.text)}}"#)
  }

  @Test("tells what is wrong with one view model without harm to the others")
  func mixed() async throws {
    let (backend, revision) = try await Backend.loaded()
    await backend.call(.post, "/v1/users", body: ["id": 3, "username": "carla"])
    await backend.get("/v1/view-models/profile/3")
    await backend.call(.delete, "/v1/users/3")
    let body: JSONValue = [
      "screens": [
        "profile/1": ["since": .string(revision)], "profile/2": ["since": "00000000.7"],
        "profile/3": ["since": "00000000.7"], "profile/99": [:], "nope/1": [:],
      ],
      "wait": 20,
    ]
    let answer = await backend.call(.post, "/v1/sync", body: body)
    let screens = try answer.json.member("screens")
    #expect(answer.status == 200)
    let second = try await backend.get("/v1/view-models/profile/2").string("revision")
    #expect(
      answer["View-Revision"]
        == "unknown-screen,\(revision),\(second),key-deleted,unknown-key")
    #expect(
      try screens.memberNames.sorted() == ["nope/1", "profile/2", "profile/3", "profile/99"])
    let reset = await backend.get("/v1/view-models/profile/2/diff?since=00000000.7")
    #expect(answer.text.contains(#""profile/2":\#(reset.text)"#))
    for (name, status, code) in [
      ("nope/1", 404, "unknown-screen"), ("profile/3", 410, "key-deleted"),
      ("profile/99", 404, "unknown-key"),
    ] as [(Text, Int, Text)] {
      let problem = try screens.member(name)
      #expect(try problem.member("kind").string() == "problem")
      #expect(try problem.member("status").integer() == status)
      #expect(try problem.member("code").string() == code)
    }
  }

  @Test("tells keys apart by their bytes, and takes a mark behind the slash for the key that it is")
  func keys() async throws {
    let backend = try Backend()
    for key in ["\u{E9}", "e\u{301}", "\u{301}"] {
      await backend.call(.post, "/v1/users", body: ["id": .string(key), "username": "u"])
    }
    let body: JSONValue = [
      "screens": [
        "profile/\u{E9}": [:], "profile/e\u{301}": [:], "profile/\u{301}": [:],
        "profile/\u{308}": [:],
      ]
    ]
    let answer = await backend.call(.post, "/v1/sync", body: body)
    #expect(answer.status == 200)
    let screens = try answer.json.member("screens")
    for (name, path) in [
      ("profile/\u{E9}", "%C3%A9"), ("profile/e\u{301}", "e%CC%81"), ("profile/\u{301}", "%CC%81"),
    ] as [(Text, String)] {
      let snapshot = await backend.get("/v1/view-models/profile/" + path)
      #expect(snapshot.status == 200)
      #expect(try screens.member(name).value == snapshot.json.value)
      #expect(try screens.member(name).member("screen").string() == name)
    }
    let unknown = await backend.get("/v1/view-models/profile/%CC%88")
    #expect(unknown.status == 404 && unknown.code == "unknown-key")
    #expect(try screens.member("profile/\u{308}").member("code").string() == "unknown-key")
  }

  @Test("gives a strict client a problem in place of the reset of one view model")
  func strict() async throws {
    let (backend, _) = try await Backend.loaded()
    let body: JSONValue = ["screens": ["profile/1": ["since": "00000000.7"], "profile/2": [:]]]
    let answer = await backend.call(
      .post, "/v1/sync", [.prefer: "handling=strict"], body: body)
    let screens = try answer.json.member("screens")
    #expect(try screens.member("profile/1").member("code").string() == "revision-expired")
    #expect(try screens.member("profile/1").member("reason").string() == "epoch-changed")
    #expect(try screens.member("profile/2").member("kind").string() == "snapshot")
  }

  @Test("knows a client's content by its hash over a restart")
  func have() async throws {
    let (backend, _) = try await Backend.loaded()
    let have = try await backend.contentHash
    let sync = backend.sync([
      "screens": ["profile/1": ["since": "00000000.7", "have": .string(have)]], "wait": 20,
    ])
    #expect(sync.answer == nil)
    let now = await backend.call(
      .post, "/v1/sync",
      body: ["screens": ["profile/1": ["since": "00000000.7", "have": .string(have)]]])
    #expect(now.status == 204)
    #expect(try await now["View-Revision"] == backend.revision)
    await backend.retitle("Two")
    let diff = try #require(try sync.answer?.json.member("screens").member("profile/1"))
    #expect(try diff.member("kind").string() == "diff")
    #expect(try diff.member("from").string() == "00000000.7")
  }

  @Test("tells of a key that is deleted while it waits")
  func deleted() async throws {
    let (backend, revisions) = try await Self.manyUsers(3)
    let sync = backend.sync(Self.body(revisions, wait: 20))
    await backend.call(.delete, "/v1/users/2")
    let screens = try #require(try sync.answer?.json.member("screens"))
    #expect(try screens.memberNames == ["profile/2"])
    #expect(try screens.member("profile/2").member("code").string() == "key-deleted")
  }

  @Test("tells at once of a key that is created while it waits, for the first time or again")
  func created() async throws {
    let (backend, revisions) = try await Self.manyUsers(2)
    await backend.call(.delete, "/v1/users/2")
    for (id, code) in [(2, "key-deleted"), (9, "unknown-key")] {
      let body: JSONValue = [
        "screens": [
          "profile/1": ["since": .string(try #require(revisions[1]))],
          "profile/\(id)": ["since": .string(code)],
          // No write creates a view model of it.
          "profile/\u{7}": ["since": "unknown-key"],
        ], "wait": 20,
      ]
      let (sync, gone) = (backend.sync(body), backend.sync(body))
      gone.abandon()
      await backend.call(.post, "/v1/users", body: ["id": 5, "username": "other"])
      #expect(sync.answer == nil)
      await backend.call(
        .post, "/v1/users", body: ["id": .integer(id), "username": .string("user")])
      let screens = try #require(try sync.answer?.json.member("screens"))
      let name = Text("profile/\(id)")
      #expect(try screens.memberNames == [name])
      #expect(try screens.member(name).member("kind").string() == "reset")
      #expect(gone.answer == nil)
    }
    #expect(backend.waitingCount == 0)
  }

  @Test("is forgotten when its client leaves, and answered when the server goes down")
  func ends() async throws {
    let (backend, revisions) = try await Self.manyUsers(3)
    let gone = backend.sync(Self.body(revisions, wait: 20))
    let waiting = backend.sync(Self.body(revisions, wait: 20))
    gone.abandon()
    #expect(backend.waitingCount == 1)
    backend.application.beginDraining()
    #expect(waiting.answer?.status == 204)
    #expect(gone.answer == nil)
    #expect(backend.sync(Self.body(revisions, wait: 20)).answer?.status == 503)
  }
}
