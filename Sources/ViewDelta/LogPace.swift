import Logging
import Synchronization

/// Limits the lines of each kind in the log that clients can cause, because they would fill a disk, also that of the
/// journal, and hide other lines.
final class LogPace: Sendable {
  /// The number of lines of one kind in an interval.
  private static let limit = 100
  private static let interval = Duration.seconds(60)

  private struct Kind {
    let began: ContinuousClock.Instant
    var count = 0
  }

  /// The lines of the current interval, by their messages.
  private let kinds = Mutex<[String: Kind]>([:])

  /// Logs a line, unless there are too many of its kind.
  func log(
    _ level: Logger.Level, _ message: Logger.Message, _ metadata: Logger.Metadata,
    to logger: Logger
  ) {
    let now = ContinuousClock.now
    let count = kinds.withLock { kinds in
      var kind = kinds[message.description] ?? Kind(began: now)
      if now - kind.began >= Self.interval { kind = Kind(began: now) }
      kind.count += 1
      kinds[message.description] = kind
      return kind.count
    }
    if count <= Self.limit { logger.log(level: level, message, metadata: metadata) }
    if count == Self.limit {
      logger.log(
        level: level, "more such lines are left out until a minute has passed",
        metadata: ["line": "\(message)"])
    }
  }
}
