public import CanonicalJSON
import OrderedCollections
import Snapshots
public import ViewState

/// One scoreboard with its players.
public struct ScoreboardScreen: Screen {
  public typealias State = Scoreboard

  public static let name: Text = "scoreboard"
  public static let keyName = "scoreboardID"
  public static let summary = "One scoreboard: its title, and its players with scores and ranks."

  private let store: ScoreboardStore

  /// - Parameter store: The scoreboards.
  public init(store: ScoreboardStore) {
    self.store = store
  }

  public var shownPart: StorePart? { .element(of: store) }

  public func initialState(
    for key: Text, in stores: Stores
  ) throws(ScreenLookupError) -> Scoreboard {
    let (data, id) = (stores[store], ResourceID(named: key))
    guard let board = data.boards[id] else {
      throw data.isDeleted(id) ? .deletedKey : .unknownKey
    }
    return board
  }

  static let adjustScore = Command<State, ResourceID, Int>(
    "adjustScore", "Adds to the score of a player, or takes from it.", .id("player"),
    .integer("by", Player.scores))

  public var commands: [AnyCommand<State>] {
    Command("renameBoard", "Gives the board another title.", .shownText("title"))
      .editing(store) { board, title in .renameBoard(board.id, to: title) }
    Command(
      "addPlayer", "Adds a player at the end, or where `before` or `after` says.",
      .optional(.id("id")), .shownText("name"),
      .optional(.integer("score", Player.scores)), .optionalPlace
    ).editing(store) { board, id, name, score, place in
      .players(of: board.id, .add(id: id, name: name, score: score ?? 0, at: place))
    }
    Command(
      "renamePlayer", "Gives a player another name.", .id("player"), .shownText("name")
    ).editing(store) { board, player, name in
      .players(of: board.id, .rename(player, to: name))
    }
    Command(
      "setScore", "Gives a player another score.", .id("player"),
      .integer("score", Player.scores)
    ).editing(store) { board, player, score in
      .players(of: board.id, .setScore(player, to: score))
    }
    Self.adjustScore.editing(store) { board, player, difference in
      .players(of: board.id, .adjustScore(player, by: difference))
    }
    Command("removePlayer", "Removes a player from the board.", .id("player"))
      .editing(store) { board, player in .players(of: board.id, .remove(player)) }
    Command(
      "movePlayer", "Moves a player before or after another one.", .id("player"), .place
    ).editing(store) { board, player, place in
      .players(of: board.id, .move(player, to: place))
    }
  }

  public func body(_ board: Scoreboard) -> [ListSection] {
    ListSection("scoreboard") {
      Self.header(
        "scoreboard/header", Header(title: board.title, playerCount: board.players.count))
    }
    ListSection("players") {
      if board.players.isEmpty { Self.empty("players/empty", "No players yet") }
      ForEach(board.rankedPlayers, as: Self.player) { "player/\($0.id)" }
    }
  }

  public var rowTypes: [RowTypeDescriptor] {
    Self.header
    Self.empty
    Self.player
  }
}

/// The rows.
extension ScoreboardScreen {
  struct Header: Equatable, Sendable {
    let title: Text
    let playerCount: Int
  }

  /// A player, whose row changes if others get ahead.
  struct RankedPlayer: Equatable, Sendable {
    let id: ResourceID
    let name: Text
    let score: Int
    let rank: Int
  }

  static let header = RowType(
    "scoreboardHeader", of: Header.self, "The title of one board; always there."
  ) {
    Field("title", \.title, .shownText)
    Field("playerCount", \.playerCount)
  }
  static let empty = RowType(text: "playersEmpty", "There are no players.")
  static let player = RowType(
    "player", of: RankedPlayer.self,
    "A player of one board; its id is `player/` and that of the player. The action adds a point."
  ) {
    Field("name", \.name, .shownText)
    Field("score", \.score, .integer(Player.scores))
    Field("rank", \.rank, "One more than the number of players with a higher score.")
    Action(adjustScore, "+1") { ($0.id, 1) }
  }
}

extension Scoreboard {
  /// The players in the order in which they are shown.
  ///
  /// - Complexity: O(*n* log *n*), where *n* is the number of players.
  fileprivate var rankedPlayers: [ScoreboardScreen.RankedPlayer] {
    var ranks: [Int: Int] = [:]
    for (place, score) in players.values.map(\.score).sorted(by: >).enumerated()
    where ranks[score] == nil {
      ranks[score] = place + 1
    }
    return players.values.map { player in
      ScoreboardScreen.RankedPlayer(
        id: player.id, name: player.name, score: player.score, rank: ranks[player.score] ?? 1)
    }
  }
}

/// The table of how a board moves.
extension ScoreboardScreen {
  public var stateMachines: [StateMachine] {
    let (board, one, two) = (ResourceID(0), ResourceID(1), ResourceID(2))
    return [
      .edits(
        "scoreboard", of: "players",
        add: {
          .players(
            of: board, .add(id: $0.map { ResourceID($0) }, name: "Name", score: 0, at: nil))
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
    ]
  }
}
