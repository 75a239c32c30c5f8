import CanonicalJSON
import Screens
import Snapshots
import TestSupport
import Testing
import ViewState

@Suite("The profile screen")
struct ProfileScreenTests {
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
}
