import CanonicalJSON
import HTTPTypes
import TestSupport
import Testing
import ViewDeltaServer
import ViewState

@Suite("A command")
struct CommandEndpointTests {
  @Test("to a key that does not exist is none of the journal")
  func unknownKey() async throws {
    let backend = try Backend { $0.configuration.journal = MemoryJournal() }
    let position = try #require(backend.application.journalPosition)
    let path = "/v1/view-models/profile/99/commands"
    #expect(await backend.call(.post, path, body: ["type": "loadPosts"]).status == 404)
    #expect(backend.application.journalPosition == position)
    await backend.send("loadPosts")
    #expect(try #require(backend.application.journalPosition) > position)
  }

  @Test("is 202 where work goes on, 200 where it is done, and says whether it was taken")
  func answers() async throws {
    let backend = try Backend()
    for (type, status, accepted) in [
      ("loadPosts", 202, true), ("loadPosts", 200, false), ("cancelPosts", 200, true),
      ("cancelPosts", 200, false), ("appear", 202, true), ("appear", 200, false),
    ] {
      let before = try await backend.revisions()
      let answer = await backend.send(type)
      let revision = try await backend.revision
      #expect(answer.status == status, "\(type)")
      #expect(answer.text == #"{"accepted":\#(accepted),"revision":"\#(revision)"}"#)
      #expect(answer["View-Revision"] == revision)
      #expect(answer["Cache-Control"] == "no-store")
      let kept = try await backend.revisions()
      #expect(kept == (accepted ? before + [revision] : before))
    }
  }

  @Test("brings the diff since the revision that its sender names")
  func inlineDiff() async throws {
    let backend = try Backend()
    let start = try await backend.revision
    let answer = await backend.send("loadPosts", query: "?since=\(start)")
    let diff = try answer.json.member("diff").value.canonicalBytes()
    let current = try await backend.revision
    #expect(diff == (await backend.diff("since=\(start)&until=\(current)").body))
    #expect(try answer.json.value.canonicalBytes() == answer.body)

    let ignored = await backend.send("loadPosts", query: "?since=\(current)")
    #expect(try ignored.json.member("diff").member("from").string().string == current)
    let unknown = await backend.send("cancelPosts", query: "?since=00000000.3")
    #expect(try unknown.json.member("diff").member("reason").string() == "epoch-changed")
    #expect(await backend.send("loadPosts", query: "?since=").status == 400)
  }

  @Test("is a 409 if the states of all view models would take too much memory")
  func full() async throws {
    let backend = try Backend { $0.configuration.environment.settings.stateByteCount = 1 }
    let answer = await backend.send("loadPosts")
    #expect(answer.status == 409)
    #expect(try answer.json.member("code").string() == "states-full")
    #expect(try await backend.revisions().count == 1)
    let states = try await backend.get(Backend.viewModel).json.member("states")
    #expect(try states.member("posts").string() == "notRequested")
  }

  @Test("of one idempotency key is done once and answered alike each time")
  func idempotency() async throws {
    let backend = try Backend()
    let key: HTTPFields = [.idempotencyKey: "\"8e03978e\""]
    let first = await backend.send("loadPosts", key)
    backend.scheduler.advance(by: .seconds(4))
    let kept = try await backend.revisions()
    let again = await backend.send("loadPosts", key)
    #expect(again.body == first.body && again.status == first.status)

    let other = await backend.send("loadProfile", key)
    #expect(other.status == 422)
    #expect(other.code == "idempotency-key-reused")
    #expect(await backend.send("loadPosts", query: "?since=x", key).status == 422)
    #expect(try await backend.revisions() == kept)
  }

  @Test("sent fifty times at once with one key runs once")
  func concurrentIdempotency() async throws {
    let backend = try Backend()
    let bodies = await withTaskGroup(of: [UInt8].self) { group in
      for _ in 0..<50 {
        group.addTask { await backend.send("appear", [.idempotencyKey: "k"]).body }
      }
      return await group.reduce(into: Set<[UInt8]>()) { $0.insert($1) }
    }
    #expect(bodies.count == 1)
    #expect(try await backend.revisions().count == 2)
  }

  @Test("keeps its key for an hour, and a refusal is kept like any reply")
  func lifetime() async throws {
    let backend = try Backend()
    let key: HTTPFields = [.idempotencyKey: "k"]
    #expect(await backend.send("explode", key).status == 422)
    #expect(await backend.send("loadPosts", key).code == "idempotency-key-reused")
    backend.scheduler.advance(by: .seconds(3600))
    #expect(await backend.send("loadPosts", key).status == 202)
  }

  @Test("repeats its reply under its key whatever has changed since, to the byte")
  func repeatedReplies() async throws {
    let backend = try Backend(logLimits: RevisionLogLimits(count: 4, age: .zero))
    let start = try await backend.revision
    let key: HTTPFields = [.idempotencyKey: "k"]
    let (known, unknown) = ("?since=\(start)", "?since=\(start.prefix(8)).4")
    let first = await backend.send("appear", query: known, key)
    let ahead = await backend.send("appear", query: unknown, [.idempotencyKey: "l"])
    #expect(try ahead.json.member("diff").member("reason").string() == "future-revision")
    backend.scheduler.advance(by: .seconds(4))
    #expect(try await backend.revisions().count == 4)
    #expect(await backend.send("appear", query: known, key).body == first.body)
    // What was ahead is there now, and is still ahead of what the command led to.
    let again = await backend.send("appear", query: unknown, [.idempotencyKey: "l"])
    #expect(again.body == ahead.body)

    await backend.call(.patch, "/v1/users/1", body: ["username": "lovelace"])
    await backend.call(.patch, "/v1/users/1", body: ["username": "ada"])
    let late = try await backend.send("appear", query: known, key).json
    #expect(try late.member("revision").value == first.json.member("revision").value)
    let reset = try late.member("diff")
    #expect(try reset.member("reason").string() == "history-expired")
    #expect(try await reset.member("revision").string().string == backend.revision)

    #expect(await backend.call(.delete, "/v1/users/1").status == 204)
    let last = await backend.send("appear", query: known, key)
    #expect(last.status == first.status)
    #expect(try last.json.memberNames == ["accepted", "revision"])
    #expect(await backend.send("appear").status == 410)
  }

  @Test(
    "to a view model that is not there is refused under its key also when the view model has come")
  func absenceUnderKey() async throws {
    let backend = try Backend()
    func send(_ key: String) async -> Answer {
      await backend.call(
        .post, "/v1/view-models/profile/9/commands", [.idempotencyKey: key],
        body: ["type": "appear"])
    }
    let refused = await send("k")
    #expect(refused.status == 404 && refused.code == "unknown-key")
    await backend.call(.post, "/v1/users", body: ["id": 9, "username": "x"])
    #expect(await send("k").body == refused.body)
    #expect(await send("l").status == 202)
    let path = "/v1/view-models/nothing/1/commands"
    let none = await backend.call(.post, path, [.idempotencyKey: "k"], body: ["type": "appear"])
    #expect(none.code == "unknown-screen")
  }

  @Test("that met another revision than expected can be sent again with the same key")
  func idempotencyAfterPrecondition() async throws {
    let backend = try Backend()
    let refused = await backend.send(
      "loadPosts", [.idempotencyKey: "k", .ifMatch: "\"00000000.0\""])
    #expect(refused.status == 412)
    let tag = "\"\(try await backend.revision)\""
    let again = await backend.send("loadPosts", [.idempotencyKey: "k", .ifMatch: tag])
    #expect(again.status == 202)
  }

  @Test(
    "has one key, whether it is quoted as the draft wants it or bare",
    arguments: [
      ("\"8e03\"", "8e03"), (#""a\"b""#, #"a"b"#), (#""a\\b""#, #"a\b"#), ("\"a b\"", "a b"),
      (#""a b;c=1""#, "a b;c=1"),
    ])
  func quotedKeys(quoted: String, bare: String) async throws {
    let backend = try Backend()
    let first = await backend.send("loadPosts", [.idempotencyKey: quoted])
    #expect(first.status == 202)
    #expect(await backend.send("loadProfile", [.idempotencyKey: bare]).status == 422)
    #expect(await backend.send("loadPosts", [.idempotencyKey: bare]).body == first.body)
  }

  /// One backend for all cases, because no case changes anything.
  private static let refusing = Result { try Backend() }

  @Test(
    "has a key of 1 to 255 printable characters, and a proper string if it is quoted",
    arguments: [
      String(repeating: "k", count: 256), "ä", "\"\"", "\"", "\"open", #""a"b""#, #""a\"#,
      #""a\b""#,
      "\"a\"; p=1", "\"a\", \"b\"", "\"ä\"", "\"\(String(repeating: "k", count: 256))\"",
    ])
  func badKeys(key: String) async throws {
    let backend = try Self.refusing.get()
    #expect(await backend.send("loadPosts", [.idempotencyKey: key]).status == 400)
    #expect(try await backend.revision.hasSuffix(".0"))
  }

  @Test("is refused under two keys, of which each would make it another request")
  func twoKeys() async throws {
    let backend = try Self.refusing.get()
    var keys: HTTPFields = [.idempotencyKey: "a"]
    keys.append(HTTPField(name: .idempotencyKey, value: "b"))
    #expect(await backend.send("loadPosts", keys).status == 400)
    #expect(try await backend.revision.hasSuffix(".0"))
  }

  @Test(
    "under If-Match runs on the named revision only",
    arguments: [
      ("\"R\"", 202), ("*", 202), ("\"x\", \"R\"", 202), ("W/\"R\"", 412), ("\"x\"", 412),
      ("\"00000000.0\"", 412), ("R", 400),
    ])
  func ifMatch(condition: String, status: Int) async throws {
    let backend = try Backend()
    let revision = try await backend.revision
    let answer = await backend.send(
      "loadPosts", [.ifMatch: condition.replacing("R", with: revision)])
    #expect(answer.status == status)
    #expect(try await backend.revisions().count == (status == 202 ? 2 : 1))
    if status == 412 { #expect(answer["View-Revision"] == revision) }
  }

  @Test(
    "that is none is 422 and names the member",
    arguments: [
      (["type": "explode"], "/type"), ([:], "/type"), (["type": 3], "/type"),
      (["type": "appear", "at": 1], "/at"), ([], ""), ("appear", ""), (nil, ""),
    ] as [(JSONValue, String)])
  func refusals(body: JSONValue, pointer: String) async throws {
    let backend = try Backend()
    let answer = await backend.call(.post, Backend.viewModel + "/commands", body: body)
    #expect(answer.status == 422)
    #expect(answer.code == "invalid-command")
    #expect(answer.pointer ?? "" == pointer)
    #expect(try await backend.revision.hasSuffix(".0"))
  }

  @Test("that the screen does not have is told which there are")
  func knownCommands() async throws {
    let backend = try Backend(.catalogs)
    let profile = await backend.send("explode")
    #expect(
      try profile.string("detail")
        == "the screen has no such command: it has appear, loadPosts, cancelPosts, loadProfile, cancelProfile"
    )
    let catalog = await backend.call(
      .post, "/v1/view-models/catalog/1/commands",
      body: ["type": "apply", "operations": [["operation": "explode"]]])
    #expect(
      try catalog.string("detail").hasPrefix(
        "there is no such operation: there are appendSections,"))
    #expect(catalog.pointer == "/operations/0/operation")
  }

  @Test("leaves its name as the cause of what it did")
  func causes() async throws {
    let backend = try Backend()
    try await FaultEndpointTests.script(backend, "posts", ["outcomes": ["fail"]])
    await backend.load()
    await backend.call(.patch, "/v1/users/1", body: ["username": "lovelace"])
    let answer = await backend.get(Backend.viewModel + "/revisions")
    let revisions = try answer.json.member("revisions").elements()
    #expect(
      try revisions.map { "\(try $0.member("cause").value)" } == [
        #"{"kind":"start"}"#,
        #"{"kind":"command","type":"appear"}"#,
        #"{"kind":"loadResult","outcome":"loaded","source":"profile"}"#,
        #"{"code":"unavailable","kind":"loadResult","outcome":"failed","source":"posts"}"#,
        #"{"kind":"storeWrite","source":"profile"}"#,
      ])
    let kept = try await backend.revisions()
    for (older, newer) in zip(kept, kept.dropFirst()) {
      let diff = await backend.diff("since=\(older)&until=\(newer)")
      let entry = try #require(
        try revisions.first { try $0.member("revision").string().string == newer })
      #expect(try entry.member("bytes").integer() == diff.body.count)
    }
    #expect(try revisions.map { try $0.member("operations").integer() } == [0, 2, 3, 2, 1])
  }
}

extension HTTPField.Name {
  static var idempotencyKey: HTTPField.Name { HTTPField.Name("Idempotency-Key")! }
}
