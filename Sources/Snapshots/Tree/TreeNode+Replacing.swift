extension TreeNode {
  /// The nodes of this height that take the place of this one when elements in a range of positions
  /// give way to others: none, one or several. The only one may be underfull.
  ///
  /// Only the nodes on the paths to both ends of the range are copied (Driscoll, Sarnak, Sleator
  /// and Tarjan, 1989); what stands between goes, what stands outside is shared. The copies keep
  /// their identities.
  ///
  /// - Complexity: O(log *n* + *k*), where *n* is the number of elements and *k* that of new ones.
  func replacing(_ range: Range<Int>, with new: [Element]) -> [Child] {
    isLeaf ? replacingInLeaf(range, with: new) : replacingInBranch(range, with: new)
  }

  /// The node that takes the place of this one when single elements do, in a tree of the same shape.
  ///
  /// - Parameters:
  ///   - new: Elements of this node with their positions in the whole list, ascending.
  ///   - start: The position of this node's first element.
  /// - Complexity: O(*k* log *n*), where *n* is the number of elements and *k* that of new ones.
  func replacing(_ new: ArraySlice<(key: Int, value: Element)>, start: Int) -> TreeNode {
    if isLeaf {
      var list = elements
      for (position, element) in new { list[position - start] = element }
      return TreeNode(identity: identity, elements: list)
    }
    var list = children
    var rest = new
    var childStart = start
    for (index, child) in children.enumerated() {
      let end = childStart + child.count
      let part = rest.prefix { $0.key < end }
      if !part.isEmpty { list[index] = Child(child.node.replacing(part, start: childStart)) }
      rest = rest[part.endIndex...]
      childStart = end
    }
    return TreeNode(identity: identity, children: list)
  }

  private func replacingInLeaf(_ range: Range<Int>, with new: [Element]) -> [Child] {
    var list: [Element] = []
    list.reserveCapacity(elements.count - range.count + new.count)
    list += elements[..<range.lowerBound]
    list += new
    list += elements[range.upperBound...]
    return Self.leaves(of: list, keeping: [identity])
  }

  private func replacingInBranch(_ range: Range<Int>, with new: [Element]) -> [Child] {
    let (first, firstStart) = child(at: range.lowerBound)
    let (last, lastStart) = range.isEmpty ? (first, firstStart) : child(at: range.upperBound - 1)
    let middle: [Child]
    if first == last {
      middle = children[first].node.replacing(
        range.lowerBound - firstStart..<range.upperBound - firstStart, with: new)
    } else {
      middle =
        children[first].node.replacing(
          range.lowerBound - firstStart..<children[first].count, with: new)
        + children[last].node.replacing(0..<range.upperBound - lastStart, with: [])
    }

    var list: [Child] = []
    list.reserveCapacity(children.count + middle.count)
    list += children[..<first]
    list += middle
    list += children[(last + 1)...]
    Self.repair(&list, in: first..<first + middle.count)
    return Self.branches(of: list, keeping: [identity])
  }

  /// Merges underfull nodes of a list with a neighbour. An only node has none and stays as it is,
  /// for the level above.
  private static func repair(_ list: inout [Child], in range: Range<Int>) {
    var index = range.lowerBound
    var end = range.upperBound
    while index < end, list.count > 1 {
      guard list[index].node.isUnderfull else {
        index += 1
        continue
      }
      let left = Swift.max(index - 1, 0)
      let merged = merge(list[left].node, list[left + 1].node)
      list.replaceSubrange(left...left + 1, with: merged)
      // What was merged is looked at again: if both were underfull, it still may be.
      index = left
      end = Swift.max(end - (2 - merged.count), left + 1)
    }
  }

  /// One or two nodes with the slots of two neighbours.
  ///
  /// An only node takes the identity of the fuller one, so that fewer elements change their leaf.
  private static func merge(_ left: TreeNode, _ right: TreeNode) -> [Child] {
    let slotCount = left.slotCount + right.slotCount
    let identities =
      slotCount <= capacity && right.slotCount > left.slotCount
      ? [right.identity] : [left.identity, right.identity]
    if left.isLeaf { return leaves(of: left.elements + right.elements, keeping: identities) }
    var children = left.children + right.children
    // A branch with one child could not repair that child for want of a neighbour.
    if left.slotCount == 1 || right.slotCount == 1 { repair(&children, in: children.indices) }
    return branches(of: children, keeping: identities)
  }
}
