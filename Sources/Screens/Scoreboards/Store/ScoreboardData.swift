public import OrderedCollections

/// The scoreboards as a value: every rule that an edit must hold, without locks, time or observers.
///
/// Everything is found by id. Positions are only ever looked up, never kept.
public struct ScoreboardData: Equatable, Sendable {
  /// The boards in the order in which they are shown.
  public internal(set) var boards: OrderedDictionary<ResourceID, Scoreboard> = [:]
  /// The ids of boards deleted last, oldest first.
  var deleted: OrderedSet<ResourceID> = []
  /// The number of edits so far that changed something.
  var version = 0
  /// The ids that come next.
  var (nextBoard, nextPlayer) = (1, 1)
  /// How much it takes.
  public let limits: ScoreboardLimits

  /// No boards yet.
  public init(limits: ScoreboardLimits = ScoreboardLimits()) {
    self.limits = limits
  }
}

extension ScoreboardData {
  /// The board of this id.
  public func board(_ id: ResourceID) throws(ScoreboardError) -> Scoreboard {
    guard let board = boards[id] else { throw .unknownBoard(id) }
    return board
  }

  /// The player of this id, where it is one of this board.
  public func player(
    _ id: ResourceID, of board: ResourceID
  ) throws(ScoreboardError) -> Player {
    guard let player = try self.board(board).players[id] else { throw .unknownPlayer(id) }
    return player
  }

  func isDeleted(_ id: ResourceID) -> Bool { deleted.contains(id) }

  /// The id that a new board gets: the least whole number above all that were in use.
  public var nextBoardID: ResourceID { ResourceID(nextBoard) }
  /// The id that a new player gets.
  public var nextPlayerID: ResourceID { ResourceID(nextPlayer) }

  /// The next id once `id` is in use; numbers that JSON cannot carry exactly do not count.
  static func next(_ next: Int, after id: ResourceID) -> Int {
    guard let number = Int(id.text), number < 1 << 53 else { return next }
    return max(next, number + 1)
  }
}
