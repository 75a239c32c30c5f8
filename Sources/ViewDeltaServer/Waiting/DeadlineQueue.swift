import HeapModule

/// Keeps deadlines in the order of time.
///
/// Buckets of a tenth of a second hold them, so that ten thousand equal deadlines cost one entry of the heap,
/// and removing one early costs no search.
struct DeadlineQueue<ID: Hashable & Comparable & Sendable>: Sendable {
  private var buckets: [Int64: Set<ID>] = [:]
  /// The tick of each bucket, once, also of those that are empty by now.
  private var ticks: Heap<Int64> = []

  /// The width of a bucket.
  static var tick: Duration { .milliseconds(100) }

  /// The time of the first deadline, or of an earlier one that was removed; `nil` if there is none.
  ///
  /// - Complexity: O(1).
  var next: Duration? { ticks.min.map { Self.tick * Int($0) } }

  /// Adds a deadline. It is due up to a tenth of a second early, and never late.
  ///
  /// - Complexity: O(log *n*), where *n* is the number of buckets.
  mutating func insert(_ id: ID, at deadline: Duration) {
    let tick = Self.bucket(of: deadline)
    if buckets[tick] == nil { ticks.insert(tick) }
    buckets[tick, default: []].insert(id)
  }

  /// Removes a deadline that was added with these values.
  ///
  /// - Complexity: O(1) expected.
  mutating func remove(_ id: ID, at deadline: Duration) {
    buckets[Self.bucket(of: deadline)]?.remove(id)
  }

  /// Removes the deadlines that are due and returns their owners, the earliest first.
  ///
  /// - Complexity: O(*k* log *k*), where *k* is their number.
  mutating func takeDue(at now: Duration) -> [ID] {
    var due: [ID] = []
    while let tick = ticks.min, Self.tick * Int(tick) <= now {
      ticks.removeMin()
      due += (buckets.removeValue(forKey: tick) ?? []).sorted()
    }
    return due
  }

  private static func bucket(of deadline: Duration) -> Int64 {
    Int64((deadline / tick).rounded(.down))
  }
}
