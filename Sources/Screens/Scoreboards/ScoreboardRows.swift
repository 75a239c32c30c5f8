import CanonicalJSON
import Snapshots
import ViewState

/// The rows of the list of scoreboards and of one scoreboard, one function for each type.
extension RowCache {
  mutating func scoreboardsHeader() -> Row {
    text("scoreboards/header", type: "scoreboardsHeader", "Scoreboards")
  }

  mutating func scoreboardsEmpty() -> Row {
    text("scoreboards/empty", type: "scoreboardsEmpty", "No scoreboards yet")
  }

  mutating func scoreboard(_ board: Scoreboard) -> Row {
    let id: Text = "board/\(board.id)"
    return row(id, for: ScoreboardSummary(board)) { board in
      var fields: [Text: JSONValue] = [
        "title": .string(board.title), "playerCount": .integer(board.playerCount),
        "screen": .string("scoreboard/\(board.id)"),
        "action": ScoreboardsCommand.removeBoard.descriptor.action(
          title: "Remove", arguments: ["board": board.id.json]),
      ]
      if let name = board.leaderName, let score = board.leaderScore {
        fields["leader"] = .object(["name": .string(name), "score": .integer(score)])
      }
      return Row(id: id, type: "scoreboard", fields: fields)
    }
  }

  mutating func scoreboardHeader(_ board: Scoreboard) -> Row {
    row("scoreboard/header", for: ScoreboardSummary(board)) { board in
      Row(
        id: "scoreboard/header", type: "scoreboardHeader",
        fields: ["title": .string(board.title), "playerCount": .integer(board.playerCount)])
    }
  }

  mutating func playersEmpty() -> Row {
    text("players/empty", type: "playersEmpty", "No players yet")
  }

  mutating func player(_ player: RankedPlayer) -> Row {
    let id: Text = "player/\(player.id)"
    return row(id, for: player) { player in
      Row(
        id: id, type: "player",
        fields: [
          "name": .string(player.name), "score": .integer(player.score),
          "rank": .integer(player.rank),
          "action": ScoreboardCommand.adjustScore.descriptor.action(
            title: "+1", arguments: ["player": player.id.json, "by": 1]),
        ])
    }
  }

  private mutating func text(_ id: Text, type: Text, _ text: Text) -> Row {
    row(id, for: text) { Row(id: id, type: type, fields: ["text": .string($0)]) }
  }
}
