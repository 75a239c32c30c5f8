/// What the histories of all screens cost, and how much of which has to go.
struct HistorySizes<ID: Hashable & Sendable>: Sendable {
  private var sizes: [ID: Int] = [:]
  /// What all of them cost, in bytes, estimated.
  private(set) var total = 0

  /// Notes what a history costs now.
  mutating func set(_ id: ID, to byteCount: Int) {
    total += byteCount - (sizes.updateValue(byteCount, forKey: id) ?? 0)
  }

  /// Forgets a history that is gone.
  mutating func remove(_ id: ID) {
    total -= sizes.removeValue(forKey: id) ?? 0
  }

  /// The histories to cut, and to how many bytes, if all together cost more than the limit: those that
  /// are larger, so that all together cost three quarters of it afterwards. The quarter that is free then
  /// pays for the next look at all of them.
  ///
  /// - Complexity: O(1) within the limit, else O(n log n), where n is the number of histories.
  func cut(to limit: Int) -> (byteCount: Int, histories: [ID])? {
    guard total > limit else { return nil }
    var rest = limit / 4 * 3
    var count = sizes.count
    var level = 0
    for size in sizes.values.sorted() {
      // What is left for each of those that are not smaller than this one.
      level = rest / count
      if size > level { break }
      rest -= size
      count -= 1
    }
    return (level, sizes.filter { $0.value > level }.map(\.key))
  }
}
