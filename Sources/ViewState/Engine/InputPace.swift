import Synchronization

/// How long inputs took of late, so that a thread with other work knows whether it may apply the next one.
///
/// ```swift
/// let pace = InputPace()
/// pace.add(.milliseconds(40))
/// pace.isQuick  // false, until enough quick inputs follow
/// ```
final class InputPace: Sendable {
  /// The longest time for which a thread may be kept from its other work.
  static let limit = Duration.milliseconds(1)
  /// The part of the longest time by which it fades with each quicker input. After one of 40 ms, 58 follow
  /// until the pace is quick again: so a thread is kept longer by few inputs, and not for long by one in many
  /// that the system interrupted.
  private static let fading = 16

  private let longest = Atomic(0)

  /// Whether the inputs of late took no longer than the limit.
  var isQuick: Bool {
    .nanoseconds(longest.load(ordering: .relaxed)) <= Self.limit
  }

  /// Notes how long an input took. One thread at a time calls it.
  func add(_ duration: Duration) {
    let before = longest.load(ordering: .relaxed)
    let faded = before - before / Self.fading
    longest.store(max(duration.wholeUnits(perSecond: 1_000_000_000), faded), ordering: .relaxed)
  }
}
