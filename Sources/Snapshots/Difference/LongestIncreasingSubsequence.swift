/// Which elements of a list of distinct numbers belong to one longest increasing subsequence.
///
/// Patience sorting with predecessor links (Schensted 1961; Fredman 1975).
///
/// - Complexity: O(*n* log *n*), where *n* is the number of elements; O(*n*) if they increase.
func longestIncreasingSubsequence(of values: [Int32]) -> [Bool] {
  var isMember = [Bool](repeating: true, count: values.count)
  if zip(values, values.dropFirst()).allSatisfy(<) { return isMember }

  // ends[k] is the index of the smallest element that ends an increasing subsequence of k + 1
  // elements; predecessors[i] is the element before values[i] in the best one that ends with it.
  var ends: [Int32] = []
  var predecessors = [Int32](repeating: -1, count: values.count)
  for (index, value) in values.enumerated() {
    var low = 0
    var high = ends.count
    while low < high {
      let middle = (low + high) / 2
      if values[Int(ends[middle])] < value { low = middle + 1 } else { high = middle }
    }
    if low > 0 { predecessors[index] = ends[low - 1] }
    if low == ends.count { ends.append(Int32(index)) } else { ends[low] = Int32(index) }
  }

  for index in isMember.indices { isMember[index] = false }
  var index = ends.last ?? -1
  while index >= 0 {
    isMember[Int(index)] = true
    index = predecessors[Int(index)]
  }
  return isMember
}
