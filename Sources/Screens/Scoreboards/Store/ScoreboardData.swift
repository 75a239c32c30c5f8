import CScreens
public import CanonicalJSON
public import OrderedCollections
public import ViewState

/// The scoreboards as a value: every rule that an edit must hold, without locks, time or observers.
///
/// Everything is found by id. Positions are only ever looked up, never kept.
public struct ScoreboardData: Equatable, Sendable {
  /// What the store may turn out not to have.
  public enum Missing: Codable, Hashable, Sendable {
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

/// How much the store of scoreboards takes, so that its clients cannot fill the memory.
public struct ScoreboardLimits: Codable, Hashable, Sendable {
  /// A board beyond this many is refused.
  public var boards: Int
  /// A player beyond this many on one board is refused.
  public var playersPerBoard: Int
  /// This many deleted boards are remembered as deleted; older ones become unknown.
  public var deletedBoards: Int

  /// The defaults, where nothing else is said.
  public init(boards: Int = 10_000, playersPerBoard: Int = 1_000, deletedBoards: Int = 10_000) {
    self.boards = boards
    self.playersPerBoard = playersPerBoard
    self.deletedBoards = deletedBoards
  }
}

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
    return put(stamped(board))
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
    return put(stamped(board, inPlaceOf: current))
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

  private mutating func put(_ board: Scoreboard) -> Versioned<Scoreboard> {
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

extension ScoreboardData {
  /// Reads an object with the array `scoreboards`.
  ///
  /// - Throws: `JSONShapeError` at the first fault.
  public init(
    _ reader: JSONReader, limits: ScoreboardLimits = ScoreboardLimits()
  ) throws(JSONShapeError) {
    self.init(limits: limits)
    for element in try reader.nullableMember("scoreboards")?.elements() ?? [] {
      let board = try Scoreboard(element, limit: limits.playersPerBoard)
      try element.storing { () throws(Failure) in _ = try insert(board) }
    }
  }

  /// The scoreboards that a server without data of its own starts with.
  public static func demo() -> ScoreboardData {
    DemoData.read(viewdelta_scoreboards_data) { data throws(JSONShapeError) in
      try ScoreboardData(data)
    }
  }
}

/// With all that no client sees: versions, and which ids were given.
extension ScoreboardData: Codable {
  private enum CodingKeys: CodingKey {
    case boards
    case version
    case boardIDs
    case playerIDs
    case limits
  }

  public init(from decoder: any Decoder) throws {
    let reader = try JSONReader(from: decoder)
    self.init(limits: try reader.member("limits").decode(ScoreboardLimits.self))
    boards = try reader.member("boards").resourcesByID()
    version = try reader.member("version").count()
    boardIDs = try reader.member("boardIDs").decode(IDLedger.self)
    playerIDs = try reader.member("playerIDs").decode(IDLedger.self)
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(Array(boards.values), forKey: .boards)
    try container.encode(version, forKey: .version)
    try container.encode(boardIDs, forKey: .boardIDs)
    try container.encode(playerIDs, forKey: .playerIDs)
    try container.encode(limits, forKey: .limits)
  }
}
