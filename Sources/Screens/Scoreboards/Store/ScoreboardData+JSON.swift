import CScreens
public import CanonicalJSON
import OrderedCollections
import ViewState

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

extension ScoreboardsScreen.State: Codable {
  public init(from decoder: any Decoder) throws {
    self.init(data: try ScoreboardData(from: decoder))
  }

  public func encode(to encoder: any Encoder) throws { try data.encode(to: encoder) }
}
