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
    in other: TreeNode, start: Int = 0, nodes visit: (TreeNode, TreeNode) -> Void = { _, _ in },
    _ body: (Int, Element, Element) -> Bool
  ) -> Bool {
    if self === other { return true }
    guard identity == other.identity, height == other.height, slotCount == other.slotCount
    else { return false }
    visit(self, other)
    let isInPlace = elements.withUnsafeBufferPointer { old in
      other.elements.withUnsafeBufferPointer { new in
        old.indices.allSatisfy { index in
          // In their places: a subscript would retain both. There is an index, so the addresses are not `nil`.
          let old = old.baseAddress.unsafelyUnwrapped + index
          let new = new.baseAddress.unsafelyUnwrapped + index
          return old.pointee.isIdentical(to: new.pointee)
            || body(start + index, old.pointee, new.pointee)
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
