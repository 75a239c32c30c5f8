import CanonicalJSON
import Snapshots
import TestSupport
import Testing
import ViewState

/// A screen with a note that goes away after five seconds.
private struct NoteScreen: Screen {
  struct State: ScreenState {
    var count = 0
    var showing = Lookups<Int, Bool>()
  }

  static let name: Text = "note"
  static let summary = "A note."
  static let show = Command("show", "Shows the note for five seconds.") { (state: inout State) in
    state.count += 1
    state.showing.ask(state.count)
  }
  static let hide = Command("hide", "Hides the note.") { (state: inout State) in
    state.showing.ask(nil)
  }
  static let note = RowType(text: "note", "A note.")

  var commands: [AnyCommand<State>] {
    Self.show
    Self.hide
  }
  var rowTypes: [RowTypeDescriptor] { Self.note }
  var parts: [any ScreenPart<State>] {
    [
      LookingUp("showing", \.showing, after: .seconds(5)) { _, _, _ in true }
    ]
  }

  func body(_ state: State) -> [ListSection] {
    ListSection("notes") { if state.showing[].isLoading { Self.note("note", "Saved") } }
  }
}

@Suite("A look-up that only waits")
struct ShownForATimeTests {
  @Test(
    "takes its own time, whatever the latency of the sources, unless one is named for it",
    arguments: [([:], 5), (["other": 2], 5), (["showing": 2], 2), (["showing": 8], 8)]
      as [([Text: Int], Int)])
  func latency(named: [Text: Int], expected: Int) async throws {
    let scheduler = ManualScheduler()
    let registry = ScreenRegistry(
      Engine(environment: ScreenEnvironment(scheduler: scheduler)),
      latencies: Latencies(named.mapValues { .seconds($0) }, others: .seconds(1)), of: NoteScreen())
    let instance = try registry.instance(screen: "note", key: "a")
    try await instance.send(["type": "show"])
    scheduler.advance(by: .seconds(expected) - .milliseconds(1))
    #expect(instance.current.snapshot.states == ["showing": "isLoading"])
    scheduler.advance(by: .milliseconds(1))
    #expect(instance.current.snapshot.states == ["showing": "loaded"])
  }

  @Test("shows something for a time, which begins anew with each question")
  func time() async throws {
    let viewModel = try TestViewModel(NoteScreen())
    #expect(viewModel.rows.isEmpty)
    for _ in 1...2 {
      try await viewModel.send(NoteScreen.show)
      viewModel.advance(by: .seconds(4))
      #expect(viewModel.rows.count == 1)
    }
    viewModel.advance(by: .seconds(1))
    #expect(viewModel.rows.isEmpty)
    try await viewModel.send(NoteScreen.show)
    #expect(viewModel.rows.count == 1)
    try await viewModel.send(NoteScreen.hide)
    #expect(viewModel.rows.isEmpty && viewModel.incidents.isEmpty)
  }
}
