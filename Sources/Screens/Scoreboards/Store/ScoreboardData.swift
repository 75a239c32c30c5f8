public import CanonicalJSON
import HashTreeCollections
import Snapshots
public import ViewState

/// The scoreboards in memory: one store for the list of them and for each of them.
public typealias ScoreboardStore = Store<ScoreboardData>

/// Scoreboards with their players, each found by its id.
///
/// A copy costs O(1). A write costs O(log *n*) expected, where *n* is the number of boards and of the
/// players of the board; one that creates or replaces a board with its players costs O(*n*).
public struct ScoreboardData: Codable, Equatable, Sendable {
  /// The boards in the order in which they are shown.
  public private(set) var boards: ResourceCollection<Scoreboard>
  /// The versions of the players, by their boards.
  private var playerVersions: TreeDictionary<ResourceID, TreeDictionary<ResourceID, Int>> = [:]
  /// The ids given to players.
  private var playerIDs = IDLedger()
  /// The number of players of all boards.
  private var playerCount = 0
  private let limits: ScoreboardLimits

  /// Creates a store without boards.
  public init(limits: ScoreboardLimits = ScoreboardLimits()) {
    self.limits = limits
    boards = ResourceCollection(
      "scoreboard",
      limits: CollectionLimits(count: limits.boards, deletedCount: limits.deletedBoards))
  }
}

/// The limits of the store of scoreboards, so that clients cannot fill the memory.
public struct ScoreboardLimits: Codable, Hashable, Sendable {
  /// The largest number of boards. One more is refused.
  public var boards: Int
  /// The largest number of players of one board. One more is refused.
  public var playersPerBoard: Int
  /// The largest number of players of all boards. One more is refused.
  public var players: Int
  /// The number of deleted boards that are remembered. View models of older ones are unknown, not deleted.
  public var deletedBoards: Int

  public init(
    boards: Int = 10_000, playersPerBoard: Int = 1_000, players: Int = 100_000,
    deletedBoards: Int = 10_000
  ) {
    self.boards = boards
    self.playersPerBoard = playersPerBoard
    self.players = players
    self.deletedBoards = deletedBoards
  }

  fileprivate func check(_ board: Scoreboard) throws(StoreError) {
    guard board.players.count > playersPerBoard else { return }
    throw .malformed(JSONShapeError(["players"], tooManyPlayers))
  }

  fileprivate var tooManyPlayers: String { "expected at most \(playersPerBoard) players" }
}

extension ScoreboardData {
  /// Reads an object with the array `scoreboards`.
  ///
  /// - Throws: `JSONShapeError` for an invalid board, an id that is used twice, and more than the limits
  ///   allow.
  public init(
    _ file: JSONReader, limits: ScoreboardLimits = ScoreboardLimits()
  ) throws(JSONShapeError) {
    self.init(limits: limits)
    let array = try file.nullableMember("scoreboards")
    boards = try ResourceCollection("scoreboard", limits: boards.limits, reading: array)
    for (board, element) in zip(boards.elements, try array?.elements() ?? []) {
      guard board.players.count <= limits.playersPerBoard else {
        throw try element.member("players").error(limits.tooManyPlayers)
      }
      playerCount += board.players.count
      if playerCount > limits.players {
        throw element.error("this is more than the store allows")
      }
      note(board)
    }
  }
}

extension ScoreboardData {
  /// Returns the player of a board.
  public func player(_ id: ResourceID, of board: ResourceID) throws(StoreError) -> Versioned<Player>
  {
    try player(id, of: boards.element(board).resource)
  }

  private func player(
    _ id: ResourceID, of board: Scoreboard
  ) throws(StoreError) -> Versioned<Player> {
    guard let player = board.players[id: id], let version = playerVersions[board.id]?[id] else {
      throw .missing(MissingElement("player", of: boards.noun))
    }
    return Versioned(resource: player, version: version)
  }

  /// Returns a page of the players of a board; `nil` if no player has the id after which the page
  /// begins.
  public func players(
    _ range: CollectionRange, of id: ResourceID
  ) throws(StoreError) -> CollectionPage<Player>? {
    let board = try boards.element(id)
    return board.resource.players.page(range, version: board.version)
  }
}

/// A write of a client to the scoreboards.
public enum ScoreboardWrite: Codable, Sendable {
  /// Creates, replaces, moves or deletes a board with its players.
  case board(ResourceCollection<Scoreboard>.Write)
  /// Creates, replaces, moves or deletes a player of a board.
  case player(ResourceCollection<Player>.Write, of: ResourceID)

  /// The resource as it is after the write, or was before it was deleted.
  public enum Output: Codable, Sendable {
    case board(Versioned<Scoreboard>)
    case player(Versioned<Player>)
  }
}

extension ScoreboardData: StoreValue {
  /// - Throws: `malformed` with the argument of a place if its neighbour is missing or is what should be
  ///   moved.
  public mutating func apply(
    _ write: ScoreboardWrite, at time: Timestamp
  ) throws(StoreError) -> Written<ScoreboardWrite.Output> {
    switch write {
    case .board(let write):
      let (before, count, limits) = (boards.elements, playerCount, limits)
      func growth(_ board: Scoreboard?, _ id: ResourceID) -> Int {
        (board?.players.count ?? 0) - (before[id: id]?.players.count ?? 0)
      }
      let written = try boards.apply(write) { board throws(StoreError) in
        try limits.check(board)
        let growth = growth(board, board.id)
        guard growth <= 0 || count + growth <= limits.players else { throw .full }
      }
      let id = written.output.resource.id
      playerCount += growth(boards.elements[id: id], id)
      if let board = boards.elements[id: id] {
        note(board, inPlaceOf: before[id: id])
      } else {
        playerVersions[id] = nil
      }
      return written.map { .board($0) }
    case .player(let write, let id):
      return try apply(write, of: try boards.element(id).resource, time).map { .player($0) }
    }
  }

  private mutating func apply(
    _ write: ResourceCollection<Player>.Write, of board: Scoreboard, _ time: Timestamp
  ) throws(StoreError) -> Written<Versioned<Player>> {
    var changed = board
    switch write {
    case .create(let body, let place, let condition):
      try condition?.check(boards.element(board.id).version)
      let player: Player
      do {
        let reader = JSONReader(body)
        let free = playerIDs.free(for: reader) { board.players.contains(id: $0) }
        player = try Player(reader, assigned: free)
      } catch {
        throw .malformed(error)
      }
      let position = try place.map { place throws(StoreError) in
        try board.players.position(at: place)
      }
      guard !board.players.contains(id: player.id) else { throw .duplicateID(player.id) }
      guard board.players.count < limits.playersPerBoard, playerCount < limits.players else {
        throw .full
      }
      changed.players.insert(player, at: position ?? board.players.count)
      let written = try boards.apply(.replace(changed), at: time)
      playerCount += 1
      return written.map { note(player, of: $0) }
    case .move(let id, let place):
      let player = try player(id, of: board)
      changed.players.move(id: id, to: try board.players.position(of: id, at: place))
      return try boards.apply(.replace(changed), at: time).map { _ in player }
    case .change(let id, let change):
      let player = try change.applied(to: player(id, of: board)) {
        (body, current) throws(JSONShapeError) in try Player(body, replacing: current)
      }
      return try apply(player.map { .replace($0) } ?? .delete(id), of: board, time)
    case .replace(let player):
      let current = try self.player(player.id, of: board)
      if current.resource == player { return Written(unchanged: current) }
      changed.players[id: player.id] = player
      let written = try boards.apply(.replace(changed), at: time)
      return written.map { note(player, of: $0) }
    case .delete(let id):
      let current = try player(id, of: board)
      changed.players.remove(id: id)
      playerVersions[board.id]?[id] = nil
      playerCount -= 1
      return try boards.apply(.replace(changed), at: time).map { _ in current }
    }
  }

  /// Gives the players of a board that differ from those before the version of the board.
  private mutating func note(_ board: Scoreboard, inPlaceOf old: Scoreboard? = nil) {
    guard board.players != old?.players, let version = try? boards.element(board.id).version else {
      return
    }
    var versions = playerVersions[board.id] ?? [:]
    for player in old?.players ?? [] where !board.players.contains(id: player.id) {
      versions[player.id] = nil
    }
    for player in board.players where old?.players[id: player.id] != player {
      versions[player.id] = version
      playerIDs.use(player.id)
    }
    playerVersions[board.id] = versions
  }

  /// Gives a player the version of its board.
  private mutating func note(
    _ player: Player, of board: Versioned<Scoreboard>
  ) -> Versioned<Player> {
    playerVersions[board.resource.id, default: [:]][player.id] = board.version
    playerIDs.use(player.id)
    return Versioned(resource: player, version: board.version)
  }
}

/// Coded without the number of all players, which follows.
extension ScoreboardData {
  private enum CodingKeys: CodingKey {
    case boards
    case playerVersions
    case playerIDs
    case limits
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    boards = try container.decode(ResourceCollection<Scoreboard>.self, forKey: .boards)
    playerVersions = try container.decode(
      TreeDictionary<ResourceID, TreeDictionary<ResourceID, Int>>.self, forKey: .playerVersions)
    playerIDs = try container.decode(IDLedger.self, forKey: .playerIDs)
    limits = try container.decode(ScoreboardLimits.self, forKey: .limits)
    playerCount = boards.elements.reduce(0) { $0 + $1.players.count }
  }
}
