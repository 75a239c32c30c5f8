import CanonicalJSON
import Gzip
import HTTPTypes
import MicroHTTP
import TestSupport
import Testing

@testable import ViewDeltaServer

@Suite("A large reply")
struct LargeReplyTests {
  /// As many posts as any test needs, which take long to make.
  private static let posts = (1...300).map { id in
    JSONValue.object([
      "id": .integer(id), "userId": 1, "title": .string("Title \(id)"),
      "body": .string(Text((0..<1_000).map { "\($0 * id)" }.joined(separator: " "))),
    ])
  }

  /// A backend with a view model of so much content that compressing it would hold up a thread that serves, and
  /// its revisions before and after it was loaded.
  private static func large(
    posts count: Int = 40
  ) async throws -> (Backend, first: String, last: String) {
    let users: JSONValue = [["id": 1, "username": "ada"], ["id": 2, "username": "bruno"]]
    let backend = try Backend(data: ["users": users, "posts": .array(Array(posts.prefix(count)))])
    let first = try await backend.revision
    await backend.load()
    return (backend, first, try await backend.revision)
  }

  private static func request(_ target: String, sync: JSONValue? = nil) -> Request {
    Request(
      method: sync == nil ? .get : .post, target: target,
      fields: [.acceptEncoding: "gzip", .contentType: "application/json"],
      body: sync?.canonicalBytes() ?? [])
  }

  @Test(
    "is compressed after the thread that serves it could go on",
    arguments: ["", "?at={L}", "/diff?since={F}", "/diff?since={F}&until={L}", "sync"])
  func elsewhere(query: String) async throws {
    let (backend, first, last) = try await Self.large()
    let target = query.replacing("{F}", with: first).replacing("{L}", with: last)
    let sync: JSONValue = ["screens": ["profile/1": ["since": .string(Text(first))]]]
    let request =
      query == "sync"
      ? Self.request("/v1/sync", sync: sync) : Self.request(Backend.viewModel + target)
    let router = backend.application.router
    guard case .later = router.reply(to: request) else {
      Issue.record("the content is compressed before the reply is decided")
      return
    }
    let reply = await router.respond(to: request)
    #expect(reply.fields[.contentEncoding] == "gzip")
    let plain =
      query == "sync"
      ? await backend.call(.post, "/v1/sync", body: sync)
      : await backend.get(Backend.viewModel + target)
    #expect(reply.body == Gzip.compress(plain.body))
  }

  @Test("is compressed once for all who ask for it at the same time, and kept")
  func once() async throws {
    let (backend, _, _) = try await Self.large()
    let router = backend.application.router
    let request = Self.request(Backend.viewModel)
    let replies = await withTaskGroup(of: Response.self) { group in
      for _ in 0..<100 { group.addTask { await router.respond(to: request) } }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(replies.count == 100)
    #expect(replies.allSatisfy { $0.isIdentical(to: replies[0]) })
    guard case .standing(let kept, _) = router.reply(to: request) else {
      Issue.record("the reply is not kept")
      return
    }
    #expect(kept.isIdentical(to: replies[0]))
  }

  @Test(
    "is made after the thread that serves it could go on if nobody has read the view model yet",
    arguments: ["", "/diff?since=0.0", "/rows?path=0,0", "/incidents", "sync"])
  func firstRead(query: String) async throws {
    let backend = try Backend()
    let request =
      query == "sync"
      ? Self.request("/v1/sync", sync: ["screens": ["profile/1": [:]]])
      : Self.request(Backend.viewModel + query)
    let router = backend.application.router
    guard case .later = router.reply(to: request) else {
      Issue.record("the view model is made before the reply is decided")
      return
    }
    let reply = await router.respond(to: request)
    #expect(reply.status == 200)
    switch router.reply(to: request) {
    case .now, .standing: break
    case .later, .stream: Issue.record("the view model is made again")
    }
  }

  @Test(
    "is encoded after the thread that serves it could go on, if it is whole and not compressed",
    arguments: ["?at={L}", "/diff?since=0.0", "/rows?path=0,0", "sync"])
  func plain(query: String) async throws {
    let (backend, _, last) = try await Self.large(posts: 300)
    let target = Backend.viewModel + query.replacing("{L}", with: last)
    let request =
      query == "sync"
      ? Request(
        method: .post, target: "/v1/sync", fields: [.contentType: "application/json"],
        body: (["screens": ["profile/1": [:]]] as JSONValue).canonicalBytes())
      : Request(method: .get, target: target, fields: [:])
    let router = backend.application.router
    guard case .later = router.reply(to: request) else {
      Issue.record("the content is encoded before the reply is decided")
      return
    }
    let reply = await router.respond(to: request)
    #expect(reply.status == 200 && reply.fields[.contentEncoding] == nil)
  }

  @Test("of a key that does not exist is none to wait for")
  func unknownKey() throws {
    let router = try Backend().application.router
    guard case .now(let reply) = router.reply(to: Self.request("/v1/view-models/profile/99")) else {
      Issue.record("a view model is made")
      return
    }
    #expect(reply.status == 404)
  }

  @Test("begins a stream of a view model that nobody has read yet", arguments: [false, true])
  func firstEvent(ofMany: Bool) async throws {
    let backend = try Backend()
    let stream = try #require(
      ofMany ? backend.manyEvents("screen=profile/1") : backend.events())
    #expect(stream.readPiece() == nil)
    var events: [ServerSentEvent] = []
    while events.isEmpty, !stream.isOver {
      await Task.yield()
      events = try stream.read()
    }
    #expect(events.count == 1)
    let snapshot = await backend.get(Backend.viewModel)
    let data = try #require(events.first?.data)
    #expect(
      String(decoding: data, as: UTF8.self)
        == (ofMany ? #"{"screens":{"profile/1":\#(snapshot.text)}}"# : snapshot.text))
    stream.leave()
  }

  @Test("is not looked for elsewhere if there is none")
  func nothingNew() async throws {
    let (backend, _, last) = try await Self.large()
    let request = Self.request(Backend.viewModel + "/diff?since=\(last)")
    guard case .standing(let reply, _) = backend.application.router.reply(to: request) else {
      Issue.record("a reply without content is made elsewhere")
      return
    }
    #expect(reply.status == .noContent)
  }

  @Test("is compressed for any number of clients, one after another")
  func series() async {
    let large = ReplyThread()
    var router = Router()
    router.route(.get, "/") { (request) throws(ProblemDetails) in
      try large.reply(
        to: request, as: Representation(format: .json, coding: .gzip), upTo: 1 << 20
      ) { representation in
        .now(Response(status: .ok, fields: [.contentEncoding: representation.coding.rawValue]))
      }
    }
    for _ in 0...ReplyThread.limit + 10 {
      let reply = await router.respond(to: Self.request("/"))
      #expect(reply.fields[.contentEncoding] == "gzip")
    }
  }

  @Test("is plain for those who come when too many wait for theirs")
  func bound() throws {
    let large = ReplyThread()
    let representation = Representation(format: .json, coding: .gzip)
    func reply() throws -> ContentCoding? {
      let reply = try large.reply(
        to: Self.request("/"), as: representation, upTo: 1 << 20
      ) { representation in
        .now(Response(status: .ok, fields: [.contentEncoding: representation.coding.rawValue]))
      }
      guard case .now(let response) = reply else { return nil }
      return response.fields[.contentEncoding].flatMap { ContentCoding(rawValue: $0) }
    }
    // None is parked, so none is made.
    for _ in 0..<ReplyThread.limit { #expect(try reply() == nil) }
    #expect(try reply() == .identity)
  }
}
