public import OrderedCollections
public import ViewState

/// The scoreboards as a value: every rule that an edit must hold, without locks, time or observers.
///
/// Everything is found by id. Positions are only ever looked up, never kept.
public struct ScoreboardData: Equatable, Sendable {
  /// What the store may turn out not to have.
  public enum Missing: Hashable, Sendable {
    case board(ResourceID)
    case player(ResourceID)
  }

  /// Why a write was not done.
  public typealias Failure = StoreError<Missing>

  /// The boards in the order in which they are shown.
  public internal(set) var boards: OrderedDictionary<ResourceID, Scoreboard> = [:]
  /// The number of edits so far that changed something.
  var version = 0
  /// The ids given to boards and to players.
  var (boardIDs, playerIDs) = (IDLedger(), IDLedger())
  /// How much it takes.
  public let limits: ScoreboardLimits

  /// No boards yet.
  public init(limits: ScoreboardLimits = ScoreboardLimits()) {
    self.limits = limits
  }
}

extension ScoreboardData {
  /// The board of this id.
  public func board(_ id: ResourceID) throws(Failure) -> Scoreboard {
    guard let board = boards[id] else { throw .missing(.board(id)) }
    return board
  }

  /// The player of this id, where it is one of this board.
  public func player(_ id: ResourceID, of board: ResourceID) throws(Failure) -> Player {
    guard let player = try self.board(board).players[id] else { throw .missing(.player(id)) }
    return player
  }

  /// A part of the boards; `nil` where there is none of the id that the part begins behind, and so
  /// it is for the players.
  public func boards(_ range: CollectionRange) -> CollectionPart<Scoreboard>? {
    boards.part(range, version: version) { $0 }
  }

  /// A part of the players of a board.
  public func players(
    _ range: CollectionRange, of id: ResourceID
  ) throws(Failure) -> CollectionPart<Player>? {
    let board = try board(id)
    return board.players.part(range, version: board.version) { $0 }
  }

  func isDeleted(_ id: ResourceID) -> Bool { boardIDs.isDeleted(id) }

  /// The id that a new board gets: the least whole number above all that were in use.
  public var nextBoardID: ResourceID { boardIDs.free { boards[$0] != nil } }
  /// The id that a new player of a board gets.
  public func nextPlayerID(on board: ResourceID) -> ResourceID {
    playerIDs.free { boards[board]?.players[$0] != nil }
  }
}
