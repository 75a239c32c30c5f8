/// A node of a ``PersistentSequence``, never changed: a leaf with elements, or a branch with
/// children that are all of one height.
final class TreeNode<Element: TreeElement>: Sendable {
  /// A child as its parent sees it: what a search needs stands in one block of memory, so that it
  /// touches no node but those on its path.
  struct Child: Sendable {
    let node: TreeNode
    let identity: NodeIdentity
    /// The number of elements below.
    let count: Int

    init(_ node: TreeNode) {
      self.node = node
      identity = node.identity
      count = node.measure.count
    }
  }

  let identity: NodeIdentity
  /// The number of levels below; 0 for a leaf.
  let height: Int
  let measure: TreeMeasure
  /// The elements of a leaf.
  let elements: [Element]
  /// The children of a branch.
  let children: [Child]

  /// Makes a leaf.
  init(identity: NodeIdentity, elements: [Element]) {
    self.identity = identity
    height = 0
    var measure = TreeMeasure()
    for element in elements { measure.append(element.measure) }
    self.measure = measure
    self.elements = elements
    children = []
  }

  /// Makes a branch.
  ///
  /// - Precondition: there are children, all of one height.
  init(identity: NodeIdentity, children: [Child]) {
    self.identity = identity
    height = children[0].node.height + 1
    var measure = TreeMeasure()
    for child in children { measure.append(child.node.measure) }
    self.measure = measure
    elements = []
    self.children = children
  }

  /// The largest number of elements of a leaf and of children of a branch.
  ///
  /// A change copies the nodes on its path, which retains all that stands in them, so that a large
  /// node costs more memory traffic than the levels it saves.
  static var capacity: Int { 32 }
  /// The smallest number, of all nodes but the root.
  static var minimum: Int { capacity / 2 }

  var isLeaf: Bool { height == 0 }
  /// The number of elements of a leaf or of children of a branch.
  var slotCount: Int { isLeaf ? elements.count : children.count }
  var isUnderfull: Bool { slotCount < Self.minimum }
}

extension TreeNode {
  /// The child with the element at a position, and the position of its first element.
  ///
  /// The position behind the last element belongs to the last child.
  ///
  /// - Complexity: O(1): a branch has a bounded number of children.
  func child(at position: Int) -> (index: Int, start: Int) {
    var start = 0
    for (index, child) in children.enumerated() {
      if position < start + child.count { return (index, start) }
      start += child.count
    }
    return (children.count - 1, start - children[children.count - 1].count)
  }

  /// Calls a closure with the parts of leaves that make up a range of positions, in order.
  ///
  /// - Complexity: O(log *n* + *k*), where *n* is the number of elements and *k* that in the range.
  func forEachLeaf(in range: Range<Int>, _ body: (ArraySlice<Element>) -> Void) {
    if isLeaf { return body(elements[range]) }
    var start = 0
    for child in children where start < range.upperBound {
      let end = start + child.count
      if end > range.lowerBound {
        let part = max(range.lowerBound, start)..<min(range.upperBound, end)
        child.node.forEachLeaf(in: part.lowerBound - start..<part.upperBound - start, body)
      }
      start = end
    }
  }
}
