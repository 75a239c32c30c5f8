/// How many of the first few members of a numbered group are left, while they leave one by one.
///
/// A binary indexed tree (Fenwick, "A new data structure for cumulative frequency tables", 1994).
struct PrefixCounts {
  /// The entry at *i* is the number of members left among those from *i* - `span(i)` up to *i*,
  /// which is excluded. The first entry is not used.
  private var counts: [Int]

  /// A group that nobody has left yet.
  ///
  /// - Complexity: O(*n*), where *n* is the number of members.
  init(count: Int) {
    counts = (0...count).map(Self.span)
  }

  /// The number of members left before a number.
  ///
  /// - Complexity: O(log *n*), where *n* is the number of members; so is the next one's.
  func count(before number: Int) -> Int {
    var total = 0
    var index = number
    while index > 0 {
      total += counts[index]
      index -= Self.span(index)
    }
    return total
  }

  /// Notes that a member leaves.
  ///
  /// - Precondition: it has not left before.
  mutating func remove(_ number: Int) {
    var index = number + 1
    while index < counts.count {
      counts[index] -= 1
      index += Self.span(index)
    }
  }

  /// The number of members that an entry counts: its lowest bit.
  private static func span(_ index: Int) -> Int { index & -index }
}
