import CanonicalJSON
import HTTPTypes
import TestSupport
import Testing
import ViewDeltaClient
import ViewState

@Suite("A diff")
struct DiffEndpointTests {
  @Test("without a revision to start from is the snapshot")
  func withoutSince() async throws {
    let backend = try Backend()
    let answer = await backend.get(Backend.viewModel + "/diff")
    #expect(answer.body == (await backend.get(Backend.viewModel).body))
    #expect(answer.status == 200)
  }

  @Test("since the current revision is 204, which nobody may cache")
  func current() async throws {
    let backend = try Backend()
    let revision = try await backend.revision
    for query in ["since=\(revision)", "since=\(revision)&wait=0"] {
      let answer = await backend.diff(query)
      #expect(answer.status == 204)
      #expect(answer.body.isEmpty)
      #expect(answer["View-Revision"] == revision)
      #expect(answer["Cache-Control"] == "no-store")
    }
  }

  @Test("since an older revision has exactly what changed")
  func changed() async throws {
    let backend = try Backend()
    let start = try await backend.revision
    await backend.send("loadPosts")
    let answer = await backend.diff("since=\(start)")
    let current = try await backend.revision
    let digest = try await backend.get(Backend.viewModel).string("digest")
    #expect(answer.status == 200)
    #expect(answer["View-Revision"] == current)
    #expect(
      answer.text
        == #"{"digest":"\#(digest)","from":"\#(start)","kind":"diff","revision":"\#(current)","rowCount":3,"rows":{"inserts":[{"at":[1,1],"row":{"id":"posts/loading","text":"Loading…","type":"contentLoading"}}]},"screen":"profile/1","states":{"posts":"isLoading"}}"#
    )
  }

  @Test("is one for a burst of changes, and has no operations for a way out and back")
  func bursts() async throws {
    let backend = try Backend()
    await backend.load()
    let start = try await backend.revision
    await backend.load()
    let answer = await backend.diff("since=\(start)")
    #expect(
      try answer.json.memberNames == ["digest", "from", "kind", "revision", "rowCount", "screen"])
    #expect(try answer.string("from") == start)
  }

  @Test("is a snapshot if a large diff would be larger than that")
  func notSmaller() async throws {
    let posts = (1...40).map { id in
      JSONValue.object([
        "id": .integer(id), "userId": 1, "title": "A title", "body": .string("\(id) ".repeated(60)),
      ])
    }
    let backend = try Backend(
      data: ["users": [["id": 1, "username": "ada"]], "posts": .array(posts)])
    let start = try await backend.revision
    await backend.load()
    let large = await backend.diff("since=\(start)")
    #expect(try large.string("kind") == "snapshot")
    #expect(large.body == (await backend.get(Backend.viewModel).body))
    #expect(large["Cache-Control"] == "no-store")
    let tag = try #require(large["ETag"])
    for coding in ["identity", "gzip"] {
      let fields: HTTPFields = [.acceptEncoding: coding, .ifNoneMatch: tag]
      let known = await backend.diff("since=\(start)", fields)
      #expect(known.status == 304 && known["ETag"] == tag, "\(coding)")
      #expect(await backend.diff("since=\(start)", [.ifNoneMatch: "\"other\""]).body == large.body)
    }
    #expect(await backend.diff("since=\(start)", [.ifMatch: "\"other\""]).status == 412)
    let event = try #require(try backend.events("since=\(start)")?.read().first)
    #expect(event.data == large.body)
    let pinnedBody = try await backend.diff("since=\(start)&until=\(backend.revision)").body
    let wanted = await backend.diff("since=\(start)", [.prefer: "return=diff"])
    #expect(wanted.body == pinnedBody && wanted["Cache-Control"] == "max-age=1")
    #expect(wanted["Preference-Applied"] == "return=diff" && large["Preference-Applied"] == nil)
    for answer in [wanted, large] {
      #expect(answer["Vary"] == "Accept, Accept-Encoding, Prefer")
    }
    #expect(await backend.diff("since=\(start)").body == large.body)

    // The same for events and for a poll of many view models.
    let stream = try #require(backend.events("since=\(start)", [.prefer: "return=diff"]))
    #expect(try stream.read().first?.data == pinnedBody)
    let applied = try #require(HTTPField.Name("Preference-Applied"))
    #expect(stream.fields[applied] == "return=diff")
    let held: JSONValue = ["screens": ["profile/1": ["since": .string(start)], "profile/2": [:]]]
    func synced(_ fields: HTTPFields) throws -> Answer {
      try #require(backend.sync(held, fields).answer)
    }
    let (plain, preferred) = (try synced([:]), try synced([.prefer: "return=diff"]))
    #expect(
      try plain.json.member("screens").member("profile/1").value.canonicalBytes() == large.body)
    #expect(
      try preferred.json.member("screens").member("profile/1").value.canonicalBytes() == pinnedBody)
    #expect(plain["Preference-Applied"] == nil)
    #expect(preferred["Preference-Applied"] == "return=diff")

    let loaded = try await backend.revision
    #expect(
      await backend.call(.patch, "/v1/users/1/posts/7", body: ["title": "Other"]).status == 200)
    let small = await backend.diff("since=\(loaded)")
    #expect(try small.string("kind") == "diff" && small["Preference-Applied"] == nil)
    let whole = await backend.get(Backend.viewModel + "/diff", [.prefer: "return=diff"])
    #expect(try whole.string("kind") == "snapshot" && whole["Preference-Applied"] == nil)
    let pinned = await backend.diff("since=\(start)&until=\(loaded)")
    #expect(try pinned.string("kind") == "diff")
  }

  @Test("of up to 4 KiB is never a snapshot, and no event either, whatever is around it")
  func framing() async throws {
    let backend = try Backend(data: [
      "users": [["id": 1, "username": "u"]],
      "posts": [["id": 1, "userId": 1, "title": "t", "body": "b", "date": "2026-01-01"]],
    ])
    await backend.load()
    func write(_ size: Int) async throws -> (start: String, diff: Answer) {
      let start = try await backend.revision
      await backend.call(
        .patch, "/v1/users/1/posts/1", body: ["body": .string("x".repeated(size))])
      let end = try await backend.revision
      return (start, await backend.diff("since=\(start)&until=\(end)"))
    }
    let around = try await write(3_000).diff.body.count - 3_000
    // Only one byte longer than what it takes to be compared with the snapshot, which is larger.
    for size in [4_096, 4_097] {
      await backend.call(.patch, "/v1/users/1/posts/1", body: ["body": "y"])
      let (start, diff) = try await write(size - around)
      #expect(diff.body.count == size)
      let snapshot = await backend.get(Backend.viewModel)
      #expect(snapshot.body.count > size && snapshot.body.count * 9 / 10 < size)
      #expect(await backend.diff("since=\(start)").body == diff.body)
      #expect(try backend.events("since=\(start)")?.read().first?.data == diff.body)
    }

    let boards = try Backend(.scoreboards)
    let (board, viewModel) = ("/v1/scoreboards/4", "/v1/view-models/scoreboard/4")
    let players = (101...120).map { JSONValue.object(["id": .integer($0), "name": "P"]) }
    await boards.call(.put, board, body: ["title": "T", "players": .array(players)])
    let full = try await boards.get(viewModel).string("revision")
    await boards.call(.put, board, body: ["title": "T"])
    let cleared = await boards.get(viewModel + "/diff?since=\(full)")
    #expect(try cleared.string("kind") == "diff")
    #expect(await cleared.body.count > boards.get(viewModel).body.count)
  }

  @Test("of one changed field costs at most 200 bytes beside it")
  func overhead() async throws {
    let posts = (1...100).map { id in
      JSONValue.object(["id": .integer(id), "userId": 1, "title": "T", "body": "B"])
    }
    let backend = try Backend(
      data: ["users": [["id": 1, "username": "ada"]], "posts": .array(posts)])
    await backend.load()
    let start = try await backend.revision
    await backend.call(.patch, "/v1/users/1/posts/50", body: ["title": "A new title"])
    let answer = await backend.diff("since=\(start)")
    let value = #""title":"A new title""#
    #expect(answer.text.contains(value))
    #expect(answer.body.count - value.utf8.count <= 200)
  }

  @Test("since a revision it does not know is a reset with the reason and the whole view model")
  func resets() async throws {
    let backend = try Backend(logLimits: .init(count: 2, age: .zero))
    let first = try await backend.revision
    await backend.load()
    let other = try await backend.get("/v1/view-models/profile/2").string("revision")
    let snapshot = try await backend.get(Backend.viewModel).json.object()
    let epoch = first.split(separator: ".")[0]
    for (since, reason) in [
      (first, "history-expired"), (other, "other-screen"), ("\(epoch).99", "future-revision"),
      ("00000000.0", "epoch-changed"), ("A.b_c-1", "epoch-changed"),
    ] {
      let answer = await backend.diff("since=\(since)")
      #expect(answer.status == 200)
      #expect(answer["Cache-Control"] == "no-store")
      var expected = snapshot
      expected["kind"] = "reset"
      expected["reason"] = .string(reason)
      #expect(try answer.json.value == .object(expected))

      let strict = await backend.diff("since=\(since)", [.prefer: "wait=5, handling=strict"])
      #expect(strict.status == 410)
      #expect(strict.code == "revision-expired")
      #expect(try strict.string("reason") == reason)
      #expect(strict["Preference-Applied"] == "handling=strict")
      let first = await backend.diff(
        "since=\(since)", [.prefer: "handling=lenient, handling=strict"])
      #expect(first.status == 200 && first.body == answer.body)
    }
  }

  @Test("since the oldest kept revision works, and one older is history-expired")
  func edge() async throws {
    let backend = try Backend(logLimits: .init(count: 4, age: .zero))
    await backend.load()
    let gone = try await backend.revision
    await backend.load()
    await backend.load()
    let kept = try await backend.revisions()
    #expect(kept.count == 4)
    for revision in kept.dropLast() {
      #expect(try await backend.diff("since=\(revision)").string("from") == revision)
    }
    let older = await backend.diff("since=\(gone)")
    #expect(try older.string("reason") == "history-expired")
    #expect(await backend.diff("since=\(kept[0])&until=\(gone)").status == 410)
  }

  @Test("is a 204 with the newer revision after a change that cannot be seen, and works from both")
  func rename() async throws {
    let backend = try Backend()
    let old = await backend.get(Backend.viewModel)
    var replica = try Replica(document: old.body)
    // The posts are not loaded yet, so the view model does not show them.
    await backend.retitle("Two")
    let answer = await backend.diff("since=\(replica.revision)")
    #expect(answer.status == 204 && answer["View-Revision"] != old["View-Revision"])
    try replica.take(answer)
    let new = await backend.get(Backend.viewModel)
    #expect(replica.canonicalBytes() == new.body && old["ETag"] != new["ETag"])
    #expect(try await backend.revisions() == [new.string("revision")])

    let names = [try old.string("revision"), try new.string("revision")]
    #expect(await backend.get(Backend.viewModel + "?at=\(names[0])").body == old.body)
    let none = try await backend.diff("since=\(names[0])&until=\(names[1])").json
    #expect(try none.memberNames == ["digest", "from", "kind", "revision", "rowCount", "screen"])
    await backend.send("loadPosts")
    for (name, document) in zip(names, [old.body, new.body]) {
      var replica = try Replica(document: document)
      let diff = await backend.diff("since=\(name)")
      #expect(try diff.string("from") == name)
      try replica.take(diff)
      #expect(replica.canonicalBytes() == (await backend.get(Backend.viewModel).body))
    }
  }

  @Test("since a name that was never given, between two that were, is a reset")
  func skippedNames() async throws {
    let backend = try Backend()
    let epoch = try await backend.revision.split(separator: ".")[0]
    // Inputs to other view models have their numbers too.
    for _ in 0..<3 {
      await backend.call(.patch, "/v1/users/2", body: ["username": "bruna"])
    }
    await backend.send("loadPosts")
    #expect(try await backend.revisions().count == 2)
    let answer = await backend.diff("since=\(epoch).2")
    #expect(try answer.string("reason") == "history-expired")
  }

  @Test("costs a client no reset over a restart when it says what it has")
  func restart() async throws {
    let before = try Backend()
    await before.load()
    let held = try await before.get(Backend.viewModel).json
    let (since, have) = (try held.member("revision").string().string, try await before.contentHash)

    let after = try Backend()
    let lost = await after.diff("since=\(since)&have=\(have)")
    #expect(try lost.string("reason") == "epoch-changed")
    await after.load()
    let same = await after.diff("since=\(since)&have=\(have)")
    #expect(same.status == 204)
    #expect(same["View-Revision"] == (try await after.revision))

    await after.call(.patch, "/v1/users/1/posts/1", body: ["title": "Other"])
    let diff = await after.diff("since=\(since)&have=\(have)")
    #expect(try diff.string("kind") == "diff")
    #expect(try diff.string("from") == since)
    #expect(try diff.json.member("rows").memberNames == ["updates"])
    let strict = await after.diff("since=\(since)&have=\(have)", [.prefer: "handling=strict"])
    #expect(strict.status == 200)
  }

  @Test("leads from whichever kept revision the client has the content of")
  func anyKept() async throws {
    let backend = try Backend()
    await backend.load()
    let first = try await backend.contentHash
    // More than are kept whatever their age.
    for number in 1...150 {
      await backend.call(.patch, "/v1/users/1/posts/1", body: ["title": "\(number)"])
    }
    #expect(try await backend.revisions().count > 150)
    let diff = await backend.diff("since=other.1&have=\(first)")
    #expect(try diff.string("kind") == "diff")
    #expect(try diff.string("from") == "other.1")
  }

  /// One backend for all cases, because no case changes anything.
  private static let refusing = Result { try Backend() }

  @Test(
    "is 400 for a parameter that is malformed, empty or given twice",
    arguments: [
      "since=", "since=a%20b", "since=%zz", "since=R&since=R",
      "since=\(String(repeating: "a", count: 65))",
      "since=R&wait=", "since=R&wait=-1", "since=R&wait=1.5", "since=R&wait=x",
      "since=R&wait=1&wait=1",
      "since=R&have=", "since=R&have=UPPER", "since=R&have=\(String(repeating: "A", count: 42))",
      "since=R&have=\(String(repeating: "A", count: 42))B",
      "since=R&have=\(String(repeating: "A", count: 42))%2B",
      "until=R", "since=R&until=", "since=R&until=a%2fb", "since=%00",
    ])
  func malformed(query: String) async throws {
    let backend = try Self.refusing.get()
    let revision = try await backend.revision
    let answer = await backend.diff(query.replacing("R", with: revision))
    #expect(answer.status == 400)
    #expect(answer["Content-Type"] == "application/problem+json")
  }

  @Test("ignores parameters that it does not know, however often they come")
  func unknownParameters() async throws {
    let backend = try Backend()
    let revision = try await backend.revision
    #expect(await backend.diff("since=\(revision)&color=red&color=blue&empty=").status == 204)
  }
}

extension String {
  fileprivate func repeated(_ count: Int) -> String { String(repeating: self, count: count) }
}

extension HTTPField.Name {
  static var prefer: HTTPField.Name { HTTPField.Name("Prefer")! }
}
