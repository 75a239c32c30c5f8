/// The elements of a list that a batch update leaves where they are among each other.
///
/// They have the same order before and after, so each has one rank, counted from 0, in both lists:
/// the bridge between old positions and new ones. It rests on the changes alone, however many
/// elements stay.
struct StayingElements {
  /// The old positions of the elements that are deleted or moved, ascending.
  let departures: [Int]
  /// The new positions of the elements that are inserted or moved, ascending.
  let arrivals: [Int]

  /// Takes the positions in any order.
  ///
  /// - Precondition: no two departures have one position, and no two arrivals.
  /// - Complexity: O(*k* log *k*), where *k* is the number of departures and arrivals.
  init(departures: [Int], arrivals: [Int]) {
    self.departures = departures.sorted()
    self.arrivals = arrivals.sorted()
  }

  /// The number of staying elements before an old position, which is the rank of the one that
  /// stands there, if it stays.
  ///
  /// - Complexity: O(log *k*), where *k* is the number of departures and arrivals; so are those
  ///   below.
  func rank(atOld position: Int) -> Int {
    position - departures.partitioningIndex { $0 >= position }
  }

  /// Where the staying element of a rank stood.
  func oldPosition(ofRank rank: Int) -> Int {
    rank + Self.others(departures, beforeRank: rank)
  }

  /// Where the staying element of a rank comes to stand.
  func newPosition(ofRank rank: Int) -> Int {
    rank + arrivals(beforeRank: rank)
  }

  /// The number of arrivals before the staying element of a rank.
  func arrivals(beforeRank rank: Int) -> Int {
    Self.others(arrivals, beforeRank: rank)
  }

  /// The number of positions before the staying element of a rank.
  private static func others(_ positions: [Int], beforeRank rank: Int) -> Int {
    // Before the position with the number i are i others, so the rest of what is there stays.
    positions.indices.partitioningIndex { positions[$0] - $0 > rank }
  }
}
