import CanonicalJSON
import Snapshots
import ViewState

/// The smallest screen with a state of its own: one row with how often the command came.
struct TallyScreen: Screen {
  static let name: Text = "tally"
  static let keyName = "name"
  static let summary = "A tally."

  static let number = RowType("number", of: Int.self) { Field("n", \.self) }

  var commands: [AnyCommand<Int>] {
    Command("add", "Adds one.") { (state: inout Int) in state += 1 }
  }

  var rowTypes: [RowTypeDescriptor] { Self.number }

  func initialState(for key: Text, in stores: Stores) -> Int { 0 }

  func body(_ state: Int) -> [ListSection] {
    ListSection("s") { Self.number("r", state) }
  }
}
