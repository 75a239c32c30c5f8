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
    var last: Int32 = -1
    let predecessors = [Int32](unsafeUninitializedCapacity: stretches.count) {
      predecessors, initializedCount in
      var length = 0
      // Piles are read only below the length, and all of those were written; the rest of the memory,
      // most of it where a list is shuffled, is never touched.
      withUnsafeTemporaryAllocation(of: Int32.self, capacity: rowCount) { ends in
        withUnsafeTemporaryAllocation(of: Int32.self, capacity: rowCount) { owners in
          for (index, stretch) in stretches.enumerated() {
            let pile = pile(of: stretch.old, in: ends, count: length)
            predecessors.initializeElement(at: index, to: pile > 0 ? owners[pile - 1] : -1)
            // A stretch lies on piles below the sum of all rows so far, so that none is out of range.
            for offset in 0..<Int(stretch.count) {
              ends[pile + offset] = stretch.old + Int32(offset)
              owners[pile + offset] = Int32(index)
            }
            length = max(length, pile + Int(stretch.count))
          }
          if length > 0 { last = owners[length - 1] }
        }
      }
      initializedCount = stretches.count
    }
    return (last, predecessors)
  }

  /// The first pile whose end is not smaller than a row.
  private static func pile(
    of row: Int32, in ends: UnsafeMutableBufferPointer<Int32>, count: Int
  ) -> Int {
    // Most rows of a list that was edited go behind all others.
    if count == 0 || ends[count - 1] < row { return count }
    // Which half it is cannot be foreseen in a list that was shuffled, so that it is computed and
    // not branched on: half of the branches would be mispredicted, and the searches for the next
    // rows could not begin before. The pile is in `low..<low + rest`.
    var low = 0
    var rest = count
    while rest > 1 {
      let half = rest / 2
      // All ones if the end is smaller, for both have 31 bits. A product or a mask with this would
      // be turned into a branch by the compiler; a shift, by nothing or by 63, is not.
      let isSmaller = (ends[low &+ half &- 1] &- row) &>> 31
      low &+= half &>> Int(~isSmaller)
      rest &-= half
    }
    return low
  }
}
