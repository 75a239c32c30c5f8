public import CanonicalJSON

extension ScoreboardData {
  /// Reads an object with the array `scoreboards`.
  ///
  /// - Throws: `JSONShapeError` at the first fault.
  public init(
    _ reader: JSONReader, limits: ScoreboardLimits = ScoreboardLimits()
  ) throws(JSONShapeError) {
    self.init(limits: limits)
    for element in try reader.member("scoreboards").elements() {
      let board = try Scoreboard(element, limit: limits.playersPerBoard)
      do throws(ScoreboardError) {
        try insert(board)
      } catch {
        throw element.error("the board cannot be added: \(error)")
      }
    }
  }

  /// The scoreboards that a server without data of its own starts with.
  public static func demo(limits: ScoreboardLimits = ScoreboardLimits()) -> ScoreboardData {
    do {
      return try ScoreboardData(
        JSONReader(JSONValue(parsing: PackageResources.scoreboards_json)), limits: limits)
    } catch {
      preconditionFailure("the demo data is part of the product: \(error)")
    }
  }
}
