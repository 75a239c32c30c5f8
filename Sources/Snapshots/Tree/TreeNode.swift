/// An immutable node of a ``PersistentSequence``: a leaf with elements, or a branch with children
/// of equal height.
final class TreeNode<Element: TreeElement>: Sendable {
  /// A child with the values that a search needs, all in one block of memory, so that the search
  /// reads only the nodes on its path.
  struct Child: Sendable {
    let node: TreeNode
    let identity: NodeIdentity
    /// The number of elements below the child.
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

  /// Creates a leaf.
  convenience init(identity: NodeIdentity, elements: [Element]) {
    Element.hash(elements)
    let measure = elements.withUnsafeBufferPointer { elements in
      var measure = TreeMeasure()
      for index in elements.indices { measure.append(elements.borrow(index) { $0.measure }) }
      return measure
    }
    self.init(identity: identity, height: 0, measure: measure, elements: elements, children: [])
  }

  /// Creates a branch.
  ///
  /// - Precondition: There is at least one child, and all children have the same height.
  convenience init(identity: NodeIdentity, children: [Child]) {
    var measure = TreeMeasure()
    for child in children { measure.append(child.node.measure) }
    self.init(
      identity: identity, height: children[0].node.height + 1, measure: measure, elements: [],
      children: children)
  }

  /// Creates a node of which the measure is known.
  init(
    identity: NodeIdentity, height: Int, measure: TreeMeasure, elements: [Element],
    children: [Child]
  ) {
    self.identity = identity
    self.height = height
    self.measure = measure
    self.elements = elements
    self.children = children
  }

  /// The largest number of elements of a leaf and of children of a branch.
  ///
  /// A change copies the nodes on its path and retains all their slots, so a larger node would cost
  /// more memory traffic than the levels it saves.
  static var capacity: Int { 32 }
  /// The smallest number of elements or children in every node except the root.
  static var minimum: Int { capacity / 2 }

  var isLeaf: Bool { height == 0 }
  /// The number of elements of a leaf or of children of a branch.
  var slotCount: Int { isLeaf ? elements.count : children.count }
  var isUnderfull: Bool { slotCount < Self.minimum }
}

extension TreeNode {
  /// Returns the index of the child with the element at a position, and the position of that
  /// child's first element.
  ///
  /// The position behind the last element belongs to the last child.
  ///
  /// - Complexity: O(1), because the number of children of a branch is bounded.
  func child(at position: Int) -> (index: Int, start: Int) {
    children.withUnsafeBufferPointer { children in
      var (index, start) = (0, 0)
      while true {
        let end = start + children.borrow(index) { $0.count }
        if position < end || index == children.count - 1 { return (index, start) }
        (index, start) = (index + 1, end)
      }
    }
  }

  /// Returns the elements of the leaf with the element at a position, and the position of the first of them.
  ///
  /// The position behind the last element belongs to the last leaf.
  ///
  /// - Complexity: O(log *n*), where *n* is the number of elements.
  func leaf(at position: Int) -> (elements: [Element], start: Int) {
    if isLeaf { return (elements, 0) }
    let (index, start) = child(at: position)
    let leaf = children.withUnsafeBufferPointer { children in
      children.borrow(index) { $0.node.leaf(at: position - start) }
    }
    return (leaf.elements, start + leaf.start)
  }

  /// Calls a closure with the parts of leaves that cover a range of positions, in order.
  ///
  /// - Complexity: O(log *n* + *k*), where *n* is the number of elements and *k* the number of
  ///   those in the range.
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

extension TreeNode {
  /// Calls a closure with this node and all below, until it returns `false`.
  ///
  /// - Returns: `false` if a call has returned it.
  /// - Complexity: O(*n*), where *n* is the number of nodes.
  func forEachNode(_ body: (TreeNode) -> Bool) -> Bool {
    body(self) && children.allSatisfy { $0.node.forEachNode(body) }
  }
}

extension TreeNode {
  /// Returns leaves with the given elements, each at least half full; a single underfull one if
  /// there are too few elements, none if there are no elements.
  ///
  /// - Parameter identities: The identities of the nodes that the new ones replace; they are reused
  ///   in order.
  /// - Complexity: O(*n*), where *n* is the number of elements.
  static func leaves(
    of elements: [Element], keeping identities: [NodeIdentity] = []
  ) -> [Child] {
    var nodes: [Child] = []
    cut(elements.count, keeping: identities, into: &nodes) {
      Child(TreeNode(identity: $0, elements: Array(elements[$1])))
    }
    return nodes
  }

  /// Appends leaves with the elements in some memory, by the rules of ``leaves(of:keeping:)``.
  static func appendLeaves(
    of elements: UnsafeBufferPointer<Element>, keeping identity: NodeIdentity,
    to nodes: inout [Child]
  ) {
    cut(elements.count, keeping: CollectionOfOne(identity), into: &nodes) { identity, part in
      let leaf = array(part.count) { elements[part.lowerBound + $0] }
      return Child(TreeNode(identity: identity, elements: leaf))
    }
  }

  /// Returns an array of the elements that a closure returns for the indices below a count.
  ///
  /// It appends one element after another, because a copy of an array calls a function of the runtime for each, and
  /// an uninitialized array looks up its type at run time.
  @inline(__always)
  static func array(_ count: Int, _ element: (Int) -> Element) -> [Element] {
    var array: [Element] = []
    array.reserveCapacity(count)
    for index in 0..<count { array.append(element(index)) }
    return array
  }

  /// Returns branches with the given children, by the rules of ``leaves(of:keeping:)``.
  static func branches(
    of children: [Child], keeping identities: [NodeIdentity] = []
  ) -> [Child] {
    var nodes: [Child] = []
    cut(children.count, keeping: identities, into: &nodes) {
      Child(TreeNode(identity: $0, children: Array(children[$1])))
    }
    return nodes
  }

  /// Cuts some slots into parts of even sizes that are about three quarters full, so that the next
  /// insertion finds room and the next removal leaves no part underfull.
  private static func cut(
    _ slotCount: Int, keeping identities: some Sequence<NodeIdentity>, into nodes: inout [Child],
    make: (NodeIdentity, Range<Int>) -> Child
  ) {
    var identities = identities.makeIterator()
    // Beyond the capacity, even parts of about 3/4 of it have at least half of it.
    let target = slotCount <= capacity ? capacity : capacity * 3 / 4
    let partCount = (slotCount + target - 1) / target
    for part in 0..<partCount {
      let bounds = slotCount * part / partCount..<slotCount * (part + 1) / partCount
      nodes.append(make(identities.next() ?? .unique(), bounds))
    }
  }
}
