public import CanonicalJSON
public import OrderedCollections
public import ViewState

/// A scoreboard with its players, in the order in which they are shown.
public struct Scoreboard: StoredResource, Hashable {
  /// Unique among the boards, and the key of the board's screen.
  public let id: ResourceID
  /// The name shown.
  public var title: Text
  /// The players, found by id.
  public internal(set) var players: OrderedDictionary<ResourceID, Player> = [:]
  /// The number of the write that made the board, its players included, as it is.
  public internal(set) var version = 0

  /// The board with its version.
  public var versioned: Versioned<Scoreboard> { Versioned(resource: self, version: version) }

  /// The player with the highest score; among equals, the one shown first.
  public var leader: Player? {
    players.values.reduce(nil) { leader, player in
      guard let leader, leader.score >= player.score else { return player }
      return leader
    }
  }
}

extension Scoreboard {
  /// Reads a board with its players.
  ///
  /// - Parameters:
  ///   - assigned: the id to use where the object has none.
  ///   - limit: how many players it may have.
  /// - Throws: `JSONShapeError` for unknown members, a wrong one, values out of their limits, and a
  ///   player's id that is given twice.
  public init(
    _ reader: JSONReader, assigned: ResourceID? = nil,
    limit: Int = ScoreboardLimits().playersPerBoard
  ) throws(JSONShapeError) {
    try reader.object()
    try reader.rejectUnknownMembers(allowed: ["id", "title", "players"])
    id = try reader.resourceID("id", assigned: assigned)
    title = try reader.member("title").shownText()
    guard let list = try reader.nullableMember("players") else { return }
    let elements = try list.elements()
    guard elements.count <= limit else { throw list.error("expected at most \(limit) players") }
    for element in elements {
      let player = try Player(element)
      guard players.updateValue(player, forKey: player.id) == nil else {
        throw try element.member("id").error("the id \(player.id) is used twice")
      }
    }
  }

  /// The board as `init(_:assigned:limit:)` reads it.
  public var json: JSONValue {
    .object([
      "id": id.json, "title": .string(title), "players": .array(players.values.map(\.json)),
    ])
  }
}

/// As `json`, with the versions.
extension Scoreboard: Codable {
  private enum CodingKeys: CodingKey {
    case id
    case title
    case players
    case version
  }

  public init(from decoder: any Decoder) throws {
    let reader = try JSONReader(from: decoder)
    id = try ResourceID(reader.member("id"))
    title = try reader.member("title").shownText()
    players = try reader.member("players").resourcesByID()
    version = try reader.member("version").count()
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(id, forKey: .id)
    try container.encode(title, forKey: .title)
    try container.encode(Array(players.values), forKey: .players)
    try container.encode(version, forKey: .version)
  }
}

/// A player of a scoreboard.
public struct Player: StoredResource, Hashable {
  /// Unique among the players of the board.
  public let id: ResourceID
  /// The name shown.
  public var name: Text
  /// The points, in `scores`.
  public var score: Int
  /// The number of the write that made the player as it is.
  public internal(set) var version = 0

  /// The player with the version.
  public var versioned: Versioned<Player> { Versioned(resource: self, version: version) }

  /// What a score may be: small enough that no client's arithmetic on it goes wrong.
  public static let scores = -1_000_000_000...1_000_000_000
}

extension Player {
  /// Reads a player; `score` may be left out and is 0 then.
  ///
  /// - Parameter assigned: the id to use where the object has none.
  /// - Throws: `JSONShapeError` for unknown members, a wrong one, and values out of their limits.
  public init(_ reader: JSONReader, assigned: ResourceID? = nil) throws(JSONShapeError) {
    try reader.object()
    try reader.rejectUnknownMembers(allowed: ["id", "name", "score"])
    id = try reader.resourceID("id", assigned: assigned)
    name = try reader.member("name").shownText()
    score = try reader.nullableMember("score")?.score() ?? 0
  }

  /// The player as `init(_:assigned:)` reads it.
  public var json: JSONValue {
    .object(["id": id.json, "name": .string(name), "score": .integer(score)])
  }

  /// Whether the two differ in nothing that can be written.
  func hasSameContent(as other: Player) -> Bool {
    id == other.id && name == other.name && score == other.score
  }
}

extension JSONReader {
  /// A score, or the difference of two.
  func score() throws(JSONShapeError) -> Int {
    let score = try integer()
    guard Player.scores.contains(score) else {
      throw error("expected \(Player.scores.lowerBound) to \(Player.scores.upperBound)")
    }
    return score
  }
}

/// As `json`, with the version.
extension Player: Codable {
  public init(from decoder: any Decoder) throws {
    let reader = try JSONReader(from: decoder)
    try self.init(reader.omitting("version"))
    version = try reader.member("version").count()
  }
}
