/// Which stretches of a list, in the order of their new rows, belong to a longest increasing
/// subsequence of the old rows.
///
/// No old row lies between those of one stretch, so that a subsequence that is longest has all rows
/// of a stretch or none. Stretches are distinct: no two have an old row in common.
///
/// There are two ways for two shapes of input, with one result: of subsequences equally long, both
/// take the one whose last row is the smallest, and so on backwards.
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

/// Which numbers of a list of distinct ones belong to one longest increasing subsequence.
///
/// - Complexity: O(*n* log *n*), where *n* is the number of elements; O(*n*) if they increase.
func longestIncreasingSubsequence(of values: [Int32]) -> [Bool] {
  longestIncreasingSubsequence(
    of: values.enumerated().map { Stretch(old: $1, new: Int32($0), count: 1) })
}

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

/// Longest increasing subsequences of few but long stretches: the heaviest chain, by a tree of
/// prefix maxima (Fenwick 1994), so that the cost is that of the stretches and not of their rows.
enum HeaviestChain {
  /// The index of the last stretch of a longest chain, and before each stretch the one that
  /// precedes it, or -1.
  ///
  /// - Complexity: O(*n* log *n*), where *n* is the number of stretches.
  static func chain(of stretches: [Stretch]) -> (last: Int32, predecessors: [Int32]) {
    let count = stretches.count
    var oldRows = stretches.map(\.old)
    oldRows.sort()
    var predecessors = [Int32](repeating: -1, count: count)
    // In one array: the weight of the heaviest chain to each stretch; and of the tree's node k, the
    // last stretch of the heaviest chain among those that it covers, or -1.
    var nodes = [(weight: Int32, best: Int32)](repeating: (0, -1), count: count + 1)

    /// Of two chains by their last stretches: the heavier, and of equal ones the one that ends
    /// with the smaller row.
    func better(_ left: Int32, _ right: Int32) -> Int32 {
      guard left >= 0, right >= 0 else { return max(left, right) }
      let (leftWeight, rightWeight) = (nodes[Int(left)].weight, nodes[Int(right)].weight)
      if leftWeight != rightWeight { return leftWeight > rightWeight ? left : right }
      return stretches[Int(left)].old < stretches[Int(right)].old ? left : right
    }

    var last: Int32 = -1
    for index in stretches.indices {
      let rank = rank(of: stretches[index].old, in: oldRows)
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

  /// The number of smaller ones among ascending rows.
  private static func rank(of row: Int32, in rows: [Int32]) -> Int {
    var low = 0
    var high = rows.count
    while low < high {
      let middle = (low + high) / 2
      if rows[middle] < row { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
