extension TreeNode {
  /// Returns whether this root was made from another one by operations. A copy keeps its identity,
  /// unless the tree became higher or lower.
  func isVersion(of other: TreeNode?) -> Bool {
    guard let other else { return false }
    return identity == other.identity || children.contains { $0.identity == other.identity }
      || other.children.contains { $0.identity == identity }
  }

  /// Calls a closure with each element that another version of this node has in place of one of this node, in order.
  ///
  /// - Parameters:
  ///   - start: The position of the first element of this node.
  ///   - visit: Gets both versions of each node that differs.
  ///   - body: Gets the position and both elements, and returns whether to go on.
  /// - Returns: `false` if a call has returned it, or if the versions have other nodes or other numbers of elements.
  /// - Complexity: O(*m*), where *m* is the number of nodes that only one of the versions has and of the elements in
  ///   these nodes.
  func forEachReplacement(
    in other: TreeNode, start: Int = 0, nodes visit: (TreeNode, TreeNode) -> Void,
    _ body: (Int, borrowing Element, borrowing Element) -> Bool
  ) -> Bool {
    if self === other { return true }
    guard identity == other.identity, height == other.height, slotCount == other.slotCount
    else { return false }
    visit(self, other)
    let isInPlace = elements.withUnsafeBufferPointer { old in
      other.elements.withUnsafeBufferPointer { new in
        old.indices.allSatisfy { index in
          // In their places: a subscript would retain both.
          old.borrow(index) { old in
            new.borrow(index) { new in
              old.isIdentical(to: new) || body(start + index, old, new)
            }
          }
        }
      }
    }
    guard isInPlace else { return false }
    var start = start
    for (index, child) in children.enumerated() {
      let isInPlace = child.node.forEachReplacement(
        in: other.children[index].node, start: start, nodes: visit, body)
      guard isInPlace else { return false }
      start += child.count
    }
    return true
  }
}

extension PersistentSequence {
  /// Calls a closure with each element that another version of this list has in place of one of this list, as the
  /// method of a node does.
  func forEachReplacement(
    in other: PersistentSequence,
    nodes visit: (TreeNode<Element>, TreeNode<Element>) -> Void = { _, _ in },
    _ body: (Int, borrowing Element, borrowing Element) -> Bool
  ) -> Bool {
    guard let root, let otherRoot = other.root else { return isIdentical(to: other) }
    return root.forEachReplacement(in: otherRoot, nodes: visit, body)
  }
}

extension TreeNode {
  /// Returns whether the elements in a range of positions equal those in a range of another node.
  ///
  /// The ranges are divided by the children of the higher node until both are in one shared node or in two leaves, so
  /// the nodes need not have the same children.
  ///
  /// - Precondition: The ranges are in the bounds and have the same length.
  /// - Complexity: O(*m* + log *n*), where *n* is the number of elements of both nodes, and *m* that of those in the
  ///   ranges and in nodes that are not shared, or are shared at other positions in the ranges.
  func hasSameElements(
    in range: Range<Int>, as other: TreeNode, in otherRange: Range<Int>
  ) -> Bool {
    if self === other, range == otherRange { return true }
    if height < other.height { return other.hasSameElements(in: otherRange, as: self, in: range) }
    let offset = otherRange.lowerBound - range.lowerBound
    if isLeaf {
      return elements.withUnsafeBufferPointer { elements in
        other.elements.withUnsafeBufferPointer { others in
          range.allSatisfy { index in
            // In their places: a subscript would retain both. There is an index, so the addresses are not `nil`.
            let element = elements.baseAddress.unsafelyUnwrapped + index
            return element.pointee
              == (others.baseAddress.unsafelyUnwrapped + index + offset).pointee
          }
        }
      }
    }
    var start = 0
    for child in children where start < range.upperBound {
      let end = start + child.count
      if end > range.lowerBound {
        let part = max(range.lowerBound, start)..<min(range.upperBound, end)
        let isSame = child.node.hasSameElements(
          in: part.lowerBound - start..<part.upperBound - start, as: other,
          in: part.lowerBound + offset..<part.upperBound + offset)
        guard isSame else { return false }
      }
      start = end
    }
    return true
  }
}
