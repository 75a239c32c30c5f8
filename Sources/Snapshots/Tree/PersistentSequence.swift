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

extension PersistentSequence: RandomAccessCollection {
  var startIndex: Int { 0 }
  var endIndex: Int { measure.count }

  /// The element at a position.
  ///
  /// - Precondition: the position is in the bounds.
  /// - Complexity: O(log *n*), where *n* is the number of elements.
  subscript(position: Int) -> Element {
    guard var node = root, position >= 0, position < count else {
      preconditionFailure("the position is outside of the list")
    }
    var rest = position
    while !node.isLeaf {
      let (index, start) = node.child(at: rest)
      rest -= start
      node = node.children[index].node
    }
    return node.elements[rest]
  }

  func makeIterator() -> Iterator { Iterator(root: root) }

  /// The elements in a range of positions.
  ///
  /// - Complexity: O(log *n* + *k*), where *n* is the number of elements and *k* that in the range.
  func elements(in range: Range<Int>) -> [Element] {
    var result: [Element] = []
    if range.isEmpty { return result }
    result.reserveCapacity(range.count)
    root?.forEachLeaf(in: range) { result += $0 }
    return result
  }

  /// Walks the leaves in order, so that each element costs O(1) on average.
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
  /// Whether the lists have the same elements.
  ///
  /// - Complexity: O(1) for two references to one tree and for different folds, else O(*n*), where
  ///   *n* is the number of elements; what is shared by reference costs nothing.
  static func == (left: PersistentSequence, right: PersistentSequence) -> Bool {
    if left.isIdentical(to: right) { return true }
    guard left.measure == right.measure else { return false }
    let runs = TreeAlignment(from: left, to: right).runs
    // A list with an element twice can be cut so that equal places are not opposite each other.
    guard runs.allSatisfy({ $0.old == $0.new }) else {
      return left.elements(in: left.indices) == right.elements(in: right.indices)
    }
    return runs.allSatisfy { run in
      run.isShared || left.elements(in: run.old) == right.elements(in: run.new)
    }
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(measure.fold)
  }
}

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
