import CanonicalJSON
import Snapshots
import Testing
import ViewState

/// A screen with one row, for the mistakes that a declaration of it makes.
protocol MistakenScreen: Screen {
  associatedtype State: NumberState = MistakenState
}

protocol NumberState: ScreenState { var number: Int { get set } }

struct MistakenState: NumberState { var number = 0 }

struct LookingState: NumberState {
  var number = 0
  var places = Lookups<Text, Text>()
}

extension MistakenScreen {
  static var summary: String { "A mistake." }
  @RowTypeBuilder var rowTypes: [RowTypeDescriptor] { MistakenRow.type }
  @ListBuilder<ListSection> func body(_ state: State) -> [ListSection] {
    ListSection("all") { MistakenRow.type("row", state.number) }
  }
}

enum MistakenRow {
  static let type = RowType("row", of: Int.self) { Field("n", \Int.self) }
}

/// Checks that a process has ended with a message.
func expect(_ message: String, in result: ExitTest.Result?) {
  let text = result.map { String(decoding: $0.standardErrorContent, as: UTF8.self) } ?? ""
  #expect(text.contains(message))
}
