import CanonicalJSON
import Gzip
import HTTPTypes
import MicroHTTP
import TestSupport
import Testing
import ViewDeltaServer
import ViewState

@Suite("The history of a view model")
struct HistoryEndpointTests {
  static let history = Backend.viewModel + "/revisions"

  /// A backend whose view model has so many revisions.
  static func backend(
    revisions count: Int, limits: RevisionLogLimits = RevisionLogLimits()
  ) async throws -> Backend {
    let backend = try Backend(logLimits: limits)
    await backend.load()
    for number in 4..<count { await backend.retitle("Title \(number)") }
    return backend
  }

  /// The revisions that entries name.
  static func names(_ entries: [JSONReader]) throws -> [String] {
    try entries.map { try $0.member("revision").string().string }
  }

  @Test(
    "comes in pages of 100, or as many as asked for up to 1,000, the newest first",
    arguments: [
      ("", 100), ("?limit=100", 100), ("?limit=7", 7), ("?limit=1", 1), ("?limit=007", 7),
      ("?limit=1000", 1_000), ("?limit=1001", 1_000), ("?limit=99999999999999999999", 1_000),
    ])
  func pages(query: String, size: Int) async throws {
    let count = size < 100 ? 21 : 121
    let backend = try await Self.backend(revisions: count)
    let whole = try await backend.get(Self.history + "?limit=1000").json.member("revisions")
      .elements()
    #expect(Set(try Self.names(whole)).count == count)
    let answer = await backend.get(Self.history + query)
    let page = try answer.json.member("revisions").elements()
    #expect(page.map(\.value) == whole.suffix(size).map(\.value))
    #expect(answer["View-Revision"] == (try await backend.revision))
    let all = try await backend.history(Self.history + query)
    #expect(all.map(\.value) == whole.map(\.value))
  }

  @Test("is cut to 1,000 entries at most, with a link to the rest")
  func clamped() async throws {
    let backend = try await Self.backend(revisions: 1_003)
    let answer = await backend.get(Self.history + "?limit=5000")
    let names = try Self.names(answer.json.member("revisions").elements())
    #expect(names.count == 1_000)
    #expect(try answer.nextPage == "\(Self.history)?before=\(names[0])&limit=1000")
    let rest = await backend.get(try #require(try answer.nextPage))
    let oldest = try Self.names(rest.json.member("revisions").elements())
    #expect(oldest.count == 3)
    #expect(Set(oldest + names).count == 1_003)
    #expect(try rest.nextPage == nil)
    #expect(rest["View-Revision"] == oldest.last)
  }

  @Test("has nothing before its first revision, and no page before one that is not kept")
  func ends() async throws {
    let backend = try await Self.backend(
      revisions: 20, limits: RevisionLogLimits(count: 4, age: .zero))
    let kept = try await backend.revisions()
    #expect(kept.count == 4)
    let empty = await backend.get(Self.history + "?before=\(kept[0])")
    #expect(empty.text == #"{"revisions":[],"screen":"profile/1"}"#)
    #expect(empty.status == 200 && empty["Link"] == nil && empty["View-Revision"] == kept[0])
    let other = try await backend.get("/v1/view-models/profile/2").string("revision")
    let epoch = kept[0].split(separator: ".")[0]
    for (before, reason) in [
      ("\(epoch).0", "history-expired"), ("\(epoch).99", "future-revision"),
      (other, "other-screen"), ("00000000.1", "epoch-changed"),
    ] {
      let answer = await backend.get(Self.history + "?before=\(before)")
      #expect(answer.status == 410 && answer.code == "revision-expired")
      #expect(try answer.string("reason") == reason)
    }
  }

  /// One backend for all cases, because no case changes anything.
  private static let refusing = Result { try Backend() }

  @Test(
    "is 400 for a parameter that is malformed, empty or given twice",
    arguments: [
      "limit=", "limit=0", "limit=000", "limit=-1", "limit=+1", "limit=1.5", "limit=x",
      "limit=1&limit=1", "limit=%D9%A1", "before=", "before=a%20b", "before=R&before=R",
    ])
  func malformed(query: String) async throws {
    let backend = try Self.refusing.get()
    let revision = try await backend.revision
    let answer = await backend.get(
      Self.history + "?" + query.replacing("R", with: revision))
    #expect(answer.status == 400 && answer.code == "bad-query")
  }

  @Test("has a tag that changes with the page, in each coding, and is 304 for a client that has it")
  func tags() async throws {
    let backend = try await Self.backend(revisions: 30)
    var tags: Set<String> = []
    for target in ["", "?limit=10", "?limit=29", "?before=\(try await backend.revision)"] {
      let plain = await backend.get(Self.history + target)
      let coded = await backend.get(Self.history + target, [.acceptEncoding: "gzip"])
      #expect(coded["Content-Encoding"] == "gzip")
      #expect(coded.body == Gzip.compress(plain.body))
      for answer in [plain, coded] {
        let tag = try #require(answer["ETag"])
        #expect(tags.insert(tag).inserted)
        let again = await backend.get(
          Self.history + target, [.ifNoneMatch: tag, .acceptEncoding: "gzip"])
        #expect(again.status == 304 && again["ETag"] == tag)
      }
    }
    let tag = try #require(await backend.get(Self.history)["ETag"])
    await backend.retitle("Other")
    #expect(await backend.get(Self.history, [.ifNoneMatch: tag]).status == 200)
  }

  @Test("names no further page once the revision before its first one is no longer kept")
  func droppedPage() async throws {
    let backend = try Backend(logLimits: RevisionLogLimits(count: 3, age: .zero))
    await backend.load()
    for title in ["One", "Two"] { await backend.retitle(title) }
    let kept = try await backend.revisions()
    #expect(kept.count == 3)
    let page = "\(Self.history)?before=\(kept[2])&limit=1"
    #expect(await backend.get(page)["Link"] != nil)
    await backend.retitle("Three")
    #expect(await backend.get(page)["Link"] == nil)
  }

  /// A server with a journal that starts some time after the first one.
  private static func backend(
    _ journal: MemoryJournal, after time: Duration = .zero,
    limits: RevisionLogLimits = RevisionLogLimits()
  ) throws -> Backend {
    try Backend(.scoreboards, logLimits: limits) {
      let now = $0.configuration.environment.now
      $0.configuration.environment.now = { now() + time }
      $0.configuration.journal = journal
    }
  }

  @Test("is the same after a restart, with its tag")
  func restart() async throws {
    let journal = MemoryJournal()
    let first = try Self.backend(journal)
    _ = await first.get(Self.history)
    first.scheduler.advance(by: .seconds(1))
    await first.load()
    await first.retitle("Other")
    let again = try Self.backend(MemoryJournal(journal.content), after: .seconds(1_000))
    for target in [Self.history, "/v1/view-models/scoreboard/1/revisions"] {
      let (before, after) = (await first.get(target), await again.get(target))
      #expect(after.text == before.text && after["ETag"] == before["ETag"])
    }
  }

  @Test("has another tag on a server that knows less of a revision")
  func otherCause() async throws {
    let limits = RevisionLogLimits(count: 1, age: .zero)
    let journal = MemoryJournal()
    let first = try Self.backend(journal, limits: limits)
    let board = "/v1/view-models/scoreboard/1"
    _ = await first.get(board)
    let player: JSONValue = ["name": "Ida", "score": 7]
    await first.call(.post, "/v1/scoreboards/1/players", body: player)
    let before = await first.get(board + "/revisions")
    let again = try Self.backend(MemoryJournal(journal.content), limits: limits)
    let after = await again.get(board + "/revisions")
    #expect(after["View-Revision"] == before["View-Revision"])
    #expect(before.text.contains("storeWrite") && after.text.contains("start"))
    #expect(after["ETag"] != before["ETag"])
  }

  @Test("is encoded once for all who ask for a page")
  func sharing() async throws {
    let backend = try await Self.backend(revisions: 30)
    for query in ["", "?limit=3", "?before=\(try await backend.revision)&limit=3"] {
      for fields in [[:], [.acceptEncoding: "gzip"]] as [HTTPFields] {
        let request = Request(method: .get, target: Self.history + query, fields: fields)
        let first = await backend.application.router.respond(to: request)
        let second = await backend.application.router.respond(to: request)
        #expect(first.isIdentical(to: second))
      }
    }
  }

  @Test("says of each revision how large the diff to it is, if that can still be made")
  func sizes() async throws {
    let backend = try await Self.backend(
      revisions: 20, limits: RevisionLogLimits(count: 6, age: .zero))
    let entries = try await backend.history(Self.history + "?limit=2")
    let revisions = try entries.map { try $0.member("revision").string().string }
    #expect(entries.count == 6)
    for name: Text in ["bytes", "operations"] {
      #expect(try entries[0].optionalMember(name) == nil)
    }
    for index in 1..<6 {
      let diff = await backend.diff("since=\(revisions[index - 1])&until=\(revisions[index])")
      #expect(try entries[index].member("bytes").integer() == diff.body.count)
    }
  }

  @Test("says when each revision was made, by the clock on the wall")
  func dates() async throws {
    let backend = try await Self.backend(revisions: 6)
    let dates = try await backend.history(Self.history).map { try $0.member("at").string() }
    #expect(dates.first == "2027-01-15T08:00:00Z" && dates == dates.sorted())
    #expect(dates.last == Text("\(Backend.start.advanced(by: backend.scheduler.now))"))
    // What is shared and compared by its bytes has no clock in it.
    for target in ["", "/diff?since=00000000.1"] {
      #expect(await !backend.get(Backend.viewModel + target).text.contains("2027-01-15T08:00"))
    }
  }

  @Test("has the arguments of each command that has any")
  func arguments() async throws {
    let backend = try Backend(.scoreboards)
    let board = "/v1/view-models/scoreboard/1"
    func causes(after command: JSONValue) async throws -> [String] {
      let before = try await backend.history(board + "/revisions").count
      #expect(await backend.call(.post, board + "/commands", body: command).status == 200)
      return try await backend.history(board + "/revisions").dropFirst(before)
        .map { "\(try $0.member("cause").value)" }
    }
    #expect(
      try await causes(after: ["type": "setScore", "player": 2, "score": 305]) == [
        #"{"arguments":{"player":2,"score":305},"kind":"command","type":"setScore"}"#
      ])
    await backend.load()
    let loads = try await backend.history(Self.history).map {
      "\(try $0.member("cause").value)"
    }
    #expect(loads[1] == #"{"kind":"command","type":"appear"}"#)
  }

  @Test("keeps arguments of up to 4 KiB", arguments: [4_095, 4_096, 4_097, 20_000])
  func largeArguments(size: Int) async throws {
    let backend = try Backend(.catalogs)
    let catalog = "/v1/view-models/catalog/1"
    var ids = ["atlas"]
    var arguments: [Text: JSONValue] {
      let ids = JSONValue.array(ids.map { .string($0) })
      return ["operations": [["operation": "deleteItems", "ids": ids]]]
    }
    func missing() -> Int { size - JSONValue.object(arguments).canonicalBytes().count }
    // Unknown ids are passed over, so they can fill the arguments up: each with quotes and a comma.
    while missing() > 0 {
      let length = (missing() > 120 ? 100 : missing()) - 3
      ids.append("\(ids.count)" + String(repeating: "x", count: length - "\(ids.count)".count))
    }
    let command = arguments.merging(["type": "apply"]) { $1 }
    let reply = await backend.call(.post, catalog + "/commands", body: .object(command))
    #expect(reply.status == 200)
    let cause = try #require(try await backend.history(catalog + "/revisions").last)
      .member("cause").object()
    #expect(cause["arguments"] == (size <= 4_096 ? .object(arguments) : nil))
    #expect(cause["argumentsOmitted"] == (size <= 4_096 ? nil : true))
  }

  @Test("links to pages of a key that has to be escaped")
  func escapedKey() async throws {
    let backend = try Backend(data: ["users": [["id": "ä ?", "username": "ada"]], "posts": []])
    let target = "/v1/view-models/profile/%C3%A4%20%3F"
    for command in ["loadPosts", "loadProfile"] {
      await backend.call(.post, target + "/commands", body: ["type": .string(command)])
    }
    let answer = await backend.get(target + "/revisions?limit=1")
    #expect(try answer.nextPage?.hasPrefix(target + "/revisions?before=") == true)
    #expect(try await backend.history(target + "/revisions?limit=1").count == 3)
  }
}
