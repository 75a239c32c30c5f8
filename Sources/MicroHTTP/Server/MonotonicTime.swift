import Glibc

/// A time of the monotonic clock, in nanoseconds.
struct MonotonicTime: Sendable, Comparable {
  /// Nanoseconds since an arbitrary fixed time, usually the boot.
  var nanoseconds: UInt64

  /// A time later than every other, for deadlines that never pass.
  static let never = MonotonicTime(nanoseconds: .max)

  /// Returns the current time with a resolution of a few milliseconds. It is read for every
  /// request, and the coarse clock costs a fifth of the exact one.
  static func now() -> MonotonicTime { reading(CLOCK_MONOTONIC_COARSE) }

  /// Returns the exact current time.
  static func exact() -> MonotonicTime { reading(CLOCK_MONOTONIC) }

  private static func reading(_ clock: clockid_t) -> MonotonicTime {
    var time = timespec()
    clock_gettime(clock, &time)
    return MonotonicTime(
      nanoseconds: UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec))
  }

  static func < (left: MonotonicTime, right: MonotonicTime) -> Bool {
    left.nanoseconds < right.nanoseconds
  }

  /// Returns the time that is `nanoseconds` later, or ``never`` if it overflows.
  static func + (time: MonotonicTime, nanoseconds: UInt64) -> MonotonicTime {
    let (sum, overflow) = time.nanoseconds.addingReportingOverflow(nanoseconds)
    return overflow ? .never : MonotonicTime(nanoseconds: sum)
  }
}

extension Duration {
  /// The duration in whole nanoseconds: 0 if it is negative, `UInt64.max` if it exceeds 584 years.
  var wholeNanoseconds: UInt64 {
    let (seconds, attoseconds) = components
    guard seconds >= 0, attoseconds >= 0 else { return 0 }
    let (product, overflow) = UInt64(seconds).multipliedReportingOverflow(by: 1_000_000_000)
    let time = overflow ? .never : MonotonicTime(nanoseconds: product)
    return (time + UInt64(attoseconds / 1_000_000_000)).nanoseconds
  }
}

/// The clock of all deadlines. It pauses while the server itself is delayed.
///
/// If the process is stopped, its virtual machine is paused or a handler is slow, requests wait
/// unread in the kernel. A plain clock would then time out clients that sent in time. So this clock
/// advances once per turn of the serving thread, by no more than the longest interval between two
/// turns of an idle thread. A turn reads the received data before it checks deadlines; so a request
/// that arrived in time is answered, however long the delay was.
struct ServiceClock {
  /// The time of the last tick.
  private(set) var now: MonotonicTime
  private let longestStep: UInt64
  private var lastTick: MonotonicTime

  /// Starts the clock at a time.
  ///
  /// - Parameters:
  ///   - now: The initial time.
  ///   - longestStep: The maximum by which a tick advances the clock, in nanoseconds.
  init(at now: MonotonicTime = .now(), longestStep: UInt64) {
    self.now = now
    self.longestStep = longestStep
    lastTick = now
  }

  /// Advances the clock by the time since the last tick, but by no more than the longest step.
  mutating func tick(at time: MonotonicTime) {
    guard time > lastTick else { return }
    now = now + min(time.nanoseconds - lastTick.nanoseconds, longestStep)
    lastTick = time
  }
}
