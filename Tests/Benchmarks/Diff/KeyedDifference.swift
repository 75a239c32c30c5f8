import Snapshots

/// The keyed difference with which libraries for user interfaces are fastest: the reference for rows
/// that are rendered anew.
///
/// It cuts off the common start and the common end, and finds the other old elements in one table of
/// the new ones, for which each id is hashed once. Of the elements that both lists have, those of a
/// longest increasing subsequence stay.
struct KeyedDifference {
  private(set) var deletes: [Int32] = []
  private(set) var inserts: [Int32] = []
  private(set) var moves: [(from: Int32, to: Int32)] = []
  private(set) var updates: [(from: Int32, to: Int32)] = []

  var operationCount: Int { deletes.count + inserts.count + moves.count + updates.count }

  init<Element: DifferenceElement & ~Copyable>(_ run: ElementRun<Element>) {
    let shorter = min(run.old.count, run.new.count)
    var head = 0
    while head < shorter, run.old(head).pointee.isSameItem(as: run.new(head).pointee) {
      compare(head, head, of: run)
      head += 1
    }
    var (oldEnd, newEnd) = (run.old.count, run.new.count)
    while oldEnd > head, newEnd > head,
      run.old(oldEnd - 1).pointee.isSameItem(as: run.new(newEnd - 1).pointee)
    {
      oldEnd -= 1
      newEnd -= 1
      compare(oldEnd, newEnd, of: run)
    }
    if head == oldEnd {
      inserts = (head..<newEnd).map { Int32($0) }
    } else if head == newEnd {
      deletes = (head..<oldEnd).map { Int32($0) }
    } else {
      match(head..<oldEnd, head..<newEnd, of: run)
    }
  }

  /// Adds an update if the content of two rows with one id differs.
  private mutating func compare<Element: DifferenceElement & ~Copyable>(
    _ from: Int, _ to: Int, of run: ElementRun<Element>
  ) {
    if !run.old(from).pointee.hasSameContent(as: run.new(to).pointee) {
      updates.append((Int32(truncatingIfNeeded: from), Int32(truncatingIfNeeded: to)))
    }
  }

  private mutating func match<Element: DifferenceElement & ~Copyable>(
    _ oldRows: Range<Int>, _ newRows: Range<Int>, of run: ElementRun<Element>
  ) {
    let key = ProcessKey.value
    var capacity = 4
    while capacity < newRows.count * 2 { capacity *= 2 }
    let mask = capacity - 1
    // By the row of a new one behind the start: the old row, or -1.
    var origins = [Int32](repeating: -1, count: newRows.count)
    withUnsafeTemporaryAllocation(of: UInt64.self, capacity: capacity) { slots in
      slots.initialize(repeating: 0)
      for row in newRows {
        let hash = run.new(row).pointee.identityHash(key: key)
        var slot = Int(truncatingIfNeeded: hash) & mask
        while slots[slot] != 0 { slot = (slot + 1) & mask }
        slots[slot] = hash & Self.tag | UInt64(truncatingIfNeeded: row + 1)
      }
      for row in oldRows {
        let hash = run.old(row).pointee.identityHash(key: key)
        var slot = Int(truncatingIfNeeded: hash) & mask
        while slots[slot] != 0 {
          let other = Int(truncatingIfNeeded: slots[slot] & ~Self.tag) - 1
          if slots[slot] & Self.tag == hash & Self.tag,
            run.old(row).pointee.isSameItem(as: run.new(other).pointee)
          {
            origins[other - newRows.lowerBound] = Int32(truncatingIfNeeded: row)
            break
          }
          slot = (slot + 1) & mask
        }
        if slots[slot] == 0 { deletes.append(Int32(truncatingIfNeeded: row)) }
      }
    }
    let staying = Self.longestIncreasing(origins)
    for (offset, origin) in origins.enumerated() {
      let row = newRows.lowerBound + offset
      if origin < 0 {
        inserts.append(Int32(truncatingIfNeeded: row))
      } else {
        if !staying.isEmpty, !staying[offset] {
          moves.append((origin, Int32(truncatingIfNeeded: row)))
        }
        compare(Int(origin), row, of: run)
      }
    }
  }

  private static let tag: UInt64 = 0xFFFF_FFFF_0000_0000

  /// Returns which numbers are in a longest increasing subsequence of those that are not negative;
  /// an empty list if all are.
  private static func longestIncreasing(_ values: [Int32]) -> [Bool] {
    var last: Int32 = -1
    let isIncreasing = values.allSatisfy { value in
      if value < 0 { return true }
      defer { last = value }
      return value > last
    }
    if isIncreasing { return [] }
    // The index of the least number that ends a subsequence of each length.
    var ends: [Int32] = []
    var predecessors = [Int32](repeating: -1, count: values.count)
    for (index, value) in values.enumerated() where value >= 0 {
      var low = 0
      var high = ends.count
      while low < high {
        let middle = (low + high) / 2
        if values[Int(ends[middle])] < value { low = middle + 1 } else { high = middle }
      }
      if low > 0 { predecessors[index] = ends[low - 1] }
      if low == ends.count { ends.append(Int32(index)) } else { ends[low] = Int32(index) }
    }
    var isStaying = [Bool](repeating: false, count: values.count)
    var next = ends.last ?? -1
    while next >= 0 {
      isStaying[Int(next)] = true
      next = predecessors[Int(next)]
    }
    return isStaying
  }
}
