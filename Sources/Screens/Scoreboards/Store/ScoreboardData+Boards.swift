import CanonicalJSON
import OrderedCollections
public import ViewState

/// Each write is done whole or, where it throws, not at all. One that changes nothing, such as a
/// rename to the same title, leaves the value equal.
extension ScoreboardData {
  /// Adds a board, its players included, at the end.
  @discardableResult
  public mutating func insert(_ board: Scoreboard) throws(Failure) -> Versioned<Scoreboard> {
    guard boards[board.id] == nil else { throw .duplicateID(board.id) }
    guard boards.count < limits.boards else { throw .full }
    version += 1
    boardIDs.use(board.id)
    return keep(stamped(board))
  }

  /// Puts the board in the place of the one with its id.
  ///
  /// - Parameter expected: where it is given, only if the present one is of this version.
  public mutating func replace(
    _ board: Scoreboard, expecting expected: Int?
  ) throws(Failure) -> Versioned<Scoreboard> {
    let current = try self.board(board.id)
    try Failure.check(current.version, against: expected)
    let isSame =
      board.title == current.title
      && board.players.values.elementsEqual(current.players.values) { $0.hasSameContent(as: $1) }
    if isSame { return current.versioned }
    version += 1
    return keep(stamped(board, inPlaceOf: current))
  }

  /// Gives a board another title.
  mutating func renameBoard(_ id: ResourceID, to title: Text) throws(Failure) {
    var board = try board(id)
    guard board.title != title else { return }
    version += 1
    board.title = title
    board.version = version
    boards[id] = board
  }

  /// Removes a board with its players.
  ///
  /// - Parameter expected: where it is given, only if it is of this version.
  public mutating func removeBoard(
    _ id: ResourceID, expecting expected: Int? = nil
  ) throws(Failure) {
    try Failure.check(board(id).version, against: expected)
    version += 1
    boards.removeValue(forKey: id)
    boardIDs.delete(id, remembering: limits.deletedBoards)
  }

  private mutating func keep(_ board: Scoreboard) -> Versioned<Scoreboard> {
    boards[board.id] = board
    return board.versioned
  }

  /// The board with the number of this write; players who did not change keep theirs.
  private mutating func stamped(
    _ board: Scoreboard, inPlaceOf old: Scoreboard? = nil
  ) -> Scoreboard {
    var board = board
    board.version = version
    for player in board.players.values {
      playerIDs.use(player.id)
      let known = old?.players[player.id]
      let isSame = known?.hasSameContent(as: player) == true
      board.players[player.id]?.version = isSame ? known?.version ?? version : version
    }
    return board
  }
}
