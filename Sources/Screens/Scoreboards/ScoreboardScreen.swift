public import CanonicalJSON
import Snapshots
public import ViewState

/// One scoreboard with its players.
public struct ScoreboardScreen: Screen {
  public typealias State = Scoreboard

  public static let name: Text = "scoreboard"
  public static let keyName = "scoreboardID"
  public static let summary = "One scoreboard: its title, and its players with scores and ranks."

  public let language: Language?
  let rows: Rows
  private let store: ScoreboardStore

  /// - Parameters:
  ///   - store: The scoreboards.
  ///   - language: The language of the texts.
  public init(store: ScoreboardStore, language: Language = .en) {
    self.store = store
    self.language = language
    rows = Rows(language)
  }

  public var shownStores: [ShownStore] { [.element(of: store)] }

  public func initialState(
    for key: Text, in stores: Stores
  ) throws(ScreenLookupError) -> Scoreboard {
    try stores[store].boards.element(for: key)
  }

  static let adjustScore = Command<State, ResourceID, Int>(
    "adjustScore", "Adds to the score of a player, or takes from it.", .id("player"),
    .integer("by", Player.scores))

  public var commands: [AnyCommand<State>] {
    Command("renameBoard", "Gives the board another title.", .shownText("title"))
      .writing(to: store) { board, title in
        var board = board
        board.title = title
        return .board(.replace(board))
      }
    Command(
      "addPlayer", "Adds a player at the end, or where `before` or `after` says.",
      .optional(.id("id")), .shownText("name"),
      .optional(.integer("score", Player.scores)), .optional(.place)
    ).writing(to: store) { board, id, name, score, place in
      let body: JSONValue = [
        "id": id?.json ?? .null, "name": .string(name), "score": .integer(score ?? 0),
      ]
      return .player(.create(body, at: place), of: board.id)
    }
    Command(
      "renamePlayer", "Gives a player another name.", .id("player"), .shownText("name")
    ).writing(to: store) { board, id, name in
      var player = try board.player(id)
      player.name = name
      return .player(.replace(player), of: board.id)
    }
    Command(
      "setScore", "Gives a player another score.", .id("player"),
      .integer("score", Player.scores)
    ).writing(to: store) { board, id, score in
      var player = try board.player(id)
      player.score = score
      return .player(.replace(player), of: board.id)
    }
    Self.adjustScore.writing(to: store) { board, id, difference in
      var player = try board.player(id)
      // Both are in the range of scores, whose sums are far from the limits of an Int.
      player.score += difference
      guard Player.scores.contains(player.score) else {
        throw Refusal("by", "the score would be out of range")
      }
      return .player(.replace(player), of: board.id)
    }
    Command("removePlayer", "Removes a player from the board.", .id("player"))
      .writing(to: store) { board, id in
        .player(.delete(try board.player(id).id), of: board.id)
      }
    Command(
      "movePlayer", "Moves a player before or after another one.", .id("player"), .place
    ).writing(to: store) { board, id, place in
      .player(.move(try board.player(id).id, place), of: board.id)
    }
  }

  public func body(_ board: Scoreboard) -> [ListSection] {
    ListSection("scoreboard") { rows.header("scoreboard/header", board) }
    ListSection("players") {
      if board.players.isEmpty { rows.empty("players/empty", rows.emptyText) }
      ForEach(board.rankedPlayers, as: rows.player) { "player/\($0.player.id)" }
    }
  }

  public var rowTypes: [RowTypeDescriptor] {
    rows.header
    rows.empty
    rows.player
  }
}

extension ScoreboardScreen {
  /// A player with the rank, which changes if others get ahead.
  struct RankedPlayer: Equatable, Sendable {
    let player: Player
    let rank: Int
  }

  /// The types of the rows, with their texts in a language.
  struct Rows: Sendable {
    let header: RowType<Scoreboard>
    let empty = RowType(text: "playersEmpty", "There are no players.")
    let player: RowType<RankedPlayer>
    /// The text of the row `empty`.
    let emptyText: Text

    init(_ language: Language) {
      emptyText = Localized(en: "No players yet", de: "Noch keine Spieler")[language]
      header = RowType("scoreboardHeader", "The title of one board; always there.") {
        Field("title", \.title, .shownText)
        Scoreboard.playerCount(in: language)
      }
      player = RowType(
        "player",
        "A player of one board; its id is `player/` and that of the player. The action adds a point."
      ) {
        Player.fields.map { $0.of(\.player) }
        Field("scoreText", "The score, for people: `1,234`.") {
          language.number($0.player.score)
        }
        Field("rank", \.rank, "One more than the number of players with a higher score.")
        Field("rankText", "The rank, for people: `Rank 1`.") {
          let rank = language.number($0.rank)
          return Localized(en: "Rank \(rank)", de: "Platz \(rank)")[language]
        }
        Action(adjustScore, "+1") { ($0.player.id, 1) }
      }
    }
  }
}

extension Scoreboard {
  /// Returns the player that the argument `player` names.
  fileprivate func player(_ id: ResourceID) throws(Refusal) -> Player {
    guard let player = players[id: id] else { throw .unknown("player", id) }
    return player
  }

  /// The players in the order in which they are shown.
  ///
  /// - Complexity: O(*n* log *n*), where *n* is the number of players.
  fileprivate var rankedPlayers: [ScoreboardScreen.RankedPlayer] {
    var ranks: [Int: Int] = [:]
    for (place, score) in players.map(\.score).sorted(by: >).enumerated()
    where ranks[score] == nil {
      ranks[score] = place + 1
    }
    return players.map { player in
      ScoreboardScreen.RankedPlayer(player: player, rank: ranks[player.score] ?? 1)
    }
  }
}

extension ScoreboardScreen {
  public var stateMachines: [StateMachine] {
    let (board, one) = (ResourceID(0), Player(id: ResourceID(1), name: "Renamed", score: 7))
    return [
      .writes(
        "scoreboard", of: "players",
        adding: ("addPlayer", { .player(.create(["id": $0, "name": "Name"]), of: board) }),
        count: { $0.boards.elements[id: board]?.players.count },
        [
          ("renameBoard", { .board(.replace($0.renamed(board))) }),
          ("renamePlayer", { _ in .player(.replace(one), of: board) }),
          ("setScore", { _ in .player(.replace(one), of: board) }),
          ("adjustScore", { _ in .player(.replace(one), of: board) }),
          ("removePlayer", { _ in .player(.delete(one.id), of: board) }),
          ("movePlayer", { _ in .player(.move(one.id, .after(ResourceID(2))), of: board) }),
        ], others: [("the board is removed", { _ in .board(.delete(board)) })])
    ]
  }

  public func machineStates(_ board: Scoreboard) -> [Text: Text] {
    ["scoreboard": StateMachine.amount(board.players.count, of: "players")]
  }
}

extension ScoreboardData {
  /// Returns a board with another title, for state machines.
  func renamed(_ id: ResourceID) -> Scoreboard {
    var board = boards.elements[id: id] ?? Scoreboard(id: id)
    board.title = "Renamed"
    return board
  }
}

extension StateMachine {
  /// The name of the state with this number of things.
  static func amount(_ count: Int, of things: String) -> Text {
    switch count {
    case 0: "no \(things)"
    case 1: "one"
    default: "several"
    }
  }

  /// Applies writes to a board 0 with none, one and two of the things that are counted, and, if they are
  /// on that board, also without it.
  ///
  /// - Parameters:
  ///   - adding: The write that adds one, with an id or null.
  ///   - count: Counts the things; `nil` without the board that has them.
  ///   - writes: The other writes, by the names of their commands.
  ///   - others: The writes that are no commands of the screen.
  static func writes(
    _ name: String, of things: String,
    adding: (name: String, write: (JSONValue) -> ScoreboardWrite),
    count: (ScoreboardData) -> Int?,
    _ writes: [(name: String, write: (ScoreboardData) -> ScoreboardWrite)],
    others: [(name: String, write: (ScoreboardData) -> ScoreboardWrite)] = []
  ) -> StateMachine {
    func data(_ writes: ScoreboardWrite...) -> ScoreboardData {
      writes.reduce(into: ScoreboardData()) { _ = try? $0.apply($1, at: start) }
    }
    let start = Timestamp(secondsSince1970: 0)
    let board = ScoreboardWrite.board(.create(["id": 0, "title": "Board"]))
    let gone = data(board, .board(.delete(ResourceID(0))))
    return StateMachine(
      name: name,
      exploring: [
        data(board), data(board, adding.write(1)), data(board, adding.write(1), adding.write(2)),
      ]
        + (count(gone) == nil ? [gone] : []),
      on: [(adding.name, { _ in adding.write(nil) })] + writes + others,
      stateName: { data in count(data).map { amount($0, of: things).string } ?? "removed" },
      eventName: { $0.name },
      command: { event in others.contains { $0.name == event.name } ? nil : Text(event.name) }
    ) { data, event in
      let before = data
      do {
        _ = try data.apply(event.write(data), at: start)
      } catch {
        return ["refuse"]
      }
      return data == before ? [] : ["show"]
    }
  }
}
