/// The smallest possible number of operations, by its formula and independent of the engine:
/// deletes, inserts, updates, rows that change their section, and of the others in each section all
/// except a longest increasing subsequence.
struct OperationBound {
  let count: Int

  /// Computes the bound for two lists of sections.
  ///
  /// - Complexity: O(*n* log *n*) expected, where *n* is the number of items in both lists.
  init(from old: [[Item]], to new: [[Item]]) {
    var origins: [String: (section: Int, row: Int, payload: String)] = [:]
    for (section, items) in old.enumerated() {
      for (row, item) in items.enumerated() { origins[item.id] = (section, row, item.payload) }
    }
    var count = origins.count
    for (section, items) in new.enumerated() {
      var staying: [Int] = []
      for item in items {
        guard let origin = origins[item.id] else {
          count += 1
          continue
        }
        count -= 1
        if origin.payload != item.payload { count += 1 }
        if origin.section == section { staying.append(origin.row) } else { count += 1 }
      }
      count += staying.count - Self.longestIncreasing(staying)
    }
    self.count = count
  }

  /// Returns the length of a longest increasing subsequence.
  private static func longestIncreasing(_ values: [Int]) -> Int {
    var ends: [Int] = []
    for value in values {
      var low = 0
      var high = ends.count
      while low < high {
        let middle = (low + high) / 2
        if ends[middle] < value { low = middle + 1 } else { high = middle }
      }
      if low == ends.count { ends.append(value) } else { ends[low] = value }
    }
    return ends.count
  }
}
