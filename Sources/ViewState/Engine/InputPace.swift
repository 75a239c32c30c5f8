import Synchronization

/// How long the inputs of requests took of late, so that a thread with other work knows whether it may apply the next
/// one.
///
/// ```swift
/// let pace = InputPace()
/// pace.add(.milliseconds(10), endingAt: now)
/// pace.isQuick(at: now)  // false, until enough quick inputs follow
/// ```
final class InputPace: Sendable {
  /// The longest time for which a thread may be kept from its other work.
  static let limit = Duration.milliseconds(1)
  /// The part of the longest time by which it fades with each quicker input. After one of 10 ms, 36 follow
  /// until the pace is quick again: so a thread is kept longer by few inputs, and not for long by one in many
  /// that the system interrupted.
  private static let fading = 16
  /// The longest time that one input in many may keep a thread, and the time for which the pace is slow after a longer
  /// one: the same may come again behind any number of quick ones.
  private static let (longestRare, rest) = (Duration.milliseconds(20), Duration.seconds(60))

  private let longest = Atomic(0)
  /// The time until which the pace is slow after a very long input, in milliseconds.
  private let end = Atomic(0)

  /// Returns whether the inputs of late took no longer than the limit.
  func isQuick(at now: Duration) -> Bool {
    .nanoseconds(longest.load(ordering: .relaxed)) <= Self.limit
      && now >= .milliseconds(end.load(ordering: .relaxed))
  }

  /// Notes how long an input took. One thread at a time calls it.
  func add(_ duration: Duration, endingAt now: Duration) {
    let before = longest.load(ordering: .relaxed)
    let faded = before - before / Self.fading
    longest.store(max(duration.wholeUnits(perSecond: 1_000_000_000), faded), ordering: .relaxed)
    if duration > Self.longestRare {
      end.store((now + Self.rest).wholeUnits(perSecond: 1_000), ordering: .relaxed)
    }
  }
}
