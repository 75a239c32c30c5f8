import CanonicalJSON
import Snapshots
import TestSupport
import Testing

@testable import ViewState

@Suite("A journal that is replayed without a server")
struct ReplayTests {
  @Test("tells which revisions clients saw after each input, and why one was refused")
  func inputs() async throws {
    let world = try JournalWorld(program: "1")
    let first = try await world.send(JournalTests.add, to: "tally", "a")
    try await world.store.write(["a": 2])
    let written = [try world.shown("counter", "a").token, try world.shown("sum", "all").token]
    await #expect(throws: Counters.tooHigh) { _ = try await world.store.write(["a": 200]) }
    await #expect(throws: CommandFailure.self) {
      try await world.send(["type": "add", "by": 20], to: "counter", "a")
    }
    try await world.send(JournalTests.load, to: "weather", "x")
    #expect(world.engine.answer("degrees", .success(7)))
    await world.settle()
    let weather = try world.shown("weather", "x").token
    try await world.send(JournalTests.load, to: "weather", "y")

    let content = world.journal.content
    // Also another program tells the revisions that clients had.
    let replayed = try JournalWorld(world.journal, program: "2", starting: false)
    #expect(try replayed.engine.beginReplay() == 0)
    var inputs: [ReplayedInput] = []
    try replayed.engine.replay(until: .max) { inputs.append($0) }
    #expect(inputs.map(\.entry) == content.entries)
    #expect(inputs[0].revisions.map(\.instanceName) == ["tally/a"])
    #expect(inputs[0].revisions.map(\.token) == [first.revision])
    #expect(inputs[1].revisions.map(\.token) == written)
    #expect(
      inputs.map(\.refusal) == [
        nil, nil, "the number would be too high", "the number would be too high (/by)", nil, nil,
        nil,
      ])
    #expect(inputs[2].revisions.isEmpty && inputs[3].revisions.isEmpty)
    #expect(inputs[5].revisions.map(\.token) == [weather])
    #expect(replayed.engine.heldCalls.isEmpty)
    #expect(world.journal.content.appends == content.appends)
    #expect(world.journal.positions == content.checkpoints.map(\.position))
  }

  @Test("tells the place of what a store has refused")
  func place() {
    let entry = Entry(position: 1, time: JournalWorld.start, input: .null)
    let error = StoreError.malformed(JSONShapeError(["colour"], "the member is missing"))
    let input = ReplayedInput(entry, Result<Int, StoreError>.failure(error), [])
    #expect(input.refusal == "the member is missing (/colour)")
  }

  @Test(
    "takes no command for refused whose state cannot be shown, and says in words which key is missing"
  )
  func missing() {
    let entry = Entry(position: 1, time: JournalWorld.start, input: .null)
    func refusal(_ error: ScreenLookupError) -> String? {
      ReplayedInput(entry, Result<Int, CommandFailure>.failure(.unavailable(error)), []).refusal
    }
    #expect(refusal(.failed) == nil)
    #expect(refusal(.unknownKey) == "there is no view model of this key")
    #expect(refusal(.deletedKey) == "the view model was deleted")
  }

  @Test("ends at a position with what was shown there, and goes on from there")
  func end() async throws {
    let world = try JournalWorld()
    var shown: [Snapshot] = [try world.shown("tally", "a").snapshot]
    for _ in 1...1_100 {
      try await world.send(JournalTests.add, to: "tally", "a")
      shown.append(try world.shown("tally", "a").snapshot)
    }
    let replayed = try JournalWorld(world.journal, starting: false)
    _ = try replayed.engine.beginReplay()
    for end in [0, 1, 1_024, 1_025, 9_000] {
      var last = 0
      try replayed.engine.replay(until: end) { last = $0.entry.position }
      #expect(try replayed.shown("tally", "a").snapshot == shown[min(end, 1_100)])
      #expect(last == min(end, 1_100))
    }
  }
}
