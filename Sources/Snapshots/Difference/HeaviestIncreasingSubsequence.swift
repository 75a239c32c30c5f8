/// Which blocks of a list belong to an increasing subsequence with the most rows.
///
/// The blocks do not overlap, neither in the old list nor in the new one, so that a longest
/// increasing subsequence of the rows has all rows of a block or none. The best weight of a
/// subsequence that ends with a block is found in a tree of prefix maxima over the old positions
/// (Fenwick, 1994).
///
/// - Complexity: O(*n* log *n*), where *n* is the number of blocks; O(*n*) if they increase.
func heaviestIncreasingSubsequence(of blocks: [OrderedBlock]) -> [Bool] {
  var isMember = [Bool](repeating: true, count: blocks.count)
  if zip(blocks, blocks.dropFirst()).allSatisfy({ $0.position < $1.position }) { return isMember }

  // By the rank of the old position, from 1: the block that ends the heaviest subsequence among
  // those whose rank the place stands for. The heaviest of all prefixes is found in log n places.
  var heaviest = [Int](repeating: -1, count: blocks.count + 1)
  var weights = [Int](repeating: 0, count: blocks.count)
  var predecessors = [Int](repeating: -1, count: blocks.count)
  var ranks = [Int](repeating: 0, count: blocks.count)
  let sorted = blocks.indices.sorted { blocks[$0].position < blocks[$1].position }
  for (rank, index) in sorted.enumerated() { ranks[index] = rank + 1 }

  /// The heavier of two blocks that end a subsequence, where -1 is none. Of equal ones the later,
  /// as in patience sorting, so that the result does not depend on which rows form blocks.
  func better(_ left: Int, _ right: Int) -> Int {
    if left < 0 || right < 0 { return max(left, right) }
    if weights[left] == weights[right] { return max(left, right) }
    return weights[left] > weights[right] ? left : right
  }

  var last = -1
  for index in blocks.indices {
    var place = ranks[index] - 1
    while place > 0 {
      predecessors[index] = better(predecessors[index], heaviest[place])
      place &= place - 1
    }
    let before = predecessors[index] < 0 ? 0 : weights[predecessors[index]]
    weights[index] = before + blocks[index].weight
    place = ranks[index]
    while place <= blocks.count {
      heaviest[place] = better(heaviest[place], index)
      place += place & -place
    }
    last = better(last, index)
  }

  for index in isMember.indices { isMember[index] = false }
  while last >= 0 {
    isMember[last] = true
    last = predecessors[last]
  }
  return isMember
}
