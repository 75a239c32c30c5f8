/// Which parts two trees share by reference, in order, and which nodes only one of them has.
///
/// Both trees are walked down level by level. At each level the nodes that both have are paired,
/// and only the children of the others are looked at: whatever two revisions share below a node
/// costs one comparison of pointers, also where insertions before it have shifted it. Where shared
/// nodes have changed places, those of a longest increasing subsequence are paired, and the others
/// count as left over.
struct TreeAlignment<Element: TreeElement> {
  typealias Node = TreeNode<Element>

  /// Positions of both lists that belong together: shared by reference, or what is left over
  /// between shared parts. Runs follow each other without a gap on either side.
  struct Run {
    var old: Range<Int>
    var new: Range<Int>
    let isShared: Bool
  }

  private(set) var runs: [Run] = []
  /// The nodes that only the old tree has, of all levels; those above come first.
  private(set) var oldOnly: [Node] = []
  /// The nodes that only the new tree has, likewise.
  private(set) var newOnly: [Node] = []

  /// Aligns two lists.
  ///
  /// - Complexity: O(*m*) expected, where *m* is the number of nodes that only one of both has; of
  ///   two revisions that *k* changes lie between, that is O(*k* log *n*) at most for *n* elements.
  init(from old: PersistentSequence<Element>, to new: PersistentSequence<Element>) {
    var oldNodes = old.root.map { [$0] } ?? []
    var newNodes = new.root.map { [$0] } ?? []
    // The levels that only the higher tree has have nothing to be compared with.
    while let first = oldNodes.first, first.height > newNodes.first?.height ?? first.height {
      oldOnly += oldNodes
      oldNodes = Self.children(of: oldNodes[...])
    }
    while let first = newNodes.first, first.height > oldNodes.first?.height ?? first.height {
      newOnly += newNodes
      newNodes = Self.children(of: newNodes[...])
    }
    align(oldNodes[...], newNodes[...])
  }

  /// Aligns what stands between two shared parts; all nodes are of one height.
  private mutating func align(_ old: ArraySlice<Node>, _ new: ArraySlice<Node>) {
    var old = old
    var new = new
    while let first = old.first, let other = new.first, first === other {
      share(first)
      old.removeFirst()
      new.removeFirst()
    }
    var suffix = 0
    while suffix < min(old.count, new.count),
      old[old.endIndex - 1 - suffix] === new[new.endIndex - 1 - suffix]
    {
      suffix += 1
    }
    let shared = old.suffix(suffix)
    old.removeLast(suffix)
    new.removeLast(suffix)

    for (oldIndex, newIndex) in Self.pairs(old, new) {
      leaveOver(old[old.startIndex..<oldIndex], new[new.startIndex..<newIndex])
      share(old[oldIndex])
      old = old[(oldIndex + 1)...]
      new = new[(newIndex + 1)...]
    }
    leaveOver(old, new)
    for node in shared { share(node) }
  }

  /// The indices of nodes that stand in both lists, increasing in both.
  private static func pairs(
    _ old: ArraySlice<Node>, _ new: ArraySlice<Node>
  ) -> [(old: Int, new: Int)] {
    // The first ones differ, and so do the last ones.
    if old.count < 2 || new.count < 2 {
      if old.isEmpty || new.isEmpty || (old.count == 1 && new.count == 1) { return [] }
    }
    var oldIndexes: [ObjectIdentifier: Int] = [:]
    oldIndexes.reserveCapacity(old.count)
    for index in old.indices { oldIndexes[ObjectIdentifier(old[index])] = index }
    let pairs = new.indices.compactMap { index in
      oldIndexes[ObjectIdentifier(new[index])].map { (old: $0, new: index) }
    }
    if pairs.count < 2 { return pairs }
    let isStaying = longestIncreasingSubsequence(of: pairs.map { Int32($0.old) })
    return zip(pairs, isStaying).compactMap { $1 ? $0 : nil }
  }

  /// Notes nodes that are not shared, and aligns what stands below them.
  private mutating func leaveOver(_ old: ArraySlice<Node>, _ new: ArraySlice<Node>) {
    guard let node = old.first ?? new.first else { return }
    oldOnly += old
    newOnly += new
    if node.isLeaf {
      append(
        oldCount: old.reduce(0) { $0 + $1.measure.count },
        newCount: new.reduce(0) { $0 + $1.measure.count }, isShared: false)
    } else {
      align(Self.children(of: old)[...], Self.children(of: new)[...])
    }
  }

  private mutating func share(_ node: Node) {
    append(oldCount: node.measure.count, newCount: node.measure.count, isShared: true)
  }

  /// Appends a run, as part of the last one where that is of the same kind.
  private mutating func append(oldCount: Int, newCount: Int, isShared: Bool) {
    let old = runs.last?.old.upperBound ?? 0
    let new = runs.last?.new.upperBound ?? 0
    if let last = runs.last, last.isShared == isShared {
      runs[runs.count - 1].old = last.old.lowerBound..<old + oldCount
      runs[runs.count - 1].new = last.new.lowerBound..<new + newCount
    } else {
      runs.append(Run(old: old..<old + oldCount, new: new..<new + newCount, isShared: isShared))
    }
  }

  private static func children(of nodes: ArraySlice<Node>) -> [Node] {
    var children: [Node] = []
    children.reserveCapacity(nodes.reduce(0) { $0 + $1.children.count })
    for node in nodes {
      for child in node.children { children.append(child.node) }
    }
    return children
  }
}
