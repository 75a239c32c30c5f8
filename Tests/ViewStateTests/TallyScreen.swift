import CanonicalJSON
import Snapshots
import ViewState

/// The smallest screen with a state of its own: one row with how often the command came.
struct TallyScreen: ScreenMachine {
  var descriptor: ScreenDescriptor {
    ScreenDescriptor(
      name: "tally", keyName: "name", summary: "A tally.",
      commands: [CommandDescriptor(type: "add", summary: "Adds one.")], sources: [])
  }

  func initialState(for key: Text, in stores: Stores) -> Int { 0 }

  func run(
    _ command: SentCommand, on state: inout Int, for key: Text, in transaction: inout Transaction
  ) -> [Effect<Never>] {
    state += 1
    return []
  }

  func assemble(_ state: Int, rows: inout RowCache) throws(SnapshotError) -> Snapshot {
    try Snapshot(reusing: rows.snapshot) {
      Section(id: "s", rows: [Row(id: "r", type: "number", fields: ["n": .integer(state)])])
    }
  }
}
