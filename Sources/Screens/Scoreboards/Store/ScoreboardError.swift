/// Why an edit of the scoreboards was not done. Nothing has changed.
public enum ScoreboardError: Error, Hashable, Sendable {
  case unknownBoard(ResourceID)
  case unknownPlayer(ResourceID)
  /// What something should go before or after is not there.
  case unknownAnchor(ResourceID)
  /// Something should go before or after itself.
  case ownAnchor(ResourceID)
  /// There is one with this id already.
  case duplicateID(ResourceID)
  /// The score would leave `Player.scores`.
  case scoreOutOfRange
  /// The resource is not of the version that the caller had read.
  case changedMeanwhile
  /// The store or the board holds as many as it may.
  case full
}
