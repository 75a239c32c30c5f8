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
