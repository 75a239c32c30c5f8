public import CanonicalJSON
import OrderedCollections
public import Snapshots
public import ViewState

/// The list of all scoreboards.
public struct ScoreboardsScreen: StoreScreen {
  /// The boards as the store has them.
  public struct State: Equatable, Sendable {
    var data: ScoreboardData
  }

  /// The one key there is.
  public static let key: Text = "all"

  public let store: ScoreboardStore

  /// - Parameter store: where the boards come from, and where commands write.
  public init(store: ScoreboardStore) {
    self.store = store
  }

  public var descriptor: ScreenDescriptor {
    ScreenDescriptor(
      name: "scoreboards", keyName: "list",
      summary: "All scoreboards, each with its leader.",
      commands: ScoreboardsCommand.allCases.map(\.descriptor), sources: [])
  }

  public var stateMachines: [StateMachine] { [.scoreboards] }

  public var shownPart: StorePart? { .whole(of: store) }

  public func part(
    of data: ScoreboardData, for key: Text
  ) throws(ScreenLookupError) -> State {
    guard key == Self.key else { throw .unknownKey }
    return State(data: data)
  }

  public func run(
    _ command: SentCommand, on state: inout State, for key: Text, in transaction: inout Transaction
  ) throws(Refusal) -> [Effect<Never>] {
    try command.edit(store, try command.scoreboardEdit(), in: &transaction)
  }

  public func assemble(
    _ state: State, rows: inout RowCache
  ) throws(SnapshotError) -> Snapshot {
    try Snapshot(reusing: rows.snapshot) {
      Section(id: "scoreboards") {
        rows.scoreboardsHeader()
        if state.data.boards.isEmpty { rows.scoreboardsEmpty() }
        for board in state.data.boards.values { rows.scoreboard(board) }
      }
    }
  }
}
