import OrderedCollections

/// Each edit is done whole or, where it throws, not at all. One that changes nothing, such as a
/// rename to the same title, leaves the value equal.
extension ScoreboardData {
  /// Does an edit.
  public mutating func apply(_ edit: ScoreboardEdit) throws(ScoreboardError) {
    switch edit {
    case .addBoard(let id, let title, let place):
      let id = id ?? nextBoardID
      if let place, boards[place.anchor] == nil { throw .unknownAnchor(place.anchor) }
      try insert(Scoreboard(id: id, title: title))
      if let place { try boards.move(id, to: place) }
    case .renameBoard(let id, let title):
      guard try board(id).title != title else { return }
      version += 1
      boards[id]?.title = title
      boards[id]?.version = version
    case .removeBoard(let id):
      _ = try board(id)
      version += 1
      boards.removeValue(forKey: id)
      deleted.append(id)
      if deleted.count > limits.deletedBoards { deleted.removeFirst() }
    case .moveBoard(let id, let place):
      _ = try board(id)
      if try boards.move(id, to: place) { version += 1 }
    case .players(let id, let edit):
      try apply(edit, to: id)
    }
  }

  /// Adds a board, its players included, at the end.
  public mutating func insert(_ board: Scoreboard) throws(ScoreboardError) {
    guard boards[board.id] == nil else { throw .duplicateID(board.id) }
    guard boards.count < limits.boards else { throw .full }
    version += 1
    boards[board.id] = stamped(board)
    deleted.remove(board.id)
    nextBoard = Self.next(nextBoard, after: board.id)
  }

  /// Puts the board in the place of the one with its id.
  ///
  /// - Parameter expected: where it is given, only if the present one is of this version.
  public mutating func replace(
    _ board: Scoreboard, expecting expected: Int?
  ) throws(ScoreboardError) {
    let current = try self.board(board.id)
    if let expected, expected != current.version { throw .changedMeanwhile }
    let isSame =
      board.title == current.title
      && board.players.values.elementsEqual(current.players.values) { $0.hasSameContent(as: $1) }
    if isSame { return }
    version += 1
    boards[board.id] = stamped(board, inPlaceOf: current)
  }

  /// The board with the number of this edit; players who did not change keep theirs.
  private mutating func stamped(
    _ board: Scoreboard, inPlaceOf old: Scoreboard? = nil
  ) -> Scoreboard {
    var board = board
    board.version = version
    for player in board.players.values {
      nextPlayer = Self.next(nextPlayer, after: player.id)
      let known = old?.players[player.id]
      let isSame = known?.hasSameContent(as: player) == true
      board.players[player.id]?.version = isSame ? known?.version ?? version : version
    }
    return board
  }
}

extension OrderedDictionary where Key == ResourceID {
  /// Moves an element, which is there, before or after another one.
  ///
  /// - Returns: whether that changed the order.
  /// - Complexity: O(n), where n is the number of elements.
  @discardableResult
  mutating func move(_ id: ResourceID, to place: Placement) throws(ScoreboardError) -> Bool {
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
