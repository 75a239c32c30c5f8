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
