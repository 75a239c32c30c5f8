import CanonicalJSON
import HTTPTypes
import Screens
import TestSupport
import Testing
import ViewDeltaServer
import ViewState

@Suite("Podcasts with feeds of their own")
struct PodcastSourceTests {
  static let listener = "/v1/listeners/3"
  static let viewModel = "/v1/view-models/podcasts/3"

  let web: ScriptedWebServer
  let backend: Backend

  init() throws {
    let web = try ScriptedWebServer()
    self.web = web
    let host = try #require(WebHost("127.0.0.1:\(web.port)"))
    backend = try Backend(.podcasts) { $0.podcasts.feeds = FeedReader(hosts: [host]) }
  }

  private func serve(_ path: String, _ title: String, _ day: String) {
    web.answer(
      path, fields: ["Content-Type: text/xml"],
      "<rss><channel><title>\(title)</title><item><title>E</title><pubDate>\(day) Mar 2026 06:00:00 GMT</pubDate>"
        + "</item></channel></rss>")
  }

  private func follow(_ path: String, _ members: [Text: JSONValue] = [:]) async throws -> String {
    let body = JSONValue.object(members).mergePatched(with: [
      "feedURL": .string(Text(web.address(path)))
    ])
    let answer = await backend.call(.post, Self.listener + "/podcasts", body: body)
    #expect(answer.status == 201, "\(answer.text)")
    return try #require(answer["Location"])
  }

  private func rows() async throws -> [JSONValue] {
    try await backend.get(Self.viewModel).rows.dropFirst().map(\.value)
  }

  /// Loads, and returns the state after it.
  private func load() async throws -> Text? {
    await backend.call(.post, Self.viewModel + "/commands", body: ["type": "load"])
    var state: Text?
    try await wait {
      state = try await backend.get(Self.viewModel).json.member("states").member("podcasts")
        .string()
      return state != "isLoading"
    }
    return state
  }

  @Test("show what their feeds have, and what they have themselves in its place")
  func loading() async throws {
    serve("/a", "A", "04")
    serve("/b", "B", "05")
    let first = try await follow("/a")
    _ = try await follow("/b", ["title": "My B", "podcastURL": "/podcasts/b"])
    _ = await backend.call(.post, Self.listener + "/podcasts", body: ["title": "From memory"])
    #expect(try await load() == "loaded")
    #expect(try await rows().map { $0["title"] } == ["My B", "A", "From memory"])
    let row = try await rows()[0]
    #expect(row["podcastURL"] == "/podcasts/b")
    #expect(
      row["latestEpisode"] == [
        "date": "2026-03-05T06:00:00Z", "dateText": "5 March 2026", "title": "E",
      ])

    // What is stored is what was written; another address is loaded from the next load on.
    #expect(try await backend.get(first).json.optionalMember("title") == nil)
    serve("/c", "C", "06")
    let patch: JSONValue = ["feedURL": .string(Text(web.address("/c")))]
    #expect(await backend.call(.patch, first, body: patch).status == 200)
    #expect(try await rows().map { $0["title"] } == ["My B", "From memory"])
    #expect(try await load() == "loaded")
    #expect(try await rows().map { $0["title"] } == ["C", "My B", "From memory"])
    #expect(web.requests.sorted() == ["/a", "/b", "/b", "/c"])

    // A write asks no server, and keeps what was loaded.
    _ = await backend.call(.post, Self.listener + "/podcasts", body: ["title": "Another"])
    #expect(
      try await rows().map { $0["title"] } == ["C", "My B", "From memory", "Another"])
    #expect(await backend.call(.delete, first).status == 204)
    #expect(try await rows().map { $0["title"] } == ["My B", "From memory", "Another"])
    #expect(web.requests.count == 4)
  }

  @Test(
    "fail with a code and a sentence that tell a missing feed from a malformed one, and are retried"
  )
  func failing() async throws {
    serve("/a", "A", "04")
    let path = try await follow("/a")
    let id = try #require(path.split(separator: "/").last)
    #expect(try await load() == "loaded")
    web.answer("/a", "404 Not Found")
    #expect(try await load() == "failed")
    let missing = try await rows()
    #expect(missing.map { $0["type"] } == ["contentError", "podcast"])
    #expect(missing[0]["code"] == "missing")
    #expect(
      missing[0]["detail"] == .string("The feed of podcast \(id) does not exist any more."))
    web.answer("/a", fields: ["Content-Type: text/xml"], "<rss><channel>")
    #expect(try await load() == "failed")
    let malformed = try await rows()
    #expect(malformed[0]["code"] == "malformed")
    #expect(
      malformed[0]["detail"]
        == .string("The feed of podcast \(id) is malformed."))
    let retry = try JSONReader(malformed[0]).member("action").member("command").value
    serve("/a", "A again", "04")
    #expect(await backend.call(.post, Self.viewModel + "/commands", body: retry).status == 202)
    try await wait { try await rows().map { $0["title"] } == ["A again"] }
  }

  @Test("are not loaded unless the operator names their host, and their addresses are checked")
  func refusals() async throws {
    let closed = try Backend(.podcasts)
    let body: JSONValue = ["feedURL": .string(Text(web.address("/a")))]
    #expect(
      await closed.call(.post, Self.listener + "/podcasts", body: body).status == 201)
    await closed.call(.post, Self.viewModel + "/commands", body: ["type": "load"])
    try await wait { await closed.get(Self.viewModel).text.contains("feed-not-allowed") }
    #expect(web.requests == [])
    for address: JSONValue in ["/feed.xml", "file:///etc/passwd", "http://", "x", 1] {
      let answer = await backend.call(
        .post, Self.listener + "/podcasts", body: ["feedURL": address])
      #expect(answer.status == 422 && answer.pointer == "/feedURL")
    }
  }

  @Test("fail as a script says, without a request")
  func faults() async throws {
    serve("/a", "A", "04")
    _ = try await follow("/a")
    let script: JSONValue = ["outcomes": ["fail"]]
    #expect(await backend.call(.put, "/v1/faults/podcasts/3", body: script).status == 200)
    await backend.call(.post, Self.viewModel + "/commands", body: ["type": "load"])
    backend.scheduler.advance(by: .zero)
    #expect(try await rows()[0]["code"] == "unavailable")
    #expect(web.requests == [])
    #expect(try await load() == "loaded")
    #expect(web.requests == ["/a"])
  }

  @Test("end their transfers if the load is cancelled, and fail by its time-out")
  func cancelling() async throws {
    web.answer("/stall", .stalling([]))
    _ = try await follow("/stall")
    await backend.call(.post, Self.viewModel + "/commands", body: ["type": "load"])
    try await wait { web.requests.count == 1 }
    await backend.call(.post, Self.viewModel + "/commands", body: ["type": "cancel"])
    #expect(try await rows()[0]["code"] == "cancelled")
    try await wait { web.abandonedCount == 1 }
    await backend.call(.post, Self.viewModel + "/commands", body: ["type": "load"])
    try await wait { web.requests.count == 2 }
    backend.scheduler.advance(by: .seconds(10))
    #expect(try await rows()[0]["code"] == "timed-out")
    try await wait { web.abandonedCount == 2 }
  }
}
