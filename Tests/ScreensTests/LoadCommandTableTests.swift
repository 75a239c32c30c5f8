import CanonicalJSON
import Screens
import TestSupport
import Testing
import ViewState

/// Every command of the screens that load, in every state of all their parts.
@Suite("Every command in every state of a screen that loads")
struct LoadCommandTableTests {
  @Test(
    "moves the halves of a profile as their tables say, and nothing else",
    arguments: LoadSituation.allCases, LoadSituation.allCases)
  func profile(profile: LoadSituation, posts: LoadSituation) async throws {
    let commands = try ProfileFixture().registry.descriptors.flatMap(\.commands).map(\.type)
    #expect(commands.count == 5)
    for command in commands {
      let fixture = try ProfileFixture()
      try await LoadSituation.arrange([(ProfileSource.profile, profile), (.posts, posts)]) {
        source, outcome in
        try await fixture.faults.set(
          FaultScript(outcomes: [outcome]), for: source.rawValue, of: "1")
        try await fixture.send(source == .profile ? "loadProfile" : "loadPosts")
      } finish: {
        fixture.scheduler.advance(by: .seconds(4))
      }
      try Self.expect(fixture, profile, posts)

      let number = fixture.number
      let next = (
        profile: profile.after(
          load: ["loadProfile", "appear"].contains(command), cancel: command == "cancelProfile"),
        posts: posts.after(
          load: ["loadPosts", "appear"].contains(command), cancel: command == "cancelPosts")
      )
      let outcome = try await fixture.instance.outcome(of: ["type": .string(command)])
      try Self.expect(fixture, next.profile, next.posts)
      let isChange = next.profile != profile || next.posts != posts
      #expect(fixture.number == number + (isChange ? 1 : 0), "\(command)")
      #expect((outcome == "nothing") == !isChange, "\(command)")

      // What was called off never comes; what runs ends.
      fixture.scheduler.advance(by: .seconds(60))
      #expect(
        fixture.states["profile"] == (next.profile.isRunning ? "loaded" : next.profile.stateName))
      #expect(fixture.states["posts"] == (next.posts.isRunning ? "loaded" : next.posts.stateName))
    }
  }

  private static func expect(
    _ fixture: ProfileFixture, _ profile: LoadSituation, _ posts: LoadSituation
  ) throws {
    let header: [Text] = profile == .failed ? [] : ["profile/header"]
    let rows: [Text] =
      (profile.stateName == "failed" ? ["profile/error"] : []) + header
      + (profile.hasContent ? ["profile/location", "profile/website"] : []) + ["posts/header"]
      + (posts.isRunning ? ["posts/loading"] : [])
      + (posts.stateName == "failed" ? ["posts/error"] : [])
      + (posts.hasContent ? ["post/1"] : [])
    #expect(fixture.rowIDs == rows)
    #expect(fixture.states == ["profile": profile.stateName, "posts": posts.stateName])
    // A load that runs, and its time-out.
    let timers = [profile, posts].count(where: \.isRunning) * 2
    #expect(fixture.scheduler.pendingCount == timers)
  }

  @Test(
    "moves the podcasts as their table says, under both policies",
    arguments: LoadSituation.allCases, RefreshPolicy.allCases)
  func podcasts(situation: LoadSituation, policy: RefreshPolicy) async throws {
    let commands: [JSONValue] = [
      ["type": "load"], ["type": "cancel"], ["type": "setRefreshPolicy", "policy": "keepPrevious"],
      ["type": "setRefreshPolicy", "policy": "blank"],
    ]
    for command in commands {
      let fixture = try PodcastsFixture(policy: policy)
      try await LoadSituation.arrange([((), situation)]) { _, outcome in
        try await fixture.faults.set(
          FaultScript(outcomes: [outcome]), for: "podcasts", of: "1")
        try await fixture.send("load")
      } finish: {
        fixture.scheduler.advance(by: .seconds(2))
      }
      try Self.expect(fixture, situation, policy)

      let number = fixture.number
      let type = try JSONReader(command).member("type").string()
      let next = situation.after(load: type == "load", cancel: type == "cancel")
      let chosen = try JSONReader(command).optionalMember("policy")?.string()
      let newPolicy = chosen.map { $0 == "blank" ? RefreshPolicy.blank : .keepPrevious } ?? policy
      let outcome = try await fixture.instance.outcome(of: command)
      try Self.expect(fixture, next, newPolicy)
      let isChange = next != situation || newPolicy != policy
      #expect(fixture.number == number + (isChange ? 1 : 0), "\(command)")
      #expect((outcome != "nothing") == isChange, "\(command)")

      fixture.scheduler.advance(by: .seconds(60))
      #expect(fixture.state == (next.isRunning ? "loaded" : next.stateName))
    }
  }

  private static func expect(
    _ fixture: PodcastsFixture, _ situation: LoadSituation, _ policy: RefreshPolicy
  ) throws {
    let isShown = situation.hasContent && (policy == .keepPrevious || situation == .loaded)
    let rows: [Text] =
      (situation.isRunning ? ["podcasts/loading"] : [])
      + (situation.stateName == "failed" ? ["podcasts/error"] : [])
      + (isShown ? ["podcast/2", "podcast/1"] : [])
    #expect(fixture.rows == rows)
    #expect(fixture.state == situation.stateName)
    #expect(fixture.scheduler.pendingCount == (situation.isRunning ? 2 : 0))
  }
}
