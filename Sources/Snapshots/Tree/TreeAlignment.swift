/// The parts that two trees share by reference, in order, and the nodes that only one of them has.
///
/// Both trees are traversed level by level. At each level the nodes that both trees have are
/// paired, and only the children of the others are visited. So a common subtree costs one
/// comparison of pointers, even if insertions before it shifted its positions. If common nodes
/// changed their order, those of a longest increasing subsequence are paired, and the others count
/// as not shared.
struct TreeAlignment<Element: TreeElement> {
  typealias Node = TreeNode<Element>
  typealias Child = TreeNode<Element>.Child

  /// Corresponding positions of both lists: a shared run, or a run of elements between shared ones.
  /// The runs cover both lists without a gap.
  struct Run {
    var old: Range<Int>
    var new: Range<Int>
    let isShared: Bool
  }

  private(set) var runs: [Run] = []
  /// The nodes that only the old tree has, upper levels first.
  private(set) var oldOnly: [Node] = []
  /// The nodes that only the new tree has, upper levels first.
  private(set) var newOnly: [Node] = []

  /// Aligns two lists.
  ///
  /// - Complexity: O(*m*) expected, where *m* is the number of nodes that only one of the trees
  ///   has. For two revisions *k* changes apart, that is at most O(*k* log *n*), where *n* is the
  ///   number of elements.
  init(from old: PersistentSequence<Element>, to new: PersistentSequence<Element>) {
    // Two short lists need no search.
    if let old = old.root, let new = new.root, old !== new, old.isLeaf, new.isLeaf {
      oldOnly = [old]
      newOnly = [new]
      let (oldCount, newCount) = (old.elements.count, new.elements.count)
      runs = [Run(old: 0..<oldCount, new: 0..<newCount, isShared: false)]
      return
    }
    var olds = old.root.map { [Child($0)] } ?? []
    var news = new.root.map { [Child($0)] } ?? []
    // The upper levels of the higher tree have no counterpart in the other tree.
    while let first = olds.first?.node, first.height > news.first?.node.height ?? first.height {
      for child in olds { oldOnly.append(child.node) }
      olds = Array(Self.children(of: olds[...]))
    }
    while let first = news.first?.node, first.height > olds.first?.node.height ?? first.height {
      for child in news { newOnly.append(child.node) }
      news = Array(Self.children(of: news[...]))
    }
    align(olds[...], news[...])
  }

  /// Aligns the nodes between two shared parts. All of them have the same height.
  private mutating func align(_ old: ArraySlice<Child>, _ new: ArraySlice<Child>) {
    let shorter = min(old.count, new.count)
    var head = 0
    while head < shorter, old[old.startIndex + head].node === new[new.startIndex + head].node {
      head += 1
    }
    var tail = 0
    while tail < shorter - head,
      old[old.endIndex - 1 - tail].node === new[new.endIndex - 1 - tail].node
    {
      tail += 1
    }
    share(old.prefix(head))
    var oldRest = old.dropFirst(head).dropLast(tail)
    var newRest = new.dropFirst(head).dropLast(tail)
    for (oldIndex, newIndex) in Self.pairs(oldRest, newRest) {
      leaveOver(oldRest[..<oldIndex], newRest[..<newIndex])
      share(oldRest[oldIndex...oldIndex])
      oldRest = oldRest[(oldIndex + 1)...]
      newRest = newRest[(newIndex + 1)...]
    }
    leaveOver(oldRest, newRest)
    share(old.suffix(tail))
  }

  /// Returns the indices of nodes that are in both lists, increasing in both.
  private static func pairs(
    _ old: ArraySlice<Child>, _ new: ArraySlice<Child>
  ) -> [(old: Int, new: Int)] {
    // The first nodes of the lists differ, and so do the last ones.
    if old.isEmpty || new.isEmpty || (old.count == 1 && new.count == 1) { return [] }
    var oldIndexes: [ObjectIdentifier: Int] = [:]
    oldIndexes.reserveCapacity(old.count)
    for index in old.indices { oldIndexes[ObjectIdentifier(old[index].node)] = index }
    let pairs = new.indices.compactMap { index in
      oldIndexes[ObjectIdentifier(new[index].node)].map { (old: $0, new: index) }
    }
    if pairs.count < 2 { return pairs }
    let isStaying = longestIncreasingSubsequence(of: pairs.map { Int32($0.old) })
    return zip(pairs, isStaying).compactMap { $1 ? $0 : nil }
  }

  /// Adds nodes that are not shared, and aligns the levels below them.
  private mutating func leaveOver(_ old: ArraySlice<Child>, _ new: ArraySlice<Child>) {
    guard let node = (old.first ?? new.first)?.node else { return }
    for child in old { oldOnly.append(child.node) }
    for child in new { newOnly.append(child.node) }
    if node.isLeaf {
      append(oldCount: Self.count(of: old), newCount: Self.count(of: new), isShared: false)
    } else {
      align(Self.children(of: old), Self.children(of: new))
    }
  }

  private mutating func share(_ nodes: ArraySlice<Child>) {
    if nodes.isEmpty { return }
    let count = Self.count(of: nodes)
    append(oldCount: count, newCount: count, isShared: true)
  }

  /// Appends a run, or extends the last run if it is of the same kind.
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

  private static func count(of nodes: ArraySlice<Child>) -> Int {
    nodes.reduce(0) { $0 + $1.count }
  }

  private static func children(of nodes: ArraySlice<Child>) -> ArraySlice<Child> {
    // Between two revisions there is mostly one node, whose children need not be copied.
    if let first = nodes.first, nodes.count == 1 { return first.node.children[...] }
    var children: [Child] = []
    children.reserveCapacity(nodes.reduce(0) { $0 + $1.node.children.count })
    for node in nodes { children += node.node.children }
    return children[...]
  }
}
