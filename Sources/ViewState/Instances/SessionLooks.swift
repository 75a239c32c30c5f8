import DequeModule
import Snapshots

/// The looks at sessions that are still to come, in their order.
///
/// The value has neither clock nor lock.
struct SessionLooks: Sendable {
  /// One that was cancelled has no function.
  private var looks: Deque<(number: Int, look: (@Sendable (Int) -> Void)?, since: Duration)> = []
  private var lastNumber = 0
  private var cancelledCount = 0
  /// The time before which no further look is due.
  private var next = Duration.zero
  /// The time between two looks at a session.
  private let interval: Duration

  /// The time between two batches of looks.
  private static let pace = Duration.seconds(1)

  init(interval: Duration) { self.interval = interval }

  /// The number of sessions that are looked at from time to time.
  var count: Int { looks.count - cancelledCount }

  /// The time at which the next look is due; `nil` if there is none.
  var nextTurn: Duration? { looks.first.map { max($0.since + interval, next) } }

  /// Adds a look at a session, which is due after the interval.
  ///
  /// - Parameter look: Called with the number of the look.
  /// - Returns: The number of the look.
  mutating func add(_ look: @escaping @Sendable (Int) -> Void, at now: Duration) -> Int {
    lastNumber += 1
    looks.append((lastNumber, look, now))
    return lastNumber
  }

  /// Cancels a look; does nothing if it was taken already.
  ///
  /// - Complexity: O(log *n*) amortised, where *n* is the number of looks.
  mutating func cancel(_ number: Int) {
    let index = looks.partitioningIndex { $0.number >= number }
    guard index < looks.endIndex, looks[index].number == number else { return }
    looks[index].look = nil
    cancelledCount += 1
    // Cancelled looks are removed together, when they are more than half, so that each costs little.
    if cancelledCount > looks.count / 2 {
      looks.removeAll { $0.look == nil }
      cancelledCount = 0
    }
  }

  /// Removes looks whose time has come, and returns them.
  ///
  /// After a start all are due at once, and each may post an input. So few are taken at a time, but enough that all
  /// have their turn in half an interval.
  mutating func takeDue(at now: Duration) -> [@Sendable () -> Void] {
    var due: [@Sendable () -> Void] = []
    if now < next { return due }
    let limit = 16 + Int(2 * Double(looks.count) * (Self.pace / max(interval, Self.pace)))
    defer { if due.count == limit { next = now + Self.pace } }
    while due.count < limit, let first = looks.first, now - first.since >= interval {
      looks.removeFirst()
      if let look = first.look {
        due.append { look(first.number) }
      } else {
        cancelledCount -= 1
      }
    }
    return due
  }
}
