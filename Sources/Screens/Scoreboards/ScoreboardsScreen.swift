public import CanonicalJSON
public import Snapshots
public import ViewState

/// The list of all scoreboards.
public struct ScoreboardsScreen: Screen {
  public typealias State = KeyedSequence<Scoreboard>

  public static let name: Text = "scoreboards"
  public static let keyName = "list"
  public static let summary = "All scoreboards, each with its leader."
  /// The only key.
  public static let key: Text = "all"

  private let store: ScoreboardStore

  /// - Parameter store: The scoreboards.
  public init(store: ScoreboardStore) {
    self.store = store
  }

  public var shownParts: [StorePart] { [.whole(of: store)] }

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
      .writing(to: store) { (boards, id, title) throws(Refusal) in
        var board = try boards.board(id)
        board.title = title
        return .board(.replace(board))
      }
    Self.removeBoard.writing(to: store) { (boards, id) throws(Refusal) in
      .board(.delete(try boards.board(id).id))
    }
    Command("moveBoard", "Moves a board before or after another one.", .id("board"), .place)
      .writing(to: store) { (boards, id, place) throws(Refusal) in
        .board(.move(try boards.board(id).id, place))
      }
  }

  public func body(_ boards: State) -> [ListSection] {
    ListSection("scoreboards") {
      Self.header("scoreboards/header", "Scoreboards")
      if boards.isEmpty { Self.empty("scoreboards/empty", "No scoreboards yet") }
      ForEach(boards, as: Self.board) { "board/\($0.id)" }
    }
  }

  public var rowTypes: [RowTypeDescriptor] {
    Self.header
    Self.empty
    Self.board
  }
}

extension KeyedSequence<Scoreboard> {
  /// Returns the board that the argument `board` names.
  fileprivate func board(_ id: ResourceID) throws(Refusal) -> Scoreboard {
    guard let board = self[id: id] else { throw .unknown("board", id) }
    return board
  }
}

/// The rows.
extension ScoreboardsScreen {
  struct Leader: Equatable, FieldObject {
    let name: Text
    let score: Int

    static let fields = [Field("name", \Leader.name), Field("score", \.score)]
  }

  static let header = RowType(text: "scoreboardsHeader", "The title of the list; always there.")
  static let empty = RowType(text: "scoreboardsEmpty", "There are no boards.")
  static let board = RowType(
    "scoreboard", of: Scoreboard.self,
    "A board in the list; its id is `board/` and that of the board. The action deletes the board."
  ) {
    Field("title", \.title, .shownText)
    Field("playerCount", \.players.count)
    Field("screen", "The view model of the board.") { "scoreboard/\($0.id)" as Text }
    Field("leader", "The player with the highest score; absent if there are no players.") { board in
      board.leader.map { Leader(name: $0.name, score: $0.score) }
    }
    Action(removeBoard, "Remove") { $0.id }
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
