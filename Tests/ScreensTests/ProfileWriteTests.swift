import CanonicalJSON
import Screens
import Snapshots
import TestSupport
import Testing
import ViewState

@Suite("A write to the profile store")
struct ProfileWriteTests {
  static func post(_ id: ResourceID) throws -> Post {
    try Post(JSONReader(["userId": 1, "title": "New", "body": "B"]), assigned: id)
  }

  @Test("moves a loaded half in place, with no loading state in between")
  func loaded() async throws {
    let fixture = try ProfileFixture()
    try await fixture.load()
    let before = fixture.number
    try await fixture.store.createChild(of: "1") { try Self.post($0) }
    #expect(fixture.number == before + 1)
    #expect(fixture.instance.current.cause == .storeWrite(source: "posts"))
    #expect(try fixture.changes(from: before, to: before + 1).summary == ["insert post/2"])

    var post = try fixture.store.value.child("1", of: "1").resource
    post.title = "Edited"
    try await fixture.store.replace(post, of: "1")
    #expect(try fixture.changes(from: before + 1, to: before + 2).summary == ["update post/1"])

    try await fixture.store.deleteChild("2", of: "1")
    #expect(try fixture.changes(from: before + 2, to: before + 3).summary == ["delete post/2"])

    var user = try fixture.store.value.parent("1").resource
    user.city = nil
    try await fixture.store.replace(user)
    #expect(
      try fixture.changes(from: before + 3, to: before + 4).summary == ["delete profile/location"])
  }

  @Test("leaves a half alone that is not loaded")
  func notLoaded() async throws {
    let fixture = try ProfileFixture()
    try await fixture.store.createChild(of: "1") { try Self.post($0) }
    #expect(fixture.number == 0)
    try await fixture.faults.set(FaultScript(outcomes: [.fail]), for: "posts", of: "1")
    try await fixture.send("loadPosts")
    fixture.scheduler.advance(by: .seconds(4))
    let failed = fixture.number
    try await fixture.store.createChild(of: "1") { try Self.post($0) }
    #expect(fixture.number == failed)
  }

  @Test("that falls into a load is in what the load brings")
  func whileLoading() async throws {
    let fixture = try ProfileFixture()
    try await fixture.send("loadPosts")
    try await fixture.store.createChild(of: "1") { try Self.post($0) }
    #expect(fixture.number == 1)
    fixture.scheduler.advance(by: .seconds(4))
    #expect(fixture.rowIDs.suffix(2) == ["post/2", "post/1"])
  }

  @Test("that changes nothing on the screen makes no revision")
  func invisible() async throws {
    let fixture = try ProfileFixture()
    try await fixture.load()
    let before = fixture.number
    var user = try fixture.store.value.parent("1").resource
    user.email = "ada@example.com"
    try await fixture.store.replace(user)
    #expect(fixture.number == before)
  }

  @Test("goes only where the version is the expected one")
  func versions() async throws {
    let fixture = try ProfileFixture()
    let version = try fixture.store.value.parent("1").version
    func rename(_ name: Text) async throws {
      let change = ResourceChange(.patch(["username": .string(name)]), if: .oneOf([version]))
      try await fixture.store.write(.parent(.change("1", change)))
    }
    try await rename("first")
    await #expect(throws: StoreError.changedMeanwhile) { try await rename("second") }
    #expect(try fixture.store.value.parent("1").resource.username == "first")
  }

  @Test("that removes a user takes the posts, the loads and the instance with it")
  func removal() async throws {
    let fixture = try ProfileFixture()
    try await fixture.send("appear")
    try await fixture.store.deleteParent("1")
    #expect(fixture.scheduler.pendingCount == 0)
    #expect(throws: ScreenLookupError.deletedKey) {
      try fixture.registry.instance(screen: "profile", key: "1")
    }
    await #expect(throws: CommandFailure.self) { try await fixture.send("loadPosts") }
    #expect(throws: StoreError.missing(MissingElement("user"))) {
      try fixture.store.children(of: "1")
    }
  }

  @Test("that makes a removed user anew starts a history of its own")
  func recreation() async throws {
    let fixture = try ProfileFixture()
    try await fixture.load()
    let old = fixture.instance.current.token
    try await fixture.store.deleteParent("1")
    try await fixture.store.createParent(["id": 1, "username": "again"])
    let instance = try fixture.registry.instance(screen: "profile", key: "1")
    #expect(instance.changeCount == 0)
    #expect(instance.current.token.epoch != old.epoch)
    #expect(throws: ResetReason.epochChanged) { try instance.revision(old) }
  }

  @Test("that makes a removed user anew keeps the ends of loads from before away")
  func lateEnds() async throws {
    let journal = MemoryJournal()
    let fixture = try ProfileFixture(journal: journal)
    try await fixture.send("loadPosts")
    fixture.scheduler.advance(by: .seconds(4))
    await fixture.store.engine.settle()
    let late = try #require(
      journal.entries.last { (try? JSONReader($0.input).member("kind").value) == "load" })
    try await fixture.store.deleteParent("1")
    try await fixture.store.createParent(["id": 1, "username": "again"])
    let instance = try fixture.registry.instance(screen: "profile", key: "1")
    try await instance.send(type: "loadPosts")
    // It comes again, after all others.
    let position = journal.entries.count + 1
    try journal.append([
      Entry(position: position, time: late.time, input: late.input)
    ])
    let again = try ProfileFixture(journal: journal)
    #expect(again.instance.current.token == instance.current.token)
    again.scheduler.advance(by: .seconds(4))
    await again.store.engine.settle()
    #expect(again.states["posts"] == "loaded")
  }

  @Test("by many at once gives each its own id, and the instance ends at what the store holds")
  func concurrency() async throws {
    let fixture = try ProfileFixture()
    try await fixture.load()
    let ids = try await withThrowingTaskGroup(of: Text.self) { group in
      for _ in 0..<200 {
        group.addTask {
          try await fixture.store.createChild(of: "1") { try Self.post($0) }.resource.id.text
        }
      }
      return try await group.reduce(into: [Text]()) { $0.append($1) }
    }
    #expect(Set(ids).count == 200)
    let shown = fixture.rowIDs.filter { $0.string.hasPrefix("post/") }
    #expect(try shown == fixture.store.children(of: "1").map { "post/\($0.id)" })
    #expect(fixture.number == 203)
  }

  @Test("never leaves an instance behind the store, whatever loads and cancels run beside it")
  func interleavings() async throws {
    try await withSeeds(40) { generator in
      let fixture = try ProfileFixture()
      for _ in 0..<60 {
        switch generator.number(in: 0...5) {
        case 0: try await fixture.send("appear")
        case 1: try await fixture.send("cancelPosts")
        case 2: fixture.scheduler.advance(by: .milliseconds(generator.number(in: 0...5_000)))
        case 3: _ = try await fixture.store.createChild(of: "1") { try Self.post($0) }
        case 4:
          if let post = try fixture.store.children(of: "1").first {
            try await fixture.store.deleteChild(post.id, of: "1")
          }
        default:
          if var post = try fixture.store.children(of: "1").last {
            post.title = "\(post.title)!"
            try await fixture.store.replace(post, of: "1")
          }
        }
        try Self.checkPosts(fixture)
      }
    }
  }

  /// A loaded half shows exactly what the store holds.
  private static func checkPosts(_ fixture: ProfileFixture) throws {
    guard fixture.states["posts"] == "loaded" else { return }
    let posts = try fixture.store.children(of: "1")
    let titles = posts.map { fixture.row("post/\($0.id)")?.fields["title"] }
    try require(titles == posts.map { .string($0.title) }, "the instance shows \(titles)")
  }
}
