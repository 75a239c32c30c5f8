/// What a server knows of the use of a session that is looked at from time to time.
///
/// It finds at the next look that the session was in use here, and tells the other servers of a journal. They know
/// it an ``interval(of:)`` later at most, so a session that was not in use for its lifetime is left alone for one
/// interval more.
struct SessionUse: Sendable {
  /// Whether the session was in use on this server since the last look.
  var wasUsed = false
  /// The number of looks in a row that have found it unused.
  private(set) var unusedCount: Int

  private static let looksPerLifetime = 4

  init(unusedCount: Int = 0) { self.unusedCount = unusedCount }

  /// The time between two looks.
  static func interval(of environment: ScreenEnvironment) -> Duration {
    environment.sessionLifetime / looksPerLifetime
  }

  /// Notes that a look has found the session unused.
  ///
  /// - Returns: Whether it was in use nowhere for its lifetime.
  mutating func addUnused() -> Bool {
    unusedCount += 1
    // The first look comes any time after the last use.
    return unusedCount >= Self.looksPerLifetime + 2
  }
}
