/// Longest increasing subsequences of few but long stretches: the heaviest chain, by a tree of
/// prefix maxima (Fenwick 1994), so that the cost is that of the stretches and not of their rows.
enum HeaviestChain {
  /// The index of the last stretch of a longest chain, and before each stretch the one that
  /// precedes it, or -1.
  ///
  /// - Complexity: O(*n* log *n*), where *n* is the number of stretches.
  static func chain(of stretches: [Stretch]) -> (last: Int32, predecessors: [Int32]) {
    let count = stretches.count
    let byOldRow = stretches.indices.sorted { stretches[$0].old < stretches[$1].old }
    var ranks = [Int](repeating: 0, count: count)
    for (rank, index) in byOldRow.enumerated() { ranks[index] = rank }

    var weights = [Int32](repeating: 0, count: count)
    var predecessors = [Int32](repeating: -1, count: count)
    // best[k] is the last stretch of the heaviest chain among those that the node k covers, or -1.
    var best = [Int32](repeating: -1, count: count + 1)

    /// Of two chains by their last stretches: the heavier, and of equal ones the one that ends
    /// with the smaller row.
    func better(_ left: Int32, _ right: Int32) -> Int32 {
      guard left >= 0, right >= 0 else { return max(left, right) }
      let (leftWeight, rightWeight) = (weights[Int(left)], weights[Int(right)])
      if leftWeight != rightWeight { return leftWeight > rightWeight ? left : right }
      return stretches[Int(left)].old < stretches[Int(right)].old ? left : right
    }

    var last: Int32 = -1
    for index in stretches.indices {
      var node = ranks[index]
      while node > 0 {
        predecessors[index] = better(predecessors[index], best[node])
        node &= node - 1
      }
      let before = predecessors[index] < 0 ? 0 : weights[Int(predecessors[index])]
      weights[index] = before + stretches[index].count
      last = better(last, Int32(index))
      node = ranks[index] + 1
      while node <= count {
        best[node] = better(best[node], Int32(index))
        node += node & -node
      }
    }
    return (last, predecessors)
  }
}
