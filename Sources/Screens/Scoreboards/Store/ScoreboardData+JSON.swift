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
      try element.storing { () throws(Failure) in _ = try insert(board) }
    }
  }

  /// The scoreboards that a server without data of its own starts with.
  public static func demo() -> ScoreboardData {
    DemoData.read(PackageResources.scoreboards_json) { data throws(JSONShapeError) in
      try ScoreboardData(data)
    }
  }
}
