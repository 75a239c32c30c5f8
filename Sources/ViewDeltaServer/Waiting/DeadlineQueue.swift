/// Keeps values by the times at which they are due, and by a key.
///
/// Times are ticks of a tenth of a second, so that ten thousand equal deadlines cost one entry of the list of
/// ticks, which the longest wait bounds, and removing a value early costs no search.
struct DeadlineQueue<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private var buckets: [Int64: [Key: Value]] = [:]
  /// Each tick with a bucket, in ascending order, also if the bucket is empty by now.
  private var ticks: [Int64] = []

  /// The time of the first deadline, or of an earlier one whose values were removed; `nil` if there is none.
  ///
  /// - Complexity: O(1).
  var next: Duration? { ticks.first.map { WaitingRoom.tick * Int($0) } }

  /// All values, in no order.
  ///
  /// - Complexity: O(*n*), where *n* is their number.
  var values: [Value] { buckets.values.flatMap(\.values) }

  /// The value with a key that is due at a tick.
  ///
  /// - Complexity: O(1) expected; O(*n*) for the first value of a tick, where *n* is the number of ticks.
  subscript(_ key: Key, at tick: Int64) -> Value? {
    get { buckets[tick]?[key] }
    set {
      if newValue != nil, buckets[tick] == nil {
        buckets[tick] = [:]
        // Most deadlines come after the ones before them.
        ticks.insert(tick, at: ticks.lastIndex { $0 < tick }.map { $0 + 1 } ?? 0)
      }
      buckets[tick]?[key] = newValue
    }
  }

  /// Removes the values that are due and returns them, the earliest first.
  ///
  /// - Complexity: O(*k* + *n*), where *k* is their number and *n* that of the ticks.
  mutating func takeDue(at now: Duration) -> [Value] {
    let due = ticks.prefix { WaitingRoom.tick * Int($0) <= now }
    ticks.removeFirst(due.count)
    return due.flatMap { (buckets.removeValue(forKey: $0) ?? [:]).values }
  }
}
