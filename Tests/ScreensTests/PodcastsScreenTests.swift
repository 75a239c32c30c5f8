import CanonicalJSON
import Screens
import TestSupport
import Testing
import ViewState

@Suite("The podcasts screen")
struct PodcastsScreenTests {
  @Test(
    "fails with the code of what is wrong with a feed, and shows a row for an empty one",
    arguments: [("3", "missing"), ("4", "malformed"), ("2", nil)])
  func feeds(listener: Text, code: Text?) async throws {
    let fixture = try PodcastsFixture(listener)
    try await fixture.send("load")
    fixture.scheduler.advance(by: .seconds(2))
    #expect(fixture.code == code.map(JSONValue.string))
    #expect(fixture.rows == [code == nil ? "podcasts/empty" : "podcasts/error"])
    #expect(
      fixture.instance.current.cause
        == (code.map { .failed(source: "podcasts", code: $0) } ?? .loaded(source: "podcasts")))
  }

  @Test("is the same to a client while writes change nothing of it, whatever others read meanwhile")
  func unseenWrites() async throws {
    let fixture = try PodcastsFixture()
    func add() async throws {
      try await fixture.store.write(.child(.create(["title": "New"]), of: "1"))
    }
    try await fixture.load()
    for _ in 1...3 { try await add() }
    let earlier = fixture.instance.kept
    try await fixture.choose("blank")
    try await fixture.faults.set(FaultScript(outcomes: [.hang]), for: "podcasts", of: "1")
    try await fixture.send("load")
    let known = fixture.instance.current
    #expect(known.snapshot.rowIDs == ["podcasts/header", "podcasts/loading"])
    // Their view models are made for the first time.
    #expect(earlier.suffix(2).map(\.snapshot.rowCount) == [5, 6])
    for _ in 1...3 { try await add() }
    let newest = fixture.instance.current
    #expect(newest.token != known.token && newest.isShown(as: known))
  }

  @Test("lets clients choose the policy in every state, says which it is, and offers the other")
  func policy() async throws {
    let fixture = try PodcastsFixture()
    #expect(fixture.field("refreshPolicy", of: "podcasts/header") == "keepPrevious")
    let action = try JSONReader(#require(fixture.field("action", of: "podcasts/header")))
    try await fixture.send(action.member("command").value)
    #expect(fixture.field("refreshPolicy", of: "podcasts/header") == "blank")
    #expect(fixture.instance.current.cause == .command("setRefreshPolicy"))
    #expect(try await !fixture.choose("blank").isAccepted)
    #expect(fixture.number == 1)
    await #expect(throws: CommandFailure.self) { try await fixture.choose("keep-previous") }
    await #expect(throws: CommandFailure.self) {
      try await fixture.send(["type": "setRefreshPolicy"])
    }
    #expect(fixture.number == 1)
  }

  @Test("never shows what a cancelled load brings", arguments: RefreshPolicy.allCases)
  func cancelling(policy: RefreshPolicy) async throws {
    let fixture = try PodcastsFixture(policy: policy)
    try await fixture.send("load")
    try await fixture.send("cancel")
    #expect(fixture.state == "failed" && fixture.code == "cancelled")
    let failed = fixture.number
    fixture.scheduler.advance(by: .seconds(60))
    #expect(fixture.number == failed && fixture.scheduler.pendingCount == 0)

    try await fixture.load()
    try await fixture.send("load")
    try await fixture.send("cancel")
    #expect(fixture.state == "loaded")
    let loaded = fixture.number
    fixture.scheduler.advance(by: .seconds(60))
    #expect(fixture.number == loaded && fixture.scheduler.pendingCount == 0)
  }

  @Test("moves with a write to what is loaded in the same step")
  func writes() async throws {
    let fixture = try PodcastsFixture()
    try await fixture.load()
    try await fixture.store.createChild(of: "1") {
      try FeedItem(JSONReader(["title": "Three"]), assigned: $0)
    }
    #expect(fixture.rows == ["podcast/2", "podcast/1", "podcast/3"])
    #expect(fixture.instance.current.cause == .storeWrite(source: "podcasts"))
    try await fixture.store.replace(
      Listener(JSONReader(["id": 1, "name": "ada l."])))
    #expect(fixture.field("listener", of: "podcasts/header") == "ada l.")
    #expect(fixture.instance.current.cause == .storeWrite(source: "listeners"))
    for id: Text in ["1", "2", "3"] {
      try await fixture.store.deleteChild(ResourceID(named: id), of: "1")
    }
    #expect(fixture.rows == ["podcasts/empty"])
    try await fixture.store.deleteParent("1")
    #expect(fixture.instance.isEnded)
  }

  @Test("finds a feed that a write broke when it loads again, and keeps what it has till then")
  func broken() async throws {
    let fixture = try PodcastsFixture()
    try await fixture.load()
    let number = fixture.number
    let item = try FeedItem(JSONReader(["id": 1, "title": ""]))
    try await fixture.store.replace(item, of: "1")
    #expect(fixture.number == number && fixture.state == "loaded")
    try await fixture.load()
    #expect(fixture.code == "malformed")
    #expect(fixture.rows == ["podcasts/error", "podcast/2", "podcast/1"])
    try await fixture.store.deleteChild("1", of: "1")
    try await fixture.load()
    #expect(fixture.rows == ["podcast/2"])
  }
}
