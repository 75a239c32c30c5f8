/// The elements of a list that keep their order in a batch update.
///
/// Because they keep their order, each has the same rank in both lists, counted from 0. Ranks
/// translate between old and new positions, and they follow from the changes alone, whatever the
/// number of elements that stay.
struct StayingElements {
  /// The old positions of the elements that are deleted or moved, ascending.
  let departures: [Int]
  /// The new positions of the elements that are inserted or moved, ascending.
  let arrivals: [Int]

  /// Creates the staying elements from the changes, in any order.
  ///
  /// - Precondition: No two departures have the same position, and no two arrivals.
  /// - Complexity: O(*k* log *k*), where *k* is the number of departures and arrivals.
  init(departures: [Int], arrivals: [Int]) {
    self.departures = departures.sorted()
    self.arrivals = arrivals.sorted()
  }

  /// Returns the number of staying elements before an old position, which is the rank of the
  /// element there if it stays.
  ///
  /// - Complexity: O(log *k*), where *k* is the number of departures and arrivals.
  func rank(atOld position: Int) -> Int {
    position - departures.partitioningIndex { $0 >= position }
  }

  /// Returns the old position of the staying element with a rank.
  ///
  /// - Complexity: O(log *k*), where *k* is the number of departures and arrivals.
  func oldPosition(ofRank rank: Int) -> Int {
    rank + Self.others(departures, beforeRank: rank)
  }

  /// Returns the new position of the staying element with a rank.
  ///
  /// - Complexity: O(log *k*), where *k* is the number of departures and arrivals.
  func newPosition(ofRank rank: Int) -> Int {
    rank + arrivals(beforeRank: rank)
  }

  /// Returns the number of arrivals before the staying element with a rank.
  ///
  /// - Complexity: O(log *k*), where *k* is the number of departures and arrivals.
  func arrivals(beforeRank rank: Int) -> Int {
    Self.others(arrivals, beforeRank: rank)
  }

  /// Returns the number of positions before the staying element with a rank.
  private static func others(_ positions: [Int], beforeRank rank: Int) -> Int {
    // The i-th position has i of the positions before it, so positions[i] - i elements before it
    // stay.
    positions.indices.partitioningIndex { positions[$0] - $0 > rank }
  }
}
