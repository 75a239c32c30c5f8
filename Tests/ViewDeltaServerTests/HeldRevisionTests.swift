import CanonicalJSON
import MicroHTTP
import Snapshots
import TestSupport
import Testing
import ViewState

@testable import ViewDeltaServer

/// A screen with rows of 600,000 bytes.
private struct Pages: Screen {
  struct State: ScreenState { var count = 2 }

  static let name: Text = "pages"
  static let summary = "Long texts."
  static let text = String(repeating: "x", count: 600_000)
  static let page = RowType("page", of: Int.self) {
    Field("text", "The text of the page.") { "\($0) \(text)" }
  }
  static let add = Command<State>("add", "Adds a page.") { (state: inout State) in
    state.count += 1
  }

  var commands: [AnyCommand<State>] { Self.add }
  var rowTypes: [RowTypeDescriptor] { Self.page }

  func body(_ state: State) -> [ListSection] {
    ListSection("pages") {
      for number in 0..<state.count { Self.page("\(number)", number) }
    }
  }
}

@Suite("The revision that a client holds")
struct HeldRevisionTests {
  private let registry: ScreenRegistry
  private let instance: Instance

  init() throws {
    let registry = ScreenRegistry(Engine.still(), of: Pages())
    (self.registry, instance) = (registry, try registry.instance(screen: "pages", key: "a"))
  }

  @Test("leads to no older one, which the server had read before the newer one was published")
  func newer() async throws {
    let old = instance.current
    try await instance.send(type: "add")
    var held = HeldRevision()
    held.since = Text(instance.current.token.description)
    var budget = 0
    let change = held.change(of: instance, at: old, registry, hashing: &budget)
    guard case .nothing(let revision) = change else {
      Issue.record("the client goes back")
      return
    }
    #expect(revision.token == instance.current.token)
  }

  @Test("is found by its content as far as the request may hash older ones")
  func content() async throws {
    var held = HeldRevision()
    held.since = "unknown"
    held.have = ContentHash(of: instance.current.snapshot)
    try await instance.send(type: "add")
    var budget = 0
    guard case .reset = held.change(of: instance, registry, hashing: &budget) else {
      Issue.record("an older one was hashed")
      return
    }
    budget = 1
    guard case .diff = held.change(of: instance, registry, hashing: &budget) else {
      Issue.record("the older one was not found")
      return
    }
    #expect(budget < -1_000_000)
  }

  @Test("has as much to send as the client wants to see, nothing if it sees it already")
  func windows() {
    var held = HeldRevision()
    #expect(held.takesLong(of: instance, registry))
    held.next = RowWindow(start: 1, count: 1)
    #expect(!held.takesLong(of: instance, registry))
    held.since = Text(instance.current.token.description)
    held.window = RowWindow(start: 0, count: 1)
    #expect((600_000..<700_000).contains(held.changedByteCount(of: instance)))
    held.next = held.window
    #expect(held.changedByteCount(of: instance) == 0)
  }

  @Test("is asked about by two clients as one only if they prefer the same")
  func questions() throws {
    let models = ViewModels(
      registry: registry, replies: ViewReplies(cache: ReplyCache(byteLimit: 0), screens: []))
    let instances = try HeldInstance.list(JSONReader(["pages/a": [:]]))
    let (plain, other) = (Preferences(nil), Preferences("return=diff"))
    func sync(_ preferences: Preferences) -> SharedQuestion {
      SharedQuestion(
        SyncQuestion(
          instances: instances, preferences: preferences, representation: .json, models: models))
    }
    func change(_ preferences: Preferences) -> SharedQuestion {
      SharedQuestion(
        ChangeQuestion(
          path: instances[0].path, instance: instance, held: HeldRevision(),
          preferences: preferences,
          representation: .json, models: models))
    }
    #expect(sync(plain) == sync(plain) && sync(plain) != sync(other))
    #expect(change(plain) == change(plain) && change(plain) != change(other))
    #expect(sync(plain) != change(plain))
  }
}
