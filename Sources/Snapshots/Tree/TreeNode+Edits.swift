extension TreeNode {
  /// Returns this node with another element at a position.
  ///
  /// - Precondition: The position is in the bounds.
  /// - Complexity: O(log *n*), where *n* is the number of elements.
  func replacing(_ position: Int, with element: Element) -> TreeNode {
    var measure = measure
    if isLeaf {
      let elements = elements.withUnsafeBufferPointer { elements in
        measure.replace(
          elements.borrow(position) { $0.measure }, with: element.measure,
          before: elements.count - position - 1)
        return Self.array(elements.count) { $0 == position ? element : elements[$0] }
      }
      return TreeNode(
        identity: identity, height: 0, measure: measure, elements: elements, children: [])
    }
    let (index, start) = child(at: position)
    let old = children[index].node
    let new = old.replacing(position - start, with: element)
    measure.replace(
      old.measure, with: new.measure, before: measure.count - start - old.measure.count)
    var children = children
    children[index] = Child(new)
    return TreeNode(
      identity: identity, height: height, measure: measure, elements: [], children: children)
  }
}

extension TreeNode {
  /// A range of positions in the whole list, and the elements that replace those in it. Their owner outlives the edit.
  typealias Edit = (range: Range<Int>, elements: UnsafeBufferPointer<Element>)

  /// Appends the nodes that replace this one in the edited list: none, one or several, all of this
  /// height. A single node may be underfull.
  ///
  /// Only the nodes on the paths to the ends of the ranges are copied, each once (Driscoll, Sarnak,
  /// Sleator and Tarjan, 1989). Nodes inside of a range are removed, nodes outside are shared. The
  /// copies keep their identities.
  ///
  /// - Parameters:
  ///   - edits: The edits that concern this node, ascending; their ranges do not overlap.
  ///   - start: The position of this node's first element.
  ///   - nodes: The nodes so far.
  /// - Complexity: O(*e* log *n* + *k*), where *n* is the number of elements, *e* that of edits and *k*
  ///   that of new elements.
  func replace(_ edits: ArraySlice<Edit>, start: Int, into nodes: inout [Child]) {
    if isLeaf {
      replaceInLeaf(edits, start: start, into: &nodes)
    } else {
      replaceInBranch(edits, start: start, into: &nodes)
    }
  }

  private func replaceInLeaf(
    _ edits: ArraySlice<Edit>, start: Int, into nodes: inout [Child]
  ) {
    let most = edits.reduce(elements.count) { $0 + $1.elements.count }
    withUnsafeTemporaryAllocation(of: Element.self, capacity: most) { list in
      // This node and the owners of the edits retain the elements, of which the list has the bits.
      elements.withUnsafeBufferPointer { elements in
        var (count, kept) = (0, 0)
        for (range, new) in edits {
          if range.lowerBound >= start {
            let before = UnsafeBufferPointer(rebasing: elements[kept..<range.lowerBound - start])
            count = list.copyBits(of: before, to: count)
            count = list.copyBits(of: new, to: count)
          }
          kept = Swift.min(range.upperBound - start, elements.count)
        }
        count = list.copyBits(of: UnsafeBufferPointer(rebasing: elements[kept...]), to: count)
        Self.appendLeaves(
          of: UnsafeBufferPointer(rebasing: list[..<count]), keeping: identity, to: &nodes)
      }
    }
  }

  private func replaceInBranch(
    _ edits: ArraySlice<Edit>, start: Int, into nodes: inout [Child]
  ) {
    var list: [Child] = []
    list.reserveCapacity(Self.capacity + 1)
    var rest = edits
    var changed: Range<Int>?
    var childStart = start
    for (index, child) in children.enumerated() {
      let end = childStart + child.count
      // What is inserted behind all elements belongs to the last child.
      let part = rest.prefix { $0.range.lowerBound < end || index == children.count - 1 }
      if let last = part.last {
        let first = changed?.lowerBound ?? list.count
        let isRemoved =
          part.count == 1 && last.range.lowerBound < childStart
          && last.range.upperBound >= end
        if !isRemoved { child.node.replace(part, start: childStart, into: &list) }
        changed = first..<list.count
        // The last edit may go on in the next child.
        rest = rest[(last.range.upperBound > end ? part.endIndex - 1 : part.endIndex)...]
      } else {
        list.append(child)
      }
      childStart = end
    }
    if let changed { Self.repair(&list, in: changed) }
    nodes += Self.branches(of: list, keeping: [identity])
  }

  /// Merges underfull nodes of a list with a neighbour. A single node has no neighbour and stays
  /// unchanged, for the level above to repair.
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
      // The merged node is checked again: if both nodes were underfull, it may still be.
      index = left
      end = Swift.max(end - (2 - merged.count), left + 1)
    }
  }

  /// Returns one or two nodes with the slots of two neighbours.
  ///
  /// A single node takes the identity of the fuller one, so that fewer elements change their leaf.
  private static func merge(_ left: TreeNode, _ right: TreeNode) -> [Child] {
    let slotCount = left.slotCount + right.slotCount
    let identities =
      slotCount <= capacity && right.slotCount > left.slotCount
      ? [right.identity] : [left.identity, right.identity]
    if left.isLeaf { return leaves(of: left.elements + right.elements, keeping: identities) }
    var children = left.children + right.children
    // A branch with a single child could not repair that child, which had no neighbour.
    if left.slotCount == 1 || right.slotCount == 1 { repair(&children, in: children.indices) }
    return branches(of: children, keeping: identities)
  }
}
