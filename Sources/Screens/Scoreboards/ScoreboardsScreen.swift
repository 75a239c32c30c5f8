public import CanonicalJSON
public import Snapshots
public import ViewState

/// The list of all scoreboards.
public struct ScoreboardsScreen: Screen {
  public typealias State = KeyedSequence<Scoreboard>

  public static let name: Text = "scoreboards"
  public static let keyName = "list"
  public static let summary = "All scoreboards, each with its leader."
  /// The only key of the screen.
  public static let key: Text = "all"

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

  public var shownStores: [ShownStore] { [.whole(of: store)] }

  public func initialState(
    for key: Text, in stores: Stores
  ) throws(ScreenLookupError) -> State {
    guard key == Self.key else { throw .unknownKey }
    return stores[store].boards.elements
  }

  static let removeBoard = Command<State, ResourceID>(
    "removeBoard", "Deletes a board with its players; its screen is gone.", .id("board"))

  public var commands: [AnyCommand<State>] {
    Command(
      "addBoard", "Adds a board at the end, or where `before` or `after` says.",
      .optional(.id("id")), .shownText("title"), .optional(.place)
    ).writing(to: store) { _, id, title, place in
      .board(.create(["id": id?.json ?? .null, "title": .string(title)], at: place))
    }
    Command("renameBoard", "Gives a board another title.", .id("board"), .shownText("title"))
      .writing(to: store) { boards, id, title in
        var board = try boards.board(id)
        board.title = title
        return .board(.replace(board))
      }
    Self.removeBoard.writing(to: store) { boards, id in
      .board(.delete(try boards.board(id).id))
    }
    Command("moveBoard", "Moves a board before or after another one.", .id("board"), .place)
      .writing(to: store) { boards, id, place in
        .board(.move(try boards.board(id).id, place))
      }
  }

  public func body(_ boards: State) -> [ListSection] {
    ListSection("scoreboards") {
      rows.header("scoreboards/header", rows.title)
      if boards.isEmpty { rows.empty("scoreboards/empty", rows.emptyText) }
      ForEach(boards, as: rows.board) { "board/\($0.id)" }
    }
  }

  public var rowTypes: [RowTypeDescriptor] {
    rows.header
    rows.empty
    rows.board
  }
}

extension KeyedSequence<Scoreboard> {
  /// Returns the board that the argument `board` names.
  fileprivate func board(_ id: ResourceID) throws(Refusal) -> Scoreboard {
    guard let board = self[id: id] else { throw .unknown("board", id) }
    return board
  }
}

extension ScoreboardsScreen {
  struct Leader: Equatable, FieldObject {
    let name: Text
    let score: Int

    static let fields = [Field("name", \Leader.name), Field("score", \.score)]
  }

  /// The types of the rows, with their texts in a language.
  struct Rows: Sendable {
    let header = RowType(text: "scoreboardsHeader", "The title of the list; always there.")
    let empty = RowType(text: "scoreboardsEmpty", "There are no boards.")
    let board: RowType<Scoreboard>
    /// The text of the row `header`.
    let title: Text
    /// The text of the row `empty`.
    let emptyText: Text

    init(_ language: Language) {
      title = Localized(en: "Scoreboards", de: "Ranglisten")[language]
      emptyText = Localized(en: "No scoreboards yet", de: "Noch keine Ranglisten")[language]
      board = RowType(
        "scoreboard",
        "A board in the list; its id is `board/` and that of the board. The action deletes the board."
      ) {
        Field("title", \.title, .shownText)
        Scoreboard.playerCount(in: language)
        Field("to", "The view model of the board.") { "scoreboard/\($0.id)" as Text }
        Field("leader", "The player with the highest score; absent if there are no players.") {
          $0.leader.map { Leader(name: $0.name, score: $0.score) }
        }
        Field("leaderText", "Who leads, for people: `Imani leads with 301`.") { board in
          board.leader.map { leader in
            let score = language.number(leader.score)
            return Localized(
              en: "\(leader.name) leads with \(score)", de: "\(leader.name) führt mit \(score)")[
                language]
          }
        }
        Action(removeBoard, Localized(en: "Remove", de: "Entfernen")[language]) { $0.id }
      }
    }
  }
}

extension Scoreboard {
  /// The number of players, and the same as a text for people.
  static func playerCount(in language: Language) -> [Field<Scoreboard>] {
    [
      Field("playerCount", \.players.count),
      Field("playerCountText", "The number of players, for people: `3 players`.") {
        language.count(
          $0.players.count, en: ("player", "players"), de: ("Spieler", "Spieler"))
      },
    ]
  }
}

extension ScoreboardsScreen {
  public func machineStates(_ boards: State) -> [Text: Text] {
    ["scoreboards": StateMachine.amount(boards.count, of: "boards")]
  }

  public var stateMachines: [StateMachine] {
    let one = ResourceID(1)
    return [
      .writes(
        "scoreboards", of: "boards",
        adding: ("addBoard", { .board(.create(["id": $0, "title": "Board"])) }),
        // Without the one that is always there.
        count: { $0.boards.elements.count - 1 },
        [
          ("renameBoard", { .board(.replace($0.renamed(one))) }),
          ("removeBoard", { _ in .board(.delete(one)) }),
          ("moveBoard", { _ in .board(.move(one, .after(ResourceID(2)))) }),
        ])
    ]
  }
}
