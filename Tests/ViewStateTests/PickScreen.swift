import CanonicalJSON
import Snapshots
import ViewState

/// A screen that shows the id that was sent last.
struct PickScreen: Screen {
  struct State: ScreenState { var picked: ResourceID? }

  static let name: Text = "pick"
  static let summary = "An id."
  static let row = RowType("pick", of: State.self) { Field("picked", \.picked) }
  static let pick = Command("pick", "Picks.", .id("id")) { (state: inout State, id) in
    state.picked = id
  }

  var commands: [AnyCommand<State>] { Self.pick }
  var rowTypes: [RowTypeDescriptor] { Self.row }

  func body(_ state: State) -> [ListSection] { ListSection("s") { Self.row("r", state) } }
}
