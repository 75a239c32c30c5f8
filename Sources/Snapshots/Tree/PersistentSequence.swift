/// A list that is never changed and whose changed copies share with it what did not change.
///
/// A B+-tree (Bayer and McCreight, 1972) of immutable nodes with the counts and folds of what stands
/// below them: an order-statistic tree, in which an element is found by its position. A change
/// copies a path from the root to a leaf.
struct PersistentSequence<Element: TreeElement>: Sendable {
  /// The node above all others; `nil` for the empty list.
  private(set) var root: TreeNode<Element>?

  /// The list below a node, or the empty list.
  init(root: TreeNode<Element>? = nil) {
    self.root = root
  }

  /// - Complexity: O(*n*), where *n* is the number of elements.
  init(_ elements: [Element]) {
    root = Self.root(of: TreeNode.leaves(of: elements))
  }

  /// What is known of all elements together.
  var measure: TreeMeasure { root?.measure ?? TreeMeasure() }

  /// Whether both are references to one tree, which says at once that they are equal.
  func isIdentical(to other: PersistentSequence) -> Bool { root === other.root }

  /// Replaces the elements in a range of positions by others.
  ///
  /// - Precondition: the range is in the bounds.
  /// - Complexity: O(log *n* + *k*), where *n* is the number of elements and *k* that of new ones.
  mutating func replaceSubrange(_ range: Range<Int>, with elements: [Element]) {
    precondition(
      range.lowerBound >= 0 && range.upperBound <= count, "the range is outside of the list")
    if range.isEmpty && elements.isEmpty { return }
    if let root {
      self.root = Self.root(of: root.replacing(range, with: elements))
    } else {
      root = Self.root(of: TreeNode.leaves(of: elements))
    }
  }

  /// The same list with one element replaced.
  ///
  /// - Complexity: O(log *n*), where *n* is the number of elements.
  func replacing(_ position: Int, with element: Element) -> PersistentSequence {
    var copy = self
    copy.replaceSubrange(position..<position + 1, with: [element])
    return copy
  }

  /// Replaces the elements at some positions. Each node on a path to them is copied once.
  ///
  /// - Precondition: the positions are in the bounds.
  /// - Complexity: O(*k* log *n*), where *n* is the number of elements and *k* that of new ones.
  mutating func replaceElements(_ elements: [Int: Element]) {
    guard let root, !elements.isEmpty else { return }
    let sorted = elements.sorted { $0.key < $1.key }
    precondition(sorted[0].key >= 0 && sorted[sorted.count - 1].key < count, "outside of the list")
    self = PersistentSequence(root: root.replacing(sorted[...], start: 0))
  }

  /// Removes the elements at some positions, neighbours together.
  ///
  /// - Precondition: the positions are in the bounds and ascend strictly.
  /// - Complexity: O(*k* log *n*), where *n* is the number of elements and *k* that of runs of
  ///   neighbours.
  mutating func removeElements(at positions: [Int]) {
    // From the end, so that the positions before stay as they are.
    var rest = positions[...]
    while let last = rest.popLast() {
      var first = last
      while let position = rest.last, position == first - 1 {
        first = position
        rest.removeLast()
      }
      replaceSubrange(first..<last + 1, with: [])
    }
  }

  /// The measure of the elements before a position.
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

  /// Adds levels above some nodes until there is one root, or takes levels away that have one child.
  private static func root(of nodes: [TreeNode<Element>.Child]) -> TreeNode<Element>? {
    var nodes = nodes
    while nodes.count > 1 { nodes = TreeNode.branches(of: nodes) }
    guard var root = nodes.first?.node else { return nil }
    while root.children.count == 1 { root = root.children[0].node }
    return root
  }
}
