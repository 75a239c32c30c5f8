public import CanonicalJSON
import OrderedCollections
public import Snapshots
public import ViewState

/// One scoreboard with its players.
public struct ScoreboardScreen: StoreScreen {
  public let store: ScoreboardStore

  /// - Parameter store: where the board comes from, and where commands write.
  public init(store: ScoreboardStore) {
    self.store = store
  }

  public var descriptor: ScreenDescriptor {
    ScreenDescriptor(
      name: "scoreboard", keyName: "scoreboardID",
      summary: "One scoreboard: its title, and its players with scores and ranks.",
      commands: ScoreboardCommand.allCases.map(\.descriptor), sources: [])
  }

  public var stateMachines: [StateMachine] { [.scoreboard] }

  public var shownPart: StorePart? { .element(of: store) }

  public func part(
    of data: ScoreboardData, for key: Text
  ) throws(ScreenLookupError) -> Scoreboard {
    let id = ResourceID(named: key)
    guard let board = data.boards[id] else {
      throw data.isDeleted(id) ? .deletedKey : .unknownKey
    }
    return board
  }

  public func run(
    _ command: SentCommand, on board: inout Scoreboard, for key: Text,
    in transaction: inout Transaction
  ) throws(Refusal) -> [Effect<Never>] {
    try command.edit(store, try command.scoreboardEdit(of: board), in: &transaction)
  }

  public func assemble(
    _ board: Scoreboard, rows: inout RowCache
  ) throws(SnapshotError) -> Snapshot {
    let ranks = board.ranks
    return try Snapshot(reusing: rows.snapshot) {
      Section(id: "scoreboard") { rows.scoreboardHeader(board) }
      Section(id: "players") {
        if board.players.isEmpty { rows.playersEmpty() }
        for player in board.players.values {
          rows.player(RankedPlayer(player, rank: ranks[player.score] ?? 1))
        }
      }
    }
  }
}
