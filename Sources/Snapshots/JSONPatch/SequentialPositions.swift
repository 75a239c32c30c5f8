/// The positions of the elements of one list while a batch update is performed step by step.
///
/// A batch has positions before and after all of it (UITableView); a JSON Patch has those at each
/// step (RFC 6902 §3). The steps come in this order: first the deletions, descending, so that old
/// positions apply unchanged; then the arrivals, ascending by their new positions. A moved element
/// departs right before it arrives, in this list or another one.
///
/// At any time the list has three kinds of elements: those that stay, those that have arrived, and
/// those that wait to depart. An arrival is inserted right behind the element that precedes it in
/// the end, which is in the list already. So only elements that wait before this place separate it
/// from its final position.
///
/// Each step takes O(log *k*), where *k* is the number of departures and arrivals, whatever the
/// number of elements that stay.
struct SequentialPositions {
  private let staying: StayingElements
  /// The old positions of the moved elements, ascending.
  private let movers: [Int]
  /// The movers that have not departed yet.
  private var waiting: PrefixCounts
  private var arrivedCount = 0

  /// Creates the positions of a list before the first step. The arguments need no order.
  ///
  /// - Parameters:
  ///   - deleted: The old positions of the deleted elements.
  ///   - moving: The old positions of the elements that move within the list or out of it.
  ///   - arriving: The new positions of the elements that are inserted or move here.
  /// - Complexity: O(*k* log *k*), where *k* is the number of all positions.
  init(deleted: [Int], moving: [Int], arriving: [Int]) {
    staying = StayingElements(departures: deleted + moving, arrivals: arriving)
    movers = moving.sorted()
    waiting = PrefixCounts(count: movers.count)
  }

  /// Removes a moved element from the list.
  ///
  /// - Returns: The position of the element at that time.
  /// - Precondition: It is one of the movers and has not departed, and all deletions are done.
  mutating func depart(fromOld position: Int) -> Int {
    let mover = movers.partitioningIndex { $0 >= position }
    // The positions and steps of a list come from the same changeset (see `sequentialSteps`), and
    // no client sends one: a changeset to be written as a patch was found by `difference(from:)`.
    precondition(
      mover < movers.count && movers[mover] == position, "nothing moves from \(position)")
    waiting.remove(mover)
    let rank = staying.rank(atOld: position)
    let arrivedBefore = min(arrivedCount, staying.arrivals(beforeRank: rank))
    return rank + arrivedBefore + waiting.count(before: mover)
  }

  /// Inserts the next arrival into the list.
  ///
  /// - Returns: The position at which to insert it at that time.
  /// - Precondition: The arrivals come in ascending order of their positions.
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

/// The number of members left among the first ones of a numbered group whose members leave one by
/// one.
///
/// A binary indexed tree (Fenwick, "A new data structure for cumulative frequency tables", 1994).
struct PrefixCounts {
  /// The entry at *i* is the number of members left from *i* - `span(i)` up to but not including
  /// *i*. The first entry is not used.
  private var counts: [Int]

  /// Creates a group that no member has left yet.
  ///
  /// - Complexity: O(*n*), where *n* is the number of members.
  init(count: Int) {
    counts = (0...count).map(Self.span)
  }

  /// Returns the number of members left before a number.
  ///
  /// - Complexity: O(log *n*), where *n* is the number of members.
  func count(before number: Int) -> Int {
    var total = 0
    var index = number
    while index > 0 {
      total += counts[index]
      index -= Self.span(index)
    }
    return total
  }

  /// Removes a member.
  ///
  /// - Precondition: It has not been removed before.
  /// - Complexity: O(log *n*), where *n* is the number of members.
  mutating func remove(_ number: Int) {
    var index = number + 1
    while index < counts.count {
      counts[index] -= 1
      index += Self.span(index)
    }
  }

  /// Returns the number of members that an entry counts: the lowest bit of its index.
  private static func span(_ index: Int) -> Int { index & -index }
}
