/// The positions of the elements of one list while a batch update is performed step by step.
///
/// A batch names positions before and after all of it (UITableView); a JSON Patch names those at
/// each step (RFC 6902 §3). The steps are taken in this order: first the deletions, descending, so
/// that old positions hold for them as they are. Then the arrivals, ascending by their new
/// positions; a moved element departs right before it arrives, here or in another list.
///
/// So at any time there stand in the list the elements that stay, those that arrived, and those that
/// wait to depart. An arrival is put right behind what precedes it in the end, which is there
/// already: between it and its final position are only the elements that wait farther ahead.
///
/// With *k* as the number of departures and arrivals, each step is O(log *k*), however many elements
/// stay.
struct SequentialPositions {
  private let staying: StayingElements
  /// The old positions of the moved elements, ascending.
  private let movers: [Int]
  /// Which of the movers have not departed yet.
  private var waiting: PrefixCounts
  private var arrivedCount = 0

  /// Takes positions in any order.
  ///
  /// - Parameters:
  ///   - deleted: The old positions of the elements that go.
  ///   - moving: The old positions of the elements that move within the list or out of it.
  ///   - arriving: The new positions of the elements that come or move to there.
  /// - Complexity: O(*k* log *k*), where *k* is the number of all.
  init(deleted: [Int], moving: [Int], arriving: [Int]) {
    staying = StayingElements(departures: deleted + moving, arrivals: arriving)
    movers = moving.sorted()
    waiting = PrefixCounts(count: movers.count)
  }

  /// Takes a moved element out.
  ///
  /// - Returns: where it stands at that time.
  /// - Precondition: it is one of the movers, has not departed, and all deletions are done.
  mutating func depart(fromOld position: Int) -> Int {
    let mover = movers.partitioningIndex { $0 >= position }
    // A list's positions and its steps are of one changeset (see `sequentialSteps`), and no client
    // sends one: those that are written as a patch were found by `difference(from:)`.
    precondition(
      mover < movers.count && movers[mover] == position, "nothing moves from \(position)")
    waiting.remove(mover)
    let rank = staying.rank(atOld: position)
    let arrivedBefore = min(arrivedCount, staying.arrivals(beforeRank: rank))
    return rank + arrivedBefore + waiting.count(before: mover)
  }

  /// Puts the next arrival in.
  ///
  /// - Returns: where it is to be inserted at that time.
  /// - Precondition: the position is that of the next one in ascending order.
  mutating func arrive(atNew position: Int) -> Int {
    precondition(
      arrivedCount < staying.arrivals.count && staying.arrivals[arrivedCount] == position,
      "nothing arrives at \(position) now")
    let rank = position - arrivedCount
    arrivedCount += 1
    if rank == 0 { return position }
    let precedingStay = staying.oldPosition(ofRank: rank - 1)
    let moversBefore = movers.partitioningIndex { $0 > precedingStay }
    return position + waiting.count(before: moversBefore)
  }
}

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
