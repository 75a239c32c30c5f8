import Glibc

/// A moment on the clock that neither jumps nor runs backwards, in nanoseconds.
struct MonotonicTime: Sendable, Comparable {
  /// Nanoseconds since some fixed moment, usually the boot.
  var nanoseconds: UInt64

  /// A moment that never comes.
  static let never = MonotonicTime(nanoseconds: .max)

  /// The present, a few milliseconds coarse: it is read for every request, and the coarse clock
  /// costs a fifth of the exact one.
  static func now() -> MonotonicTime {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC_COARSE, &time)
    return MonotonicTime(
      nanoseconds: UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec))
  }

  static func < (left: MonotonicTime, right: MonotonicTime) -> Bool {
    left.nanoseconds < right.nanoseconds
  }

  /// The moment so many nanoseconds later.
  static func + (time: MonotonicTime, nanoseconds: UInt64) -> MonotonicTime {
    let (sum, overflow) = time.nanoseconds.addingReportingOverflow(nanoseconds)
    return overflow ? .never : MonotonicTime(nanoseconds: sum)
  }
}

extension Duration {
  /// Whole nanoseconds; negative durations count as 0, and those above 584 years as 584 years.
  var wholeNanoseconds: UInt64 {
    let (seconds, attoseconds) = components
    guard seconds >= 0, attoseconds >= 0 else { return 0 }
    let (product, overflow) = UInt64(seconds).multipliedReportingOverflow(by: 1_000_000_000)
    return overflow ? .max : product &+ UInt64(attoseconds / 1_000_000_000)
  }
}
