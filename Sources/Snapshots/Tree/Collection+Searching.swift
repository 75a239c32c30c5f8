extension RandomAccessCollection {
  /// Returns the first index whose element satisfies a condition that all elements behind it
  /// satisfy too, or the end index if there is none.
  ///
  /// - Complexity: O(log *n*), where *n* is the number of elements.
  package func partitioningIndex(where isBehind: (Element) -> Bool) -> Index {
    var start = startIndex
    var count = self.count
    while count > 0 {
      let half = count / 2
      let middle = index(start, offsetBy: half)
      if isBehind(self[middle]) {
        count = half
      } else {
        start = index(after: middle)
        count -= half + 1
      }
    }
    return start
  }
}

extension Array {
  /// Returns the number of equal elements at the start of both lists, and the number of equal ones
  /// at the end of the rest.
  ///
  /// - Parameter areEqual: Compares two elements where they lie: a copy of each would be retained.
  func countsOfSameEnds(
    as other: [Element], by areEqual: (Element, Element) -> Bool
  ) -> (head: Int, tail: Int) {
    withUnsafeBufferPointer { old in
      other.withUnsafeBufferPointer { new in
        let shorter = Swift.min(old.count, new.count)
        var head = 0
        while head < shorter, areEqual(old[head], new[head]) { head += 1 }
        var tail = 0
        while tail < shorter - head, areEqual(old[old.count - 1 - tail], new[new.count - 1 - tail])
        {
          tail += 1
        }
        return (head, tail)
      }
    }
  }
}

extension Array where Element: Equatable {
  /// Returns the number of equal elements at the start of both lists, and the number of equal ones
  /// at the end of the rest.
  func countsOfSameEnds(as other: [Element]) -> (head: Int, tail: Int) {
    countsOfSameEnds(as: other, by: ==)
  }
}
