import CanonicalJSON
import Snapshots
import ViewState

/// A screen that shows the text that was sent last.
struct EchoScreen: Screen {
  struct State: ScreenState { var text: Text = "" }

  static let name: Text = "echo"
  static let summary = "A text."
  static let row = RowType(text: "text", "The text.")

  var commands: [AnyCommand<State>] {
    Command<State, Text>("set", "Shows a text.", .text("text", 1...100_000)) {
      (state: inout State, text) in state.text = text
    }
  }
  var rowTypes: [RowTypeDescriptor] { Self.row }

  func body(_ state: State) -> [ListSection] { ListSection("s") { Self.row("r", state.text) } }
}
