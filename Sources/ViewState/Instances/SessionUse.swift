/// What a server knows of the use of a session.
///
/// The server looks at each session once in every ``interval(of:)``. If the session was in use here since the last look,
/// the server tells the other servers of the journal. So they know of a use one interval later at most, and a session
/// is forgotten only if it was unused for its lifetime, and mostly for one interval more.
struct SessionUse: Sendable {
  /// Whether the session was in use on this server since the last look.
  var wasUsed = false
  /// The number of looks in a row that have found it unused.
  private(set) var unusedCount: Int
  /// The number of the next look.
  private(set) var look = 0
  /// The time of the last look.
  private(set) var lastLook = Duration.zero

  private static let looksPerLifetime = 4

  init(unusedCount: Int = 0) { self.unusedCount = unusedCount }

  /// The time between two looks.
  static func interval(of environment: ScreenEnvironment) -> Duration {
    environment.sessionLifetime / looksPerLifetime
  }

  /// Notes a look, after which there is another one.
  mutating func looked(at now: Duration, next look: Int) { (lastLook, self.look) = (now, look) }

  /// Notes that the session was in use on some server.
  mutating func renew() { (wasUsed, unusedCount) = (false, 0) }

  /// Notes that a look has found the session unused.
  ///
  /// - Returns: Whether it was in use nowhere for its lifetime.
  mutating func addUnused() -> Bool {
    unusedCount += 1
    // The first look comes any time after the last use.
    return unusedCount >= Self.looksPerLifetime + 2
  }
}
