package import CanonicalJSON
import Snapshots
package import ViewState

/// Counts. A server that applies inputs wrongly counts one of them twice.
package struct CountScreen: Screen {
  package static let name: Text = "count"
  package static let keyName = "name"
  package static let summary = "A count."
  package static let isPersonal = true
  private static let number = RowType("number", of: Int.self) { Field("n", \.self) }

  let mistake: Int?
  /// Whether the command `end` ends the process.
  let ends: Bool
  let whileAdding: @Sendable () -> Void

  package init(
    mistake: Int? = nil, ends: Bool = false, whileAdding: @escaping @Sendable () -> Void = {}
  ) {
    (self.mistake, self.ends, self.whileAdding) = (mistake, ends, whileAdding)
  }

  package var commands: [AnyCommand<Int>] {
    Command("end", "Adds ten.") { [ends] (state: inout Int) in
      precondition(!ends, "the process ends")
      state += 10
    }
    Command("add", "Adds one.") { [mistake, whileAdding] (state: inout Int) in
      whileAdding()
      state += state == mistake ? 2 : 1
    }
  }

  package var rowTypes: [RowTypeDescriptor] { Self.number }

  package func initialState(for key: Text, in stores: Stores) -> Int { 0 }

  package func body(_ state: Int) -> [ListSection] {
    ListSection("s") { Self.number("r", state) }
  }
}
