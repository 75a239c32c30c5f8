extension RandomAccessCollection {
  /// The first index whose element meets a condition that all elements behind it meet too, or the
  /// end.
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
