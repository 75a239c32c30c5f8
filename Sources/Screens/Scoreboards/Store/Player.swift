public import CanonicalJSON
public import ViewState

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
