import CanonicalJSON
import OrderedCollections
import ViewState

extension StateMachine {
  /// How the list moves: by every kind of edit, in each number of boards that matters.
  static let scoreboards = exploring(
    "scoreboards", of: "boards",
    add: { .addBoard(id: $0.map { ResourceID($0) }, title: "Board", at: nil) },
    count: { $0.boards.count - 1 },
    edits: [
      ("renameBoard", .renameBoard(one, to: "Renamed")),
      ("removeBoard", .removeBoard(one)),
      ("moveBoard", .moveBoard(one, to: .after(two))),
    ], adding: "addBoard")

  /// How a board moves: by every kind of edit, in each number of players that matters.
  static let scoreboard = exploring(
    "scoreboard", of: "players",
    add: {
      .players(of: board, .add(id: $0.map { ResourceID($0) }, name: "Name", score: 0, at: nil))
    },
    count: { $0.boards[board]?.players.count },
    edits: [
      ("renameBoard", .renameBoard(board, to: "Renamed")),
      ("renamePlayer", .players(of: board, .rename(one, to: "Renamed"))),
      ("setScore", .players(of: board, .setScore(one, to: 7))),
      ("adjustScore", .players(of: board, .adjustScore(one, by: 7))),
      ("removePlayer", .players(of: board, .remove(one))),
      ("movePlayer", .players(of: board, .move(one, to: .after(two)))),
      ("the board is removed", .removeBoard(board)),
    ], adding: "addPlayer")

  private static let (board, one, two) = (ResourceID(0), ResourceID(1), ResourceID(2))

  /// Runs every edit on the data with nothing, one and two of what is counted in it.
  private static func exploring(
    _ name: String, of things: String, add: (Int?) -> ScoreboardEdit,
    count: (ScoreboardData) -> Int?, edits: [(name: String, edit: ScoreboardEdit)], adding: String
  ) -> StateMachine {
    var empty = ScoreboardData()
    try? empty.apply(.addBoard(id: board, title: "Board", at: nil))
    var (single, several) = (empty, empty)
    try? single.apply(add(1))
    several = single
    try? several.apply(add(2))
    // What was removed is not empty: nothing can happen to it any more.
    var gone = empty
    try? gone.apply(.removeBoard(board))
    let removed = count(gone) == nil ? [gone] : []
    return StateMachine(
      name: name, exploring: [empty, single, several] + removed, on: [(adding, add(nil))] + edits,
      stateName: { data in
        switch count(data) {
        case nil: "removed"
        case 0?: "no \(things)"
        case 1?: "one"
        default: "several"
        }
      },
      eventName: { $0.0 }
    ) { data, event in
      let before = data
      do {
        try data.apply(event.1)
      } catch {
        return ["refuse"]
      }
      return data == before ? [] : ["show"]
    }
  }
}
