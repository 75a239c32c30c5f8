/// The limits of the histories of view models.
///
/// A client whose revision is no longer kept gets a reset with the reason `history-expired`.
public struct RevisionLogLimits: Hashable, Sendable {
  /// The number of revisions that a history keeps, however old they are.
  public var count: Int
  /// The age up to which a history keeps revisions, however many they are.
  public var age: Duration
  /// The largest size of the older revisions of a history, in bytes, estimated. The oldest ones are dropped
  /// to keep it, in spite of `count` and `age`.
  ///
  /// Revisions share their common rows, which count once, and not at all if the current revision has them.
  public var byteCount: Int
  /// The largest size of the older revisions of all histories together, in bytes, estimated in the same way.
  /// The oldest ones of the largest histories are dropped to keep it.
  public var totalByteCount: Int

  /// Creates limits, by default 128 revisions, 10 minutes, 64 MiB for each history and 256 MiB for all.
  ///
  /// - Precondition: `count` is at least 1, and no size is negative.
  public init(
    count: Int = 128, age: Duration = .seconds(600), byteCount: Int = 64 * 1024 * 1024,
    totalByteCount: Int = 256 * 1024 * 1024
  ) {
    precondition(
      count >= 1 && byteCount >= 0 && totalByteCount >= 0,
      "a history keeps at least its current revision")
    self.count = count
    self.age = age
    self.byteCount = byteCount
    self.totalByteCount = totalByteCount
  }
}
