/// The nodes of one kind that two revisions of a snapshot differ in, told apart by identity: what
/// an index must learn.
struct NodeChanges<Element: TreeElement> {
  typealias Node = TreeNode<Element>

  private(set) var oldOnly: [Node] = []
  private(set) var newOnly: [Node] = []

  mutating func append(_ alignment: TreeAlignment<Element>) {
    oldOnly += alignment.oldOnly
    newOnly += alignment.newOnly
  }

  /// Pairs the two states of the nodes that changed.
  ///
  /// - Complexity: O(*n*) expected, where *n* is the number of nodes.
  func paired() -> [NodeChange<Element>] {
    // One edit changes a handful of nodes, for which a table is not worth its making.
    if oldOnly.count <= 8 && newOnly.count <= 8 {
      return newOnly.map { node in
        NodeChange(old: oldOnly.first { $0.identity == node.identity }, new: node)
      }
        + oldOnly.lazy.filter { node in !newOnly.contains { $0.identity == node.identity } }
        .map { NodeChange(old: $0, new: nil) }
    }
    var olds: [NodeIdentity: Node] = [:]
    olds.reserveCapacity(oldOnly.count)
    for node in oldOnly { olds[node.identity] = node }
    var changes = newOnly.map { NodeChange(old: olds.removeValue(forKey: $0.identity), new: $0) }
    for node in olds.values { changes.append(NodeChange(old: node, new: nil)) }
    return changes
  }
}

/// What became of the node of one identity: it changed, came (no old state) or went (no new one).
struct NodeChange<Element: TreeElement> {
  let old: TreeNode<Element>?
  let new: TreeNode<Element>?

  /// The elements that left the leaf, and those that came into it.
  ///
  /// - Complexity: O(1): a leaf has a bounded number of elements.
  func movedElements() -> (gone: [Element], arrived: [Element]) {
    Self.differences(
      old?.elements ?? [], new?.elements ?? [], areSame: { $0.hasSameIdentifier(as: $1) })
  }

  /// The children that left the branch, and those that came into it.
  ///
  /// - Complexity: O(1), likewise.
  func movedChildren() -> (gone: [TreeNode<Element>.Child], arrived: [TreeNode<Element>.Child]) {
    Self.differences(
      old?.children ?? [], new?.children ?? [], areSame: { $0.identity == $1.identity })
  }

  private static func differences<Slot>(
    _ old: [Slot], _ new: [Slot], areSame: (Slot, Slot) -> Bool
  ) -> (gone: [Slot], arrived: [Slot]) {
    var head = 0
    while head < min(old.count, new.count), areSame(old[head], new[head]) { head += 1 }
    var tail = 0
    while tail < min(old.count, new.count) - head,
      areSame(old[old.count - 1 - tail], new[new.count - 1 - tail])
    {
      tail += 1
    }
    let oldMiddle = old[head..<old.count - tail]
    let newMiddle = new[head..<new.count - tail]
    return (
      oldMiddle.filter { slot in !newMiddle.contains { areSame($0, slot) } },
      newMiddle.filter { slot in !oldMiddle.contains { areSame($0, slot) } }
    )
  }
}
