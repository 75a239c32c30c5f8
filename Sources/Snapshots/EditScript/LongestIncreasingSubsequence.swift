/// Returns, for stretches in the order of their new rows, which of them are in a longest increasing
/// subsequence of the old rows.
///
/// The old rows of a stretch are consecutive, so a longest subsequence has all rows of a stretch or
/// none. No two stretches have an old row in common.
///
/// Two algorithms serve two shapes of input, with the same result: of several longest subsequences,
/// both choose the one whose last row is the smallest, then the one whose last row but one is the
/// smallest, and so on.
///
/// - Complexity: O(*n* log *n*), where *n* is the number of stretches; O(*n*) if they increase.
func longestIncreasingSubsequence(of stretches: [Stretch]) -> [Bool] {
  if zip(stretches, stretches.dropFirst()).allSatisfy({ $0.old < $1.old }) {
    return [Bool](repeating: true, count: stretches.count)
  }
  let rowCount = stretches.reduce(0) { $0 + Int($1.count) }
  let chain =
    rowCount <= 16 * stretches.count
    ? PatienceSorting.chain(of: stretches, rowCount: rowCount)
    : HeaviestChain.chain(of: stretches)
  var isMember = [Bool](repeating: false, count: stretches.count)
  var next = chain.last
  while next >= 0 {
    isMember[Int(next)] = true
    next = chain.predecessors[Int(next)]
  }
  return isMember
}

/// Returns which of some distinct numbers are in a longest increasing subsequence.
///
/// - Complexity: O(*n* log *n*), where *n* is the number of elements; O(*n*) if they increase.
func longestIncreasingSubsequence(of values: [Int32]) -> [Bool] {
  longestIncreasingSubsequence(
    of: values.enumerated().map { Stretch(old: $1, new: Int32($0), count: 1) })
}

/// Finds longest increasing subsequences by patience sorting with predecessor links (Schensted,
/// 1961; Fredman, 1975), a whole stretch at a time.
enum PatienceSorting {
  /// Returns the index of the last stretch of a longest chain, and for each stretch its predecessor
  /// or -1.
  ///
  /// - Complexity: O(*m* + *n* log *m*), where *n* is the number of stretches and *m* the number of
  ///   rows.
  static func chain(
    of stretches: [Stretch], rowCount: Int
  ) -> (last: Int32, predecessors: [Int32]) {
    // ends[k] is the smallest row that ends an increasing subsequence of k + 1 rows, and owners[k]
    // the stretch of that row. The rows of a stretch go to consecutive piles: the end of the pile
    // after that of the first row is beyond the stretch, and so on.
    var last: Int32 = -1
    let predecessors = [Int32](unsafeUninitializedCapacity: stretches.count) {
      predecessors, initializedCount in
      var length = 0
      // Only piles below `length` are read, and all of those were written. Most of the memory is
      // never touched if the list is shuffled.
      withUnsafeTemporaryAllocation(of: Int32.self, capacity: rowCount) { ends in
        withUnsafeTemporaryAllocation(of: Int32.self, capacity: rowCount) { owners in
          for (index, stretch) in stretches.enumerated() {
            let pile = pile(of: stretch.old, in: ends, count: length)
            predecessors.initializeElement(at: index, to: pile > 0 ? owners[pile - 1] : -1)
            // The pile of each row is below the number of rows so far, so it is in range.
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

  /// Returns the first pile whose end is not smaller than a row.
  private static func pile(
    of row: Int32, in ends: UnsafeMutableBufferPointer<Int32>, count: Int
  ) -> Int {
    // In an edited list, most rows go behind all others.
    if count == 0 || ends[count - 1] < row { return count }
    // In a shuffled list the half to search is unpredictable, so it is computed without a branch:
    // half of the branches would be mispredicted, and the search for the next row could not start
    // before this one ends. The pile is in `low..<low + rest`.
    var low = 0
    var rest = count
    while rest > 1 {
      let half = rest / 2
      // All ones if the end is smaller, since both have 31 bits. The compiler would turn a product
      // or a mask with this into a branch; it keeps a shift by 0 or 63.
      let isSmaller = (ends[low &+ half &- 1] &- row) &>> 31
      low &+= half &>> Int(~isSmaller)
      rest &-= half
    }
    return low
  }
}

/// Finds longest increasing subsequences of few but long stretches: the heaviest chain, with a tree
/// of prefix maxima (Fenwick, 1994). The cost depends on the number of stretches and not on that of
/// their rows.
enum HeaviestChain {
  /// Returns the index of the last stretch of a longest chain, and for each stretch its predecessor
  /// or -1.
  ///
  /// - Complexity: O(*n* log *n*), where *n* is the number of stretches.
  static func chain(of stretches: [Stretch]) -> (last: Int32, predecessors: [Int32]) {
    let count = stretches.count
    var oldRows = stretches.map(\.old)
    oldRows.sort()
    var predecessors = [Int32](repeating: -1, count: count)
    // Two tables in one array: the weight of the heaviest chain that ends with each stretch, and
    // for node k of the tree the last stretch of the heaviest chain among the stretches it covers,
    // or -1.
    var nodes = [(weight: Int32, best: Int32)](repeating: (0, -1), count: count + 1)

    /// Returns the better of two chains, given by their last stretches: the heavier one, or if they
    /// are equally heavy the one that ends with the smaller row.
    func better(_ left: Int32, _ right: Int32) -> Int32 {
      guard left >= 0, right >= 0 else { return max(left, right) }
      let (leftWeight, rightWeight) = (nodes[Int(left)].weight, nodes[Int(right)].weight)
      if leftWeight != rightWeight { return leftWeight > rightWeight ? left : right }
      return stretches[Int(left)].old < stretches[Int(right)].old ? left : right
    }

    var last: Int32 = -1
    for index in stretches.indices {
      let rank = oldRows.partitioningIndex { $0 >= stretches[index].old }
      var node = rank
      while node > 0 {
        predecessors[index] = better(predecessors[index], nodes[node].best)
        node &= node - 1
      }
      let before = predecessors[index] < 0 ? 0 : nodes[Int(predecessors[index])].weight
      nodes[index].weight = before + stretches[index].count
      last = better(last, Int32(index))
      node = rank + 1
      while node <= count {
        nodes[node].best = better(nodes[node].best, Int32(index))
        node += node & -node
      }
    }
    return (last, predecessors)
  }
}
