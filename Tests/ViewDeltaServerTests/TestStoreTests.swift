import CanonicalJSON
import Snapshots
import Testing
import ViewDeltaTesting
import ViewState

@Suite("A test of a screen")
struct TestStoreTests {
  /// A screen that repeats an id.
  private struct TwinScreen: Screen {
    struct State: ScreenState { var count = 0 }

    static let name: Text = "twin"
    static let summary = "Rows of one id."
    static let row = RowType(text: "row", "A row.")
    static let add = Command("add", "Adds a row.") { (state: inout State) in state.count += 1 }

    var commands: [AnyCommand<State>] { Self.add }
    var rowTypes: [RowTypeDescriptor] { Self.row }

    func body(_ state: State) -> [ListSection] {
      ListSection("rows") {
        for _ in 0..<state.count { Self.row("twin", "") }
      }
    }
  }

  @Test("says why a command leaves a screen that cannot be shown")
  func reason() async throws {
    let store = try TestStore { _ in TwinScreen() }
    try await store.send(TwinScreen.add)
    #expect(store.rows.count == 1)
    let failure = try await #require(throws: TestFailure.self) {
      try await store.send(TwinScreen.add)
    }
    #expect(
      failure.description
        == #"the command has no outcome: unavailable(ViewState.ScreenLookupError.failed): not unique: row ids ["twin"]"#
    )
  }
}
