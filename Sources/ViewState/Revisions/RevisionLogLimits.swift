/// How far back a screen remembers.
public struct RevisionLogLimits: Hashable, Sendable {
  /// This many revisions are kept however old they are.
  public var count: Int
  /// Revisions younger than this are kept however many they are.
  public var age: Duration
  /// Beyond this many bytes, estimated, the oldest go in spite of both; the current one stays.
  /// Counted is what the history costs beside the current revision: what revisions share with it
  /// costs nothing.
  /// A client that is cut off gets a reset with the reason `history-expired`.
  public var byteCount: Int
  /// Beyond this many bytes of all screens together, estimated in the same way, the oldest revisions of
  /// the largest histories go.
  public var totalByteCount: Int

  /// The defaults, where nothing else is said.
  ///
  /// - Precondition: `count` is at least 1: the current revision is always kept.
  public init(
    count: Int = 128, age: Duration = .seconds(600), byteCount: Int = 64 * 1024 * 1024,
    totalByteCount: Int = 256 * 1024 * 1024
  ) {
    precondition(
      count >= 1 && byteCount >= 0 && totalByteCount >= 0, "the current revision is always kept")
    self.count = count
    self.age = age
    self.byteCount = byteCount
    self.totalByteCount = totalByteCount
  }
}
