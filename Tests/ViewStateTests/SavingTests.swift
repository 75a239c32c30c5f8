import CanonicalJSON
import Snapshots
import TestSupport
import Testing
import ViewState

/// A screen that does nothing but write numbers back.
private struct Notepad: Screen {
  struct State: ScreenState { var numbers = SaveState<Int>() }

  static let name: Text = "notepad"
  static let summary = "Numbers that are written back."
  static let write = Command("write", "Writes a number.", .integer("number")) {
    (state: inout State, number) throws(Refusal) in
    try state.numbers.save(number)
  }

  var commands: [AnyCommand<State>] { Self.write }
  var parts: [any ScreenPart<State>] { [Saving("numbers", \.numbers, to: { _, _ in })] }
}

@Suite("A part that saves")
struct SavingTests {
  @Test("writes changes in their order, and holds the others back while one fails")
  func order() async throws {
    let pad = try TestStore(Notepad())
    for number in 1...3 { try await pad.send(Notepad.write, number) }
    #expect(try pad.change(of: "numbers") == 1)
    try pad.answer("numbers")
    #expect(try pad.change(of: "numbers") == 2)
    try pad.fail("numbers")
    #expect(pad.waiting.isEmpty && pad.states == ["numbers": "failed"])
    try await pad.tap("numbers/error")
    try pad.answer("numbers")
    #expect(try pad.change(of: "numbers") == 3)
    try pad.answer("numbers")
    #expect(pad.waiting.isEmpty && pad.states == ["numbers": "loaded"])
  }

  @Test("fails a write that takes longer than the time-out")
  func timeOut() async throws {
    let pad = try TestStore(Notepad())
    try await pad.send(Notepad.write, 1)
    pad.advance(by: .seconds(10))
    #expect(pad.rows.map(\.fields["code"]) == ["timed-out"])
    #expect(pad.incidents.count == 1)
  }

  @Test("refuses more changes than may wait, and keeps those that do")
  func full() async throws {
    let pad = try TestStore(Notepad())
    let limit = SaveState<Int>.limit
    for number in 1...limit { try await pad.send(Notepad.write, number) }
    await #expect(throws: Refusal.self) { try await pad.send(Notepad.write, 0) }
    for _ in 1...limit { try pad.answer("numbers") }
    #expect(pad.waiting.isEmpty)
  }

  @Test("says which answer nothing waits for")
  func noWait() throws {
    #expect(throws: TestFailure.self) { try TestStore(Notepad()).answer("numbers") }
  }
}
