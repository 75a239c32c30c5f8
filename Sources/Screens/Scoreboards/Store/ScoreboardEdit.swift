public import CanonicalJSON
public import ViewState

/// What can be done to the scoreboards, from whichever screen.
public enum ScoreboardEdit: Codable, Hashable, Sendable {
  /// Adds a board; without an id it gets the next free one, without a place it comes last.
  case addBoard(id: ResourceID?, title: Text, at: Placement?)
  case renameBoard(ResourceID, to: Text)
  case removeBoard(ResourceID)
  case moveBoard(ResourceID, to: Placement)
  /// Something done to the players of one board.
  case players(of: ResourceID, PlayerEdit)
}
