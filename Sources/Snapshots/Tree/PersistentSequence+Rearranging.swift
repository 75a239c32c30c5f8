extension PersistentSequence {
  /// The list of the given elements, which shares with this one whatever runs are the same in both,
  /// and their elements also where the given ones are but equal.
  ///
  /// The elements that keep their order are found as a diff finds them: those at both ends, and of
  /// the others a longest increasing subsequence. What stands between them is replaced. Where
  /// there is a change in almost each leaf, the nodes are made anew.
  ///
  /// - Complexity: O(*n* + *m* log *m*) expected, where *n* is the number of elements of both lists
  ///   and *m* that between the ends that are the same.
  func rearranged(to elements: [Element]) -> PersistentSequence {
    let old = self.elements(in: indices)
    let shorter = Swift.min(old.count, elements.count)
    var head = 0
    while head < shorter, old[head] == elements[head] { head += 1 }
    if head == old.count && head == elements.count { return self }
    var tail = 0
    while tail < shorter - head, old[old.count - 1 - tail] == elements[elements.count - 1 - tail] {
      tail += 1
    }
    let edits = Edits(
      old: old[head..<old.count - tail], new: elements[head..<elements.count - tail])
    if edits.list.count * TreeNode<Element>.capacity > Swift.max(old.count, 128) {
      return PersistentSequence(
        Array(old[..<head] + edits.elements + old[(old.count - tail)...]))
    }
    var result = self
    for edit in edits.list.reversed() {
      result.replaceSubrange(edit.old, with: Array(edits.elements[edit.new]))
    }
    return result
  }

  /// What turns a part of a list into another one: ranges of it to be replaced, ascending.
  private struct Edits {
    private(set) var list: [(old: Range<Int>, new: Range<Int>)] = []
    /// The new elements, each taken from the old part where there is an equal one.
    private(set) var elements: ArraySlice<Element>

    init(old: ArraySlice<Element>, new: ArraySlice<Element>) {
      elements = new
      var positions: [Element.Key: Int] = [:]
      if !new.isEmpty {
        positions.reserveCapacity(old.count)
        for position in old.indices { positions[old[position].identifier] = position }
      }
      var kept: [(old: Int, new: Int)] = []
      for position in new.indices {
        guard let origin = positions[new[position].identifier], old[origin] == new[position]
        else { continue }
        elements[position] = old[origin]
        kept.append((origin, position))
      }
      let isStaying = longestIncreasingSubsequence(of: kept.map { Int32($0.old) })
      var oldEnd = old.startIndex
      var newEnd = new.startIndex
      for (position, isStaying) in zip(kept, isStaying) where isStaying {
        note(oldEnd..<position.old, newEnd..<position.new)
        oldEnd = position.old + 1
        newEnd = position.new + 1
      }
      note(oldEnd..<old.endIndex, newEnd..<new.endIndex)
    }

    private mutating func note(_ old: Range<Int>, _ new: Range<Int>) {
      if !old.isEmpty || !new.isEmpty { list.append((old, new)) }
    }
  }
}
