import CanonicalJSON
import Screens
import Snapshots
import TestSupport
import Testing
import ViewState

@Suite("The profile screen")
struct ProfileScreenTests {
  @Test("makes one revision of each input, as in the worked example")
  func workedExample() async throws {
    let fixture = try ProfileFixture()
    #expect(fixture.rowIDs == ["profile/header", "posts/header"])
    try await fixture.send("loadPosts")
    try await fixture.send("loadProfile")
    fixture.scheduler.advance(by: .seconds(3))
    fixture.scheduler.advance(by: .seconds(1))

    #expect(
      fixture.instance.kept.map(\.cause) == [
        .start, .command("loadPosts"), .command("loadProfile"), .loaded(source: "profile"),
        .loaded(source: "posts"),
      ])
    #expect(try fixture.changes(from: 0, to: 1).summary == ["insert posts/loading"])
    #expect(try fixture.changes(from: 1, to: 2).summary == ["update profile/header"])
    #expect(
      try fixture.changes(from: 2, to: 3).summary
        == ["insert profile/location", "insert profile/website", "update profile/header"])
    #expect(
      try fixture.changes(from: 3, to: 4).summary == ["delete posts/loading", "insert post/1"])
    #expect(
      try fixture.changes(from: 0, to: 4).summary == [
        "insert profile/location", "insert profile/website", "insert post/1",
        "update profile/header",
      ])
    let kept = fixture.instance.kept
    let sizes = zip(kept.dropFirst(), kept).map { $0.diffSize(after: $1).operationCount }
    #expect(sizes == [1, 1, 3, 2])
  }

  @Test("makes one revision of a command that loads both halves")
  func appearing() async throws {
    let fixture = try ProfileFixture()
    try await fixture.send("appear")
    #expect(fixture.instance.kept.map(\.cause) == [.start, .command("appear")])
    #expect(
      try fixture.changes(from: 0, to: 1).summary
        == ["insert posts/loading", "update profile/header"])
    #expect(fixture.states == ["posts": "isLoading", "profile": "isLoading"])
  }

  @Test("accepts a command that starts work as pending, and ignores a second one meanwhile")
  func acceptance() async throws {
    let fixture = try ProfileFixture()
    let first = try await fixture.send("loadPosts")
    #expect(first.isAccepted && first.isPending && fixture.number == 1)
    let second = try await fixture.send("loadPosts")
    #expect(!second.isAccepted && !second.isPending && second.revision == first.revision)
    let cancel = try await fixture.send("cancelPosts")
    #expect(cancel.isAccepted && !cancel.isPending && fixture.number == 2)
    let nothing = try await fixture.send("cancelPosts")
    #expect(!nothing.isAccepted && nothing.revision == cancel.revision)
  }

  @Test("is opened once by 10,000 that know its first revision")
  func openings() async throws {
    let fixture = try ProfileFixture()
    let first = fixture.instance.current.token
    let accepted = await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<10_000 {
        group.addTask { (try? await fixture.send("appear", expecting: [first])) != nil }
      }
      return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
    }
    #expect(accepted == 1)
    fixture.scheduler.advance(by: .seconds(4))
    // Another thread may still be applying inputs.
    try await wait { fixture.number == 3 }
    #expect(fixture.incidents.all.isEmpty)
  }

  @Test("turns fifty equal loads into one")
  func burst() async throws {
    let fixture = try ProfileFixture()
    let accepted = try await withThrowingTaskGroup(of: Bool.self) { group in
      for _ in 0..<50 { group.addTask { try await fixture.send("loadPosts").isAccepted } }
      return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
    }
    #expect(accepted == 1)
    #expect(fixture.number == 1)
    #expect(fixture.incidents.all.count == 49)
    // One load and its time-out.
    #expect(fixture.scheduler.pendingCount == 2)
    fixture.scheduler.advance(by: .seconds(20))
    // Another thread may still be applying inputs.
    try await wait { fixture.number == 2 }
  }

  @Test(
    "lets each half fail and be retried by its row's own action, with that half's rows only",
    arguments: ProfileSource.allCases)
  func retry(source: ProfileSource) async throws {
    let fixture = try ProfileFixture()
    try await fixture.faults.set(
      FaultScript(outcomes: [.fail]), for: source.rawValue, of: "1")
    try await fixture.load()
    #expect(fixture.states[source.rawValue] == "failed")
    #expect(fixture.states.values.sorted() == ["failed", "loaded"])

    let failed = fixture.number
    let action = try #require(fixture.row("\(source.rawValue)/error")?.fields["action"])
    let command = try JSONReader(action).member("command")
    _ = try await fixture.instance.send(SentCommand(command), expecting: nil)
    fixture.scheduler.advance(by: .seconds(4))
    #expect(fixture.states.values.sorted() == ["loaded", "loaded"])
    let touched = try fixture.changes(from: failed, to: fixture.number).summary
    let others = source == .posts ? "profile/" : "post"
    #expect(!touched.isEmpty && touched.allSatisfy { !$0.contains(" \(others)") })
  }

  @Test("fails a load that does not end in time, and lets nothing of it come later")
  func timeout() async throws {
    let fixture = try ProfileFixture(timeout: .seconds(2))
    try await fixture.send("loadPosts")
    fixture.scheduler.advance(by: .seconds(2))
    #expect(fixture.row("posts/error")?.fields["code"] == "timed-out")
    let number = fixture.number
    fixture.scheduler.advance(by: .seconds(60))
    #expect(fixture.number == number)
    #expect(fixture.scheduler.pendingCount == 0)
  }

  @Test("ends a load that hangs by its time-out")
  func hanging() async throws {
    let fixture = try ProfileFixture()
    try await fixture.faults.set(FaultScript(outcomes: [.hang]), for: "profile", of: "1")
    try await fixture.send("loadProfile")
    fixture.scheduler.advance(by: .milliseconds(9_999))
    #expect(fixture.states["profile"] == "isLoading")
    fixture.scheduler.advance(by: .milliseconds(1))
    #expect(fixture.row("profile/error")?.fields["code"] == "timed-out")
  }

  @Test(
    "cancels: a first load fails, a refresh gives back what was there, and neither writes later")
  func cancelling() async throws {
    let fixture = try ProfileFixture()
    try await fixture.send("loadPosts")
    try await fixture.send("cancelPosts")
    #expect(fixture.row("posts/error")?.fields["code"] == "cancelled")
    fixture.scheduler.advance(by: .seconds(60))
    #expect(fixture.number == 2)

    try await fixture.load()
    let loaded = fixture.rowIDs
    let number = fixture.number
    try await fixture.send("loadPosts")
    try await fixture.send("cancelPosts")
    #expect(fixture.rowIDs == loaded)
    fixture.scheduler.advance(by: .seconds(60))
    #expect(fixture.number == number + 2)
  }

  @Test("goes out and back in new revisions with an empty diff between the ends")
  func outAndBack() async throws {
    let fixture = try ProfileFixture()
    try await fixture.load()
    let start = fixture.number
    try await fixture.load()
    #expect(fixture.number == start + 3)
    #expect(try fixture.changes(from: start, to: fixture.number).isEmpty)
  }

  @Test("runs a command only on a revision that its sender expects")
  func expectation() async throws {
    let fixture = try ProfileFixture()
    let current = fixture.instance.current.token
    try await fixture.send("loadPosts", expecting: [current])
    await #expect(throws: CommandFailure.self) {
      try await fixture.send("loadProfile", expecting: [current])
    }
    #expect(fixture.number == 1)
  }

  @Test(
    "refuses commands it does not have, and arguments they do not take",
    arguments: [
      (["type": "explode"], "/type"), (["type": "loadPosts", "now": true], "/now"),
      ([:], "/type"), (["type": 1], "/type"), ([1], ""), ("loadPosts", ""),
    ] as [(JSONValue, String)])
  func refusal(body: JSONValue, pointer: String) async throws {
    let fixture = try ProfileFixture()
    do {
      try await fixture.instance.send(body)
      Issue.record("the command was taken")
    } catch let refusal as Refusal {
      #expect(refusal.pointer.description == pointer)
    } catch CommandFailure.refused(let refusal) {
      #expect(refusal.pointer.description == pointer)
    }
    #expect(fixture.number == 0)
  }

  @Test("records results that should not have come, and changes nothing")
  func incidents() async throws {
    let fixture = try ProfileFixture()
    try await fixture.send("loadPosts")
    try await fixture.send("loadPosts")
    #expect(fixture.incidents.all.map(\.screen) == ["profile/1"])
    #expect(
      fixture.incidents.all.map(\.kind) == [
        .transition(source: "posts", .duplicate, action: "load", state: "isLoading")
      ])
  }
}
