import OrderedCollections

extension ScoreboardData {
  /// Does something to the players of a board.
  mutating func apply(
    _ edit: PlayerEdit, to boardID: ResourceID
  ) throws(ScoreboardError) {
    var board = try board(boardID)
    switch edit {
    case .add(let id, let name, let score, let place):
      let id = id ?? nextPlayerID
      if let place, board.players[place.anchor] == nil { throw .unknownAnchor(place.anchor) }
      guard board.players[id] == nil else { throw .duplicateID(id) }
      guard board.players.count < limits.playersPerBoard else { throw .full }
      board.players[id] = Player(id: id, name: name, score: score, version: version + 1)
      nextPlayer = Self.next(nextPlayer, after: id)
      if let place { try board.players.move(id, to: place) }
    case .rename(let id, let name):
      try board.change(id, version: version + 1) { $0.name = name }
    case .setScore(let id, let score):
      try board.change(id, version: version + 1) { $0.score = score }
    case .adjustScore(let id, let difference):
      let (score, overflows) = try board.player(id).score.addingReportingOverflow(difference)
      guard !overflows, Player.scores.contains(score) else { throw .scoreOutOfRange }
      try board.change(id, version: version + 1) { $0.score = score }
    case .remove(let id):
      _ = try board.player(id)
      board.players.removeValue(forKey: id)
    case .move(let id, let place):
      _ = try board.player(id)
      try board.players.move(id, to: place)
    }
    keep(board)
  }

  /// Puts the player in the place of the one with the same id.
  ///
  /// - Parameter expected: where it is given, only if the present one is of this version.
  public mutating func replace(
    _ player: Player, of boardID: ResourceID, expecting expected: Int?
  ) throws(ScoreboardError) {
    var board = try board(boardID)
    let current = try board.player(player.id)
    if let expected, expected != current.version { throw .changedMeanwhile }
    try board.change(player.id, version: version + 1) {
      $0.name = player.name
      $0.score = player.score
    }
    keep(board)
  }

  /// Keeps a board whose players may have changed.
  private mutating func keep(_ board: Scoreboard) {
    guard boards[board.id]?.players != board.players else { return }
    version += 1
    boards[board.id] = board
    boards[board.id]?.version = version
  }
}

extension Scoreboard {
  fileprivate func player(_ id: ResourceID) throws(ScoreboardError) -> Player {
    guard let player = players[id] else { throw .unknownPlayer(id) }
    return player
  }

  /// Changes a player, who gets the version only where that makes a difference.
  fileprivate mutating func change(
    _ id: ResourceID, version: Int, _ change: (inout Player) -> Void
  ) throws(ScoreboardError) {
    let old = try player(id)
    var new = old
    change(&new)
    guard new != old else { return }
    new.version = version
    players[id] = new
  }
}
