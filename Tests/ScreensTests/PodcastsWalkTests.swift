import CanonicalJSON
import Screens
import Snapshots
import TestSupport
import Testing
import ViewState

@Suite("A random walk over the podcasts screen")
struct PodcastsWalkTests {
  @Test("never leaves the table, and every difference can be replayed")
  func walk() async throws {
    try await withSeeds(30) { generator in
      let fixture = try PodcastsFixture(policy: generator.pick(RefreshPolicy.allCases))
      for _ in 0..<80 {
        let before = fixture.instance.current
        try await Self.step(fixture, &generator)
        try fixture.instance.prove(from: before)
        try Self.check(fixture)
      }
      for pair in zip(fixture.instance.kept, fixture.instance.kept.dropFirst()) {
        try Self.check(pair.1, after: pair.0)
      }
    }
  }

  /// One thing that a user, a developer or the time may do.
  private static func step(
    _ fixture: PodcastsFixture, _ generator: inout SeededGenerator
  ) async throws {
    switch generator.number(in: 0...7) {
    case 0, 1: try await fixture.send("load")
    case 2: try await fixture.send("cancel")
    case 3: try await fixture.choose(generator.pick(["keepPrevious", "blank"]))
    case 4: fixture.scheduler.advance(by: .milliseconds(generator.number(in: 0...4_000)))
    case 5:
      let outcome = generator.pick([FaultScript.Outcome.succeed, .fail, .hang, .late])
      try await fixture.faults.set(
        FaultScript(outcomes: [outcome]), for: "podcasts", of: "1")
    case 6:
      let id = ResourceID(generator.number(in: 1...4))
      try? await fixture.store.deleteChild(id, of: "1")
    default:
      let id = JSONValue.integer(generator.number(in: 1...4))
      let title = JSONValue.string(generator.pick(["A", "B", "C", ""]))
      let date = JSONValue.string("2026-0\(generator.number(in: 1...9))-01")
      let item = try FeedItem(
        JSONReader(["id": id, "title": title, "latestEpisode": ["title": "E", "date": date]]))
      do {
        try await fixture.store.replace(item, of: "1")
      } catch {
        try await fixture.store.createChild(of: "1") { _ in item }
      }
    }
  }

  /// What holds in each state, whatever came before.
  private static func check(_ fixture: PodcastsFixture) throws {
    let (rows, state) = (fixture.rows, fixture.state)
    let isBlank = fixture.field("refreshPolicy", of: "podcasts/header") == "blank"
    let extras = rows.filter { $0 == "podcasts/loading" || $0 == "podcasts/error" }
    let expected: [Text?: [Text]] = [
      "notRequested": [], "loaded": [], "isLoading": ["podcasts/loading"],
      "failed": ["podcasts/error"],
    ]
    try require(extras == expected[state], "\(state ?? "no state") has \(rows)")
    try require(extras.isEmpty || rows.first == extras[0], "\(rows) begin with something else")
    let isShort = state == "notRequested" || (isBlank && state != "loaded")
    try require(!isShort || rows == extras, "\(rows) are shown in \(state ?? "no state")")
    try require(state != "loaded" || !rows.isEmpty, "nothing says that there is nothing")
  }

  /// A state only follows another by what leads there in the table.
  private static func check(_ new: Revision, after old: Revision) throws {
    let states = (old.snapshot.states["podcasts"], new.snapshot.states["podcasts"])
    let isAllowed =
      switch new.cause {
      case .start: false
      case .command("load"): states.0 != "isLoading" && states.1 == "isLoading"
      case .command("cancel"): states.0 == "isLoading" && states.1 != "isLoading"
      case .command: states.0 == states.1
      case .loaded: states.0 == "isLoading" && states.1 == "loaded"
      case .failed: states.0 == "isLoading" && states.1 == "failed"
      case .storeWrite: states.0 == states.1 && states.0 != "notRequested"
      }
    try require(isAllowed, "\(states) by \(new.cause)")
  }
}
