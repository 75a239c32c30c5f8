import CanonicalJSON
import HTTPTypes
import Testing

@Suite("What caches may do")
struct CachingTests {
  /// Answers of every kind: the query after the view model, with the first revision for `{F}`, the last for
  /// `{L}`, and what is said of it.
  static let kinds: [(String, Int, String)] = [
    ("", 200, "no-cache"), ("?at={F}", 200, "max-age=31536000, immutable"),
    ("?at={L}", 200, "max-age=31536000, immutable"), ("?at=00000000.1", 410, "no-store"),
    ("/diff", 200, "no-cache"), ("/diff?since={F}", 200, "max-age=1"),
    ("/diff?since={F}&wait=20", 200, "max-age=1"), ("/diff?since={L}", 204, "no-store"),
    ("/diff?since={F}&until={L}", 200, "max-age=31536000, immutable"),
    ("/diff?since={L}&until={F}", 200, "max-age=31536000, immutable"),
    ("/diff?since=00000000.1", 200, "no-store"), ("/diff?since=", 400, "no-store"),
    ("/revisions", 200, "no-cache"), ("/events?since={F}", 200, "no-store"),
    ("/events?since=", 400, "no-store"), ("/nothing", 404, "no-store"),
  ]

  /// One for all cases that only read.
  private static let loaded = Task { try await Backend.loaded().0 }

  @Test("is said of each kind of answer", arguments: kinds, ["identity", "gzip"])
  func answers(answer: (target: String, status: Int, caching: String), coding: String) async throws
  {
    let backend = try await Self.loaded.value
    let kept = try await backend.revisions()
    let target = answer.target.replacing("{F}", with: kept[0])
      .replacing("{L}", with: kept[kept.count - 1])
    let reply = await backend.get(Backend.viewModel + target, [.acceptEncoding: coding])
    #expect(reply.status == answer.status)
    #expect(reply["Cache-Control"] == answer.caching)
  }

  @Test("is nothing with a diff whose start only this client knows by that name")
  func ownName() async throws {
    let (backend, _) = try await Backend.loaded()
    let have = try await backend.contentHash
    await backend.retitle("Two")
    let answer = await backend.diff("since=00000000.1&have=\(have)")
    #expect(try answer.string("kind") == "diff")
    #expect(answer["Cache-Control"] == "no-store")
  }

  @Test("is nothing with the answer to a command or a poll of many view models")
  func posts() async throws {
    let (backend, revision) = try await Backend.loaded()
    let command = await backend.send("loadPosts", query: "?since=\(revision)")
    #expect(command["Cache-Control"] == "no-store")
    let sync = backend.sync(["screens": ["profile/1": ["since": .string(revision)]]])
    #expect(sync.answer?.status == 200)
    #expect(sync.answer?["Cache-Control"] == "no-store")
  }

  @Test("names on what each document depends")
  func vary() async throws {
    let (backend, revision) = try await Backend.loaded()
    for target in [
      "", "?at=\(revision)", "/diff", "/diff?since=\(revision)&until=\(revision)",
      "/diff?since=00000000.1", "/revisions",
    ] {
      let answer = await backend.get(Backend.viewModel + target)
      #expect(answer["Vary"] == "Accept, Accept-Encoding")
    }
    // A diff may be a snapshot, unless Prefer rules that out.
    let preferring = "Accept, Accept-Encoding, Prefer"
    let start = try #require(try await backend.revisions().first)
    #expect(await backend.diff("since=\(start)")["Vary"] == preferring)
    let sync = backend.sync(["screens": ["profile/1": [:]]])
    #expect(sync.answer?["Vary"] == preferring)
  }
}
