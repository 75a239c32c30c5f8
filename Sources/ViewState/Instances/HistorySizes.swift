/// The sizes of the histories of all view models, to find those that must be cut.
struct HistorySizes<ID: Hashable & Sendable>: Sendable {
  private var sizes: [ID: Int] = [:]
  /// The estimated size of all histories together, in bytes.
  private(set) var total = 0

  /// Sets the size of a history.
  mutating func set(_ id: ID, to byteCount: Int) {
    total += byteCount - (sizes.updateValue(byteCount, forKey: id) ?? 0)
  }

  /// Removes a history.
  mutating func remove(_ id: ID) {
    total -= sizes.removeValue(forKey: id) ?? 0
  }

  /// Returns the histories to cut, and the size to which each must be cut, if all together are larger than
  /// the limit.
  ///
  /// These are the largest ones. After the cut all together take three quarters of the limit, so that the
  /// O(*n* log *n*) of the next call is paid for by a quarter of the limit that fills up before it.
  ///
  /// - Complexity: O(1) within the limit, else O(*n* log *n*), where *n* is the number of histories.
  func cut(to limit: Int) -> (byteCount: Int, histories: [ID])? {
    guard total > limit else { return nil }
    var rest = limit / 4 * 3
    var count = sizes.count
    var level = 0
    for size in sizes.values.sorted() {
      // The share of each history that is at least as large as this one.
      level = rest / count
      if size > level { break }
      rest -= size
      count -= 1
    }
    return (level, sizes.filter { $0.value > level }.map(\.key))
  }
}
