import OrderedCollections
public import ViewState

/// The players of a board, under the same rules as the boards.
extension ScoreboardData {
  /// Adds a player at the end of a board.
  @discardableResult
  public mutating func insert(
    _ player: Player, of boardID: ResourceID
  ) throws(Failure) -> Versioned<Player> {
    var board = try board(boardID)
    guard board.players[player.id] == nil else { throw .duplicateID(player.id) }
    guard board.players.count < limits.playersPerBoard else { throw .full }
    var player = player
    player.version = version + 1
    board.players[player.id] = player
    playerIDs.use(player.id)
    keep(board)
    return player.versioned
  }

  /// Puts the player in the place of the one with the same id.
  ///
  /// - Parameter expected: where it is given, only if the present one is of this version.
  public mutating func replace(
    _ player: Player, of board: ResourceID, expecting expected: Int?
  ) throws(Failure) -> Versioned<Player> {
    try Failure.check(self.player(player.id, of: board).version, against: expected)
    try change(player.id, of: board) {
      $0.name = player.name
      $0.score = player.score
    }
    return try self.player(player.id, of: board).versioned
  }

  /// Takes a player from a board.
  ///
  /// - Parameter expected: where it is given, only if the player is of this version.
  public mutating func removePlayer(
    _ id: ResourceID, of boardID: ResourceID, expecting expected: Int? = nil
  ) throws(Failure) {
    try Failure.check(player(id, of: boardID).version, against: expected)
    var board = try board(boardID)
    board.players.removeValue(forKey: id)
    keep(board)
  }

  /// Changes a player, who gets a new version only where that makes a difference.
  mutating func change(
    _ id: ResourceID, of boardID: ResourceID, _ change: (inout Player) -> Void
  ) throws(Failure) {
    var (board, player) = (try board(boardID), try player(id, of: boardID))
    change(&player)
    guard player != board.players[id] else { return }
    player.version = version + 1
    board.players[id] = player
    keep(board)
  }

  /// Keeps a board whose players have changed.
  mutating func keep(_ board: Scoreboard) {
    version += 1
    boards[board.id] = board
    boards[board.id]?.version = version
  }
}
