public import CanonicalJSON
import OrderedCollections
import Snapshots
public import ViewState

/// The list of all scoreboards.
public struct ScoreboardsScreen: Screen {
  public typealias State = ScoreboardData

  public static let name: Text = "scoreboards"
  public static let keyName = "list"
  public static let summary = "All scoreboards, each with its leader."
  /// The one key there is.
  public static let key: Text = "all"

  private let store: ScoreboardStore

  /// - Parameter store: The scoreboards.
  public init(store: ScoreboardStore) {
    self.store = store
  }

  public var shownPart: StorePart? { .whole(of: store) }

  public func initialState(
    for key: Text, in stores: Stores
  ) throws(ScreenLookupError) -> ScoreboardData {
    guard key == Self.key else { throw .unknownKey }
    return stores[store]
  }

  static let removeBoard = Command<State, ResourceID>(
    "removeBoard", "Deletes a board with its players; its screen is gone.", .id("board"))

  public var commands: [AnyCommand<State>] {
    Command(
      "addBoard", "Adds a board at the end, or where `before` or `after` says.",
      .optional(.id("id")), .shownText("title"), .optionalPlace
    ).editing(store) { _, id, title, place in .addBoard(id: id, title: title, at: place) }
    Command("renameBoard", "Gives a board another title.", .id("board"), .shownText("title"))
      .editing(store) { _, board, title in .renameBoard(board, to: title) }
    Self.removeBoard.editing(store) { _, board in .removeBoard(board) }
    Command("moveBoard", "Moves a board before or after another one.", .id("board"), .place)
      .editing(store) { _, board, place in .moveBoard(board, to: place) }
  }

  public func body(_ data: ScoreboardData) -> [ListSection] {
    ListSection("scoreboards") {
      Self.header("scoreboards/header", "Scoreboards")
      if data.boards.isEmpty { Self.empty("scoreboards/empty", "No scoreboards yet") }
      ForEach(data.boards.values.map(Summary.init), as: Self.board) { "board/\($0.id)" }
    }
  }

  public var rowTypes: [RowTypeDescriptor] {
    Self.header
    Self.empty
    Self.board
  }
}

/// The rows.
extension ScoreboardsScreen {
  /// A board without its players.
  struct Summary: Equatable, Sendable {
    let id: ResourceID
    let title: Text
    let playerCount: Int
    let leader: Leader?

    init(_ board: Scoreboard) {
      id = board.id
      title = board.title
      playerCount = board.players.count
      leader = board.leader.map { Leader(name: $0.name, score: $0.score) }
    }
  }

  struct Leader: Equatable, FieldObject {
    let name: Text
    let score: Int

    static let fields = [Field("name", \Leader.name), Field("score", \.score)]
  }

  static let header = RowType(text: "scoreboardsHeader", "The title of the list; always there.")
  static let empty = RowType(text: "scoreboardsEmpty", "There are no boards.")
  static let board = RowType(
    "scoreboard", of: Summary.self,
    "A board in the list; its id is `board/` and that of the board. The action deletes the board."
  ) {
    Field("title", \.title, .shownText)
    Field("playerCount", \.playerCount)
    Field("screen", "The view model of the board.") { "scoreboard/\($0.id)" as Text }
    Field(
      "leader", \.leader, "The player with the highest score; absent if there are no players.")
    Action(removeBoard, "Remove") { $0.id }
  }
}

/// The table of how the list moves.
extension ScoreboardsScreen {
  public var stateMachines: [StateMachine] {
    let (one, two) = (ResourceID(1), ResourceID(2))
    return [
      .edits(
        "scoreboards", of: "boards",
        add: { .addBoard(id: $0.map { ResourceID($0) }, title: "Board", at: nil) },
        // Beside the one that is always there.
        count: { $0.boards.count - 1 },
        edits: [
          ("renameBoard", .renameBoard(one, to: "Renamed")),
          ("removeBoard", .removeBoard(one)),
          ("moveBoard", .moveBoard(one, to: .after(two))),
        ], adding: "addBoard")
    ]
  }
}
