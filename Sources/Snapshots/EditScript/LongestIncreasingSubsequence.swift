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
