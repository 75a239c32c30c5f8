/// The number of durations in each of some ranges, and the sum of all durations.
package struct DurationHistogram: Hashable, Sendable {
  /// The longest duration of each range except the last one, in ascending order.
  package static let bounds: [Duration] = [
    .microseconds(500), .milliseconds(1), .microseconds(2_500), .milliseconds(5),
    .milliseconds(10), .milliseconds(25), .milliseconds(50), .milliseconds(100),
    .milliseconds(500), .seconds(1), .seconds(5),
  ]

  /// The number of durations in each range. The last range has those that are longer than all bounds.
  package private(set) var counts = [Int](repeating: 0, count: bounds.count + 1)
  package private(set) var sum = Duration.zero

  /// Creates a histogram without durations.
  package init() {}

  /// Counts a duration.
  package mutating func add(_ duration: Duration) {
    counts[Self.bounds.firstIndex { duration <= $0 } ?? Self.bounds.count] += 1
    sum += duration
  }

  /// Adds the durations of another histogram.
  package mutating func add(_ other: DurationHistogram) {
    for (index, count) in other.counts.enumerated() { counts[index] += count }
    sum += other.sum
  }
}
