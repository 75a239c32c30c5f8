import OrderedCollections
import ViewState

extension ScoreboardData {
  /// Does what a command stands for.
  public mutating func apply(_ edit: ScoreboardEdit) throws(ScoreboardEditError) {
    switch edit {
    case .addBoard(let id, let title, let place):
      let board = Scoreboard(id: id ?? nextBoardID, title: title)
      try boards.check(place)
      try ScoreboardEditError.storing { () throws(Failure) in try insert(board) }
      if let place { try boards.move(board.id, to: place) }
    case .renameBoard(let id, let title):
      try ScoreboardEditError.storing { () throws(Failure) in try renameBoard(id, to: title) }
    case .removeBoard(let id):
      try ScoreboardEditError.storing { () throws(Failure) in try removeBoard(id) }
    case .moveBoard(let id, let place):
      try ScoreboardEditError.storing { () throws(Failure) in try board(id) }
      if try boards.move(id, to: place) { version += 1 }
    case .players(let id, let edit):
      try apply(edit, to: id)
    }
  }

  private mutating func apply(
    _ edit: PlayerEdit, to board: ResourceID
  ) throws(ScoreboardEditError) {
    switch edit {
    case .add(let id, let name, let score, let place):
      let player = Player(id: id ?? nextPlayerID(on: board), name: name, score: score)
      try boards[board]?.players.check(place)
      try ScoreboardEditError.storing { () throws(Failure) in try insert(player, of: board) }
      if let place { try boards[board]?.players.move(player.id, to: place) }
    case .rename(let id, let name):
      try ScoreboardEditError.storing { () throws(Failure) in
        try change(id, of: board) { $0.name = name }
      }
    case .setScore(let id, let score):
      try setScore(of: id, on: board, to: score)
    case .adjustScore(let id, let difference):
      let player = try ScoreboardEditError.storing { () throws(Failure) in
        try self.player(id, of: board)
      }
      let (score, overflows) = player.score.addingReportingOverflow(difference)
      guard !overflows, Player.scores.contains(score) else { throw .scoreOutOfRange }
      try setScore(of: id, on: board, to: score)
    case .remove(let id):
      try ScoreboardEditError.storing { () throws(Failure) in try removePlayer(id, of: board) }
    case .move(let id, let place):
      var changed = try ScoreboardEditError.storing { () throws(Failure) -> Scoreboard in
        _ = try player(id, of: board)
        return try self.board(board)
      }
      if try changed.players.move(id, to: place) { keep(changed) }
    }
  }

  private mutating func setScore(
    of player: ResourceID, on board: ResourceID, to score: Int
  ) throws(ScoreboardEditError) {
    try ScoreboardEditError.storing { () throws(Failure) in
      try change(player, of: board) { $0.score = score }
    }
  }
}

extension OrderedDictionary where Key == ResourceID {
  /// Checks that there is what a place is named by.
  fileprivate func check(_ place: Placement?) throws(ScoreboardEditError) {
    guard let place, self[place.anchor] == nil else { return }
    throw .unknownAnchor(place.anchor)
  }

  /// Moves an element, which is there, before or after another one.
  ///
  /// - Returns: whether that changed the order.
  /// - Complexity: O(n), where n is the number of elements.
  @discardableResult
  fileprivate mutating func move(
    _ id: ResourceID, to place: Placement
  ) throws(ScoreboardEditError) -> Bool {
    guard place.anchor != id else { throw .ownAnchor(id) }
    guard let from = index(forKey: id), index(forKey: place.anchor) != nil else {
      throw .unknownAnchor(place.anchor)
    }
    let value = remove(at: from).value
    guard let anchor = index(forKey: place.anchor) else { throw .unknownAnchor(place.anchor) }
    let to =
      switch place {
      case .before: anchor
      case .after: anchor + 1
      }
    updateValue(value, forKey: id, insertingAt: to)
    return from != to
  }
}
