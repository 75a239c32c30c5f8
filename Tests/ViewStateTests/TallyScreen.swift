import CanonicalJSON
import Snapshots
import ViewState

/// The smallest screen with a state of its own: one row with how often the command came.
struct TallyScreen: Screen {
  typealias Source = Never

  enum Action: Sendable {
    case add
  }

  var descriptor: ScreenDescriptor {
    ScreenDescriptor(
      name: "tally", keyName: "name", summary: "A tally.",
      commands: [CommandDescriptor(type: "add", summary: "Adds one.")], sources: [])
  }

  var stateMachines: [StateMachine] { [] }

  func initialState(for key: Text) throws(ScreenLookupError) -> Int { 0 }

  func plan(_ command: Command, in state: Int) throws(CommandRefusal) -> CommandPlan<Action> {
    .steps([.add])
  }

  func reduce(_ state: inout Int, _ action: Action) -> [Effect<Never>] {
    state += 1
    return []
  }

  func cause(of action: Action) -> RevisionCause { .command("add") }

  func assemble(_ state: Int, rows: inout RowCache) throws(SnapshotError) -> Snapshot {
    try Snapshot(reusing: rows.snapshot) {
      Section(id: "s", rows: [Row(id: "r", type: "number", fields: ["n": .integer(state)])])
    }
  }
}
