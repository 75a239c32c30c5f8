/// An immutable list whose changed copies share their unchanged parts.
///
/// The list is a B+-tree (Bayer and McCreight, 1972) of immutable nodes. Each node has the number
/// of elements below it, so that an element is found by its position (an order-statistic tree), and
/// the fold of their hashes. A change copies the path from the root to a leaf.
struct PersistentSequence<Element: TreeElement>: Sendable {
  /// The root node, or `nil` if the list is empty.
  private(set) var root: TreeNode<Element>?

  /// Creates a list from a root node, or an empty one.
  init(root: TreeNode<Element>? = nil) {
    self.root = root
  }

  /// Creates a list of elements.
  ///
  /// - Complexity: O(*n*), where *n* is the number of elements.
  init(_ elements: [Element]) {
    root = Self.root(of: TreeNode.leaves(of: elements))
  }

  /// The measure of all elements together.
  var measure: TreeMeasure { root?.measure ?? TreeMeasure() }

  /// The elements of a list that has no branches; `nil` if there are some.
  var singleLeaf: [Element]? {
    guard let root else { return [] }
    return root.isLeaf ? root.elements : nil
  }

  /// Returns whether both are references to the same tree, which implies that they are equal.
  func isIdentical(to other: PersistentSequence) -> Bool { root === other.root }

  /// Replaces the elements in some ranges of positions. Each node on a path to them is copied once.
  ///
  /// - Precondition: The ranges are in the bounds, ascending, and do not overlap.
  /// - Complexity: O(*e* log *n* + *k*), where *n* is the number of elements, *e* that of ranges and
  ///   *k* that of new elements.
  mutating func replace(_ edits: [TreeNode<Element>.Edit]) {
    guard let first = edits.first, let last = edits.last else { return }
    precondition(
      first.range.lowerBound >= 0 && last.range.upperBound <= count,
      "a range is outside of the list")
    guard let root else { return self = PersistentSequence(edits.flatMap { $0.elements }) }
    var nodes: [TreeNode<Element>.Child] = []
    root.replace(edits[...], start: 0, into: &nodes)
    self.root = Self.root(of: nodes)
  }

  /// Replaces the elements in a range of positions.
  ///
  /// - Precondition: The range is in the bounds.
  /// - Complexity: O(log *n* + *k*), where *n* is the number of elements and *k* the number of new
  ///   ones.
  mutating func replaceSubrange(_ range: Range<Int>, with elements: [Element]) {
    if range.count == 1 && elements.count == 1 {
      self = replacing(range.lowerBound, with: elements[0])
    } else if !range.isEmpty || !elements.isEmpty {
      elements.withUnsafeBufferPointer { replace([(range, $0)]) }
    }
  }

  /// Returns the list with one element replaced.
  ///
  /// - Precondition: The position is in the bounds.
  /// - Complexity: O(log *n*), where *n* is the number of elements.
  func replacing(_ position: Int, with element: Element) -> PersistentSequence {
    precondition(position >= 0 && position < count, "the position is outside of the list")
    return PersistentSequence(root: root?.replacing(position, with: element))
  }

  /// Replaces the elements at some positions.
  ///
  /// - Precondition: The positions are in the bounds.
  /// - Complexity: O(*k* log *n*), where *n* is the number of elements and *k* the number of new
  ///   ones.
  mutating func replaceElements(_ elements: [Int: Element]) {
    let edits = elements.sorted { $0.key < $1.key }
    edits.map(\.value).withUnsafeBufferPointer { elements in
      replace(
        elements.indices.map { index in
          let position = edits[index].key
          return (position..<position + 1, UnsafeBufferPointer(rebasing: elements[index...index]))
        })
    }
  }

  /// Removes the elements at some positions.
  ///
  /// - Precondition: The positions are in the bounds and strictly ascending.
  /// - Complexity: O(*k* log *n*), where *n* is the number of elements and *k* the number of
  ///   positions.
  mutating func removeElements(at positions: [Int]) {
    replace(positions.map { ($0..<$0 + 1, UnsafeBufferPointer(start: nil, count: 0)) })
  }

  /// Returns the measure of the elements before a position.
  ///
  /// - Complexity: O(log *n*), where *n* is the number of elements.
  func measure(before position: Int) -> TreeMeasure {
    var measure = TreeMeasure()
    guard var node = root else { return measure }
    var rest = position
    while !node.isLeaf {
      let (index, start) = node.child(at: rest)
      for child in node.children[..<index] { measure.append(child.node.measure) }
      rest -= start
      node = node.children[index].node
    }
    for element in node.elements[..<rest] { measure.append(element.measure) }
    return measure
  }

  /// Adds levels above some nodes until there is a single root, or removes levels with a single
  /// node.
  private static func root(of nodes: [TreeNode<Element>.Child]) -> TreeNode<Element>? {
    var nodes = nodes
    while nodes.count > 1 { nodes = TreeNode.branches(of: nodes) }
    guard var root = nodes.first?.node else { return nil }
    while root.children.count == 1 { root = root.children[0].node }
    return root
  }
}

extension PersistentSequence: RandomAccessCollection {
  var startIndex: Int { 0 }
  var endIndex: Int { measure.count }

  /// Returns the element at a position.
  ///
  /// - Precondition: The position is in the bounds.
  /// - Complexity: O(log *n*), where *n* is the number of elements.
  subscript(position: Int) -> Element {
    // A short list is one leaf.
    if let root, root.isLeaf { return root.elements[position] }
    let (elements, start) = leaf(at: position)
    return elements[position - start]
  }

  /// Returns the leaf with the element at a position, and the position of the leaf's first element.
  ///
  /// - Precondition: The position is in the bounds.
  /// - Complexity: O(log *n*), where *n* is the number of elements.
  func leaf(at position: Int) -> (elements: [Element], start: Int) {
    guard let root, position >= 0, position < root.measure.count else {
      preconditionFailure("the position is outside of the list")
    }
    return root.leaf(at: position)
  }

  func makeIterator() -> Iterator { Iterator(root: root) }

  /// Returns the elements in a range of positions.
  ///
  /// - Complexity: O(log *n* + *k*), where *n* is the number of elements and *k* the number of
  ///   those in the range.
  func elements(in range: Range<Int>) -> [Element] {
    if range.isEmpty { return [] }
    // All elements of a leaf need no copy.
    let (leaf, start) = leaf(at: range.lowerBound)
    if start == range.lowerBound && leaf.count == range.count { return leaf }
    var result: [Element] = []
    result.reserveCapacity(range.count)
    root?.forEachLeaf(in: range) { result += $0 }
    return result
  }

  /// Calls a closure with the elements in some ranges of lists, all next to each other in memory. Their bits may be
  /// copied over others, but nothing may retain or release them there.
  ///
  /// The lists have the references, and outlive the call.
  ///
  /// - Complexity: O(*n*), where *n* is the number of elements in the ranges.
  static func withElements<Result>(
    of parts: [(list: PersistentSequence, range: Range<Int>)],
    _ body: (UnsafeMutableBufferPointer<Element>) -> Result
  ) -> Result {
    let count = parts.reduce(0) { $0 + $1.range.count }
    return withUnsafeTemporaryAllocation(of: Element.self, capacity: count) { elements in
      var end = 0
      for (list, range) in parts {
        list.root?.forEachLeaf(in: range) { part in
          part.withUnsafeBufferPointer { end = elements.copyBits(of: $0, to: end) }
        }
      }
      return withExtendedLifetime(parts) { body(elements) }
    }
  }

  /// An iterator over the leaves in order, with O(1) amortised per element.
  struct Iterator: IteratorProtocol {
    private var leaf: [Element] = []
    private var position = 0
    /// The branches above the leaf, each with the index of its next child.
    private var path: [(node: TreeNode<Element>, next: Int)] = []

    fileprivate init(root: TreeNode<Element>?) {
      if let root { descend(from: root) }
    }

    private mutating func descend(from node: TreeNode<Element>) {
      var node = node
      while !node.isLeaf {
        path.append((node, 1))
        node = node.children[0].node
      }
      leaf = node.elements
      position = 0
    }

    mutating func next() -> Element? {
      while position == leaf.count {
        guard let (node, next) = path.last else { return nil }
        if next < node.children.count {
          path[path.count - 1].next += 1
          descend(from: node.children[next].node)
        } else {
          path.removeLast()
        }
      }
      defer { position += 1 }
      return leaf[position]
    }
  }
}

extension PersistentSequence: Hashable {
  /// Returns whether the lists have the same elements.
  ///
  /// - Complexity: O(1) for two references to the same tree and for different folds, else O(*n*),
  ///   where *n* is the number of elements; shared parts cost nothing.
  static func == (left: PersistentSequence, right: PersistentSequence) -> Bool {
    left.isIdentical(to: right)
      || (left.measure == right.measure
        && left.hasSameElements(in: left.indices, as: right, in: right.indices))
  }

  /// Returns whether the elements in a range of positions equal those in a range of another list.
  ///
  /// - Precondition: The ranges are in the bounds.
  /// - Complexity: That of the method of a node; O(1) for ranges of different lengths.
  func hasSameElements(
    in range: Range<Int>, as other: PersistentSequence, in otherRange: Range<Int>
  ) -> Bool {
    guard range.count == otherRange.count else { return false }
    // Of an empty list there is no other range than an empty one.
    guard let root, let otherRoot = other.root else { return true }
    return root.hasSameElements(in: range, as: otherRoot, in: otherRange)
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(measure.fold)
  }
}
