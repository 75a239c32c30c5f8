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
