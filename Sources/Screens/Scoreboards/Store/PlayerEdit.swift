public import CanonicalJSON
public import ViewState

/// What can be done to the players of a board.
public enum PlayerEdit: Codable, Hashable, Sendable {
  /// Adds a player; without an id one gets the next free one, without a place one comes last.
  case add(id: ResourceID?, name: Text, score: Int, at: Placement?)
  case rename(ResourceID, to: Text)
  case setScore(ResourceID, to: Int)
  case adjustScore(ResourceID, by: Int)
  case remove(ResourceID)
  case move(ResourceID, to: Placement)
}
