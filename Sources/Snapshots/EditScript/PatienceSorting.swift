/// Longest increasing subsequences by patience sorting with predecessor links (Schensted 1961;
/// Fredman 1975), with a whole stretch laid down at a time.
enum PatienceSorting {
  /// The index of the last stretch of a longest chain, and before each stretch the one that
  /// precedes it, or -1.
  ///
  /// - Complexity: O(*m* + *n* log *m*), where *n* is the number of stretches and *m* that of rows.
  static func chain(
    of stretches: [Stretch], rowCount: Int
  ) -> (last: Int32, predecessors: [Int32]) {
    // ends[k] is the smallest row that ends an increasing subsequence of k + 1 rows, and owners[k]
    // the stretch it is in. The rows of a stretch go to piles that follow each other: the pile
    // after that of its first row has a row beyond the stretch, and so on.
    var ends = [Int32](repeating: 0, count: rowCount)
    var owners = ends
    var predecessors = [Int32](repeating: -1, count: stretches.count)
    var length = 0
    // In place, because the arrays' checks of who owns them would cost as much as the sorting.
    ends.withUnsafeMutableBufferPointer { ends in
      owners.withUnsafeMutableBufferPointer { owners in
        for (index, stretch) in stretches.enumerated() {
          let pile = pile(of: stretch.old, in: ends, count: length)
          if pile > 0 { predecessors[index] = owners[pile - 1] }
          // A stretch lies on piles below the sum of all rows so far, so that none is out of range.
          for offset in 0..<Int(stretch.count) {
            ends[pile + offset] = stretch.old + Int32(offset)
            owners[pile + offset] = Int32(index)
          }
          length = max(length, pile + Int(stretch.count))
        }
      }
    }
    return (length > 0 ? owners[length - 1] : -1, predecessors)
  }

  /// The first pile whose end is not smaller than a row.
  private static func pile(
    of row: Int32, in ends: UnsafeMutableBufferPointer<Int32>, count: Int
  ) -> Int {
    // Most rows of a list that was edited go behind all others.
    if count == 0 || ends[count - 1] < row { return count }
    var low = 0
    var high = count - 1
    while low < high {
      let middle = (low + high) / 2
      if ends[middle] < row { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
