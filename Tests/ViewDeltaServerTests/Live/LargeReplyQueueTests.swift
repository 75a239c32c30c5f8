import CanonicalJSON
import HTTPTypes
import MicroHTTP
import TestSupport
import Testing
import ViewDeltaTesting

@testable import ViewDeltaServer
@testable import ViewState

/// A screen with a row of 2 MB, of which changes are small.
private struct LongText: Screen {
  struct State: ScreenState { var number = 1 }

  static let name: Text = "text"
  static let summary = "A long text."
  static let text = String(repeating: "x", count: 2_000_000)
  static let row = RowType("text", of: Int.self) {
    Field("number", "A number.") { $0 }
    Field("text", "The text.") { _ in text }
  }
  static let change = Command<State>("change", "Changes the text.") { (state: inout State) in
    state.number += 1
  }

  var commands: [AnyCommand<State>] { Self.change }
  var rowTypes: [RowTypeDescriptor] { Self.row }

  func body(_ state: State) -> [ListSection] { ListSection("text") { Self.row("1", state.number) } }
}

@Suite("Large replies that wait for their turn")
struct LargeReplyQueueTests {
  private let router: Router
  private let room = WaitingRoom(limits: WaitingLimits(), scheduler: ManualScheduler())
  private let replies: ViewReplies
  private let resources: ResourceReplies
  private let instance: Instance

  init() throws {
    let (engine, cache) = (Engine.still(), ReplyCache(byteLimit: .max))
    var registry = ScreenRegistry(engine)
    registry.register(LongText())
    resources = ResourceReplies(engine: engine, cache: cache)
    replies = ViewReplies(cache: cache, screens: registry.descriptors)
    let models = ViewModels(registry: registry, replies: replies)
    var router = Router()
    ViewModelEndpoints(models: models, room: room).register(in: &router)
    SyncEndpoint(models: models, room: room).register(in: &router)
    let notes = Store(
      "notes",
      try ResourceCollection<Note>("note", reading: JSONReader([["id": 1, "text": "Milk"]])),
      in: engine)
    CollectionEndpoints<Note>(
      path: "/v1/notes", page: { (_, range) throws(StoreError) in notes.value.page(range) },
      read: { (request) throws(StoreError) in try notes.value.element(request.id()) },
      write: { (_, write, key) async throws(StoreError) in try await notes.write(write, once: key)
      }, isLarge: { _ in true }
    ).register(in: &router, resources)
    self.router = router
    instance = try registry.instance(screen: "text", key: "a")
  }

  /// A poll of many view models, in a body that is read in its turn if it is padded.
  private static func sync(_ body: JSONValue, isPadded: Bool = false) -> Request {
    let padding = [UInt8](repeating: 0x20, count: isPadded ? 5_000 : 0)
    return Request(
      method: .post, target: SyncQuestion.path, fields: [.contentType: "application/json"],
      body: body.canonicalBytes() + padding)
  }

  @Test(
    "are made only for clients that have not left, and hold up no command",
    arguments: [
      Self.sync(["screens": ["text/a": [:]]]),
      Self.sync(["screens": ["text/b": [:]]]),
      Self.sync(["screens": ["none/a": [:]]], isPadded: true),
      Request(method: .get, target: "/v1/view-models/text/a/diff?since=0.0"),
      Request(method: .get, target: "/v1/notes/1"),
      Request(method: .get, target: "/v1/notes"),
    ])
  func departure(request: Request) async throws {
    let threads = [replies.large, replies.unsized, resources.large, resources.unsized]
    let blockers = threads.map { thread in
      let blocker = Blocker()
      thread.run { blocker.block() }
      return blocker
    }
    let former = (1...50).map { _ in ParkedRequest(router, request) }
    for client in former { client.abandon() }
    let client = ParkedRequest(router, request)
    try await instance.send(type: "change")
    #expect(client.response == nil)
    for blocker in blockers { blocker.release() }
    try await wait { client.response != nil }
    #expect(client.response?.status == 200)
    #expect(!former.contains { $0.lateResponse?.status == 200 })
  }

  @Test("hold up no small one, although its size is not known before, and none that is plain")
  func small() async throws {
    let since = instance.current.token.description
    try await instance.send(type: "change")
    let blocker = Blocker()
    for thread in [replies.large, resources.large] { thread.run { blocker.block() } }
    let requests = [
      Self.sync(["screens": ["none/a": [:]]], isPadded: true),
      Self.sync(["screens": ["text/a": ["since": .string(Text(since))]]]),
      // The view model is large, and its change is not.
      Request(
        method: .get, target: "/v1/view-models/text/a/diff?since=\(since)",
        fields: [.acceptEncoding: "gzip"]),
      Request(method: .get, target: "/v1/notes", fields: [.acceptEncoding: "gzip"]),
      // It is large, but is not compressed.
      Request(method: .get, target: "/v1/view-models/text/a/diff?since=0.0"),
    ]
    for request in requests {
      let client = ParkedRequest(router, request)
      try await wait { client.response != nil }
      #expect(client.response?.status == 200)
    }
    for _ in 1...2 { blocker.release() }
  }

  @Test("wait for no poll, which is forgotten if its client leaves")
  func poll() async throws {
    let held: JSONValue = ["since": .string(Text(instance.current.token.description))]
    let question = Self.sync(["screens": ["text/a": held], "wait": 55], isPadded: true)
    let polls = (1...2).map { _ in ParkedRequest(router, question) }
    try await wait { room.count == 2 }
    let client = ParkedRequest(router, Self.sync(["screens": ["text/a": [:]]]))
    try await wait { client.response != nil }
    polls[0].abandon()
    #expect(room.count == 1)
    try await instance.send(type: "change")
    try await wait { polls[1].response != nil }
    #expect(polls[1].response?.status == 200 && room.count == 0)
  }

  @Test(
    "are sent at once if they are kept",
    arguments: ["/v1/notes/1", "/v1/notes", "/v1/notes?limit=5"])
  func kept(target: String) async throws {
    let request = Request(method: .get, target: target)
    // A small one is kept if it is asked for again.
    _ = await router.respond(to: request)
    let first = await router.respond(to: request)
    guard case .now(let second) = router.reply(to: request) else {
      Issue.record("the reply is made again")
      return
    }
    #expect(first.status == 200 && second.isIdentical(to: first))
  }
}
