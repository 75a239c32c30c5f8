public import ViewState

/// Why an edit of the scoreboards was not done. Nothing has changed.
public enum ScoreboardEditError: Error, Hashable, Sendable {
  /// What the store says to any write.
  case store(ScoreboardData.Failure)
  /// What something should go before or after is not there.
  case unknownAnchor(ResourceID)
  /// Something should go before or after itself.
  case ownAnchor(ResourceID)
  /// The score would leave `Player.scores`.
  case scoreOutOfRange
}

extension ScoreboardEditError {
  /// Does the part of an edit that is a write like any other.
  @discardableResult
  static func storing<Value>(
    _ write: () throws(ScoreboardData.Failure) -> Value
  ) throws(ScoreboardEditError) -> Value {
    do { return try write() } catch { throw .store(error) }
  }
}
