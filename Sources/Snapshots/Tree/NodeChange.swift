import HashTreeCollections

/// What became of the node of one identity: it changed, came (no old state) or went (no new one).
struct NodeChange<Element: TreeElement> {
  typealias Node = TreeNode<Element>

  let old: Node?
  let new: Node?

  /// Pairs the two states of the nodes that changed.
  ///
  /// - Complexity: O(*n*) expected, where *n* is the number of nodes.
  static func pairs(of olds: [Node], and news: [Node]) -> [NodeChange] {
    // An edit mostly changes the same nodes on both sides, which then come in the same order.
    if olds.elementsEqual(news, by: { $0.identity == $1.identity }) {
      return zip(olds, news).map { NodeChange(old: $0, new: $1) }
    }
    var rest: [NodeIdentity: Node] = [:]
    rest.reserveCapacity(olds.count)
    for node in olds { rest[node.identity] = node }
    return news.map { NodeChange(old: rest.removeValue(forKey: $0.identity), new: $0) }
      + rest.values.map { NodeChange(old: $0, new: nil) }
  }

  /// The elements that left the leaf, and those that came into it.
  ///
  /// - Complexity: O(1): a node has a bounded number of slots; so are those below.
  func movedElements() -> Moved<Element> {
    moved({ $0.elements }, areSame: { $0.hasSameIdentifier(as: $1) })
  }

  /// The children that left the branch, and those that came into it.
  func movedChildren() -> Moved<Node.Child> {
    moved({ $0.children }, areSame: { $0.identity == $1.identity })
  }

  typealias Moved<Slot> = (gone: [Slot], arrived: [Slot])

  /// Each slot of one state answers for one of the other: what stood once and stands twice came.
  private func moved<Slot>(
    _ slots: (Node) -> [Slot], areSame: (Slot, Slot) -> Bool
  ) -> Moved<Slot> {
    guard let old else { return ([], new.map(slots) ?? []) }
    guard let new else { return (slots(old), []) }
    let before = slots(old)
    let after = slots(new)
    let shorter = min(before.count, after.count)
    var head = 0
    while head < shorter, areSame(before[head], after[head]) { head += 1 }
    var tail = 0
    while tail < shorter - head,
      areSame(before[before.count - 1 - tail], after[after.count - 1 - tail])
    {
      tail += 1
    }
    var gone = Array(before[head..<before.count - tail])
    var arrived: [Slot] = []
    for slot in after[head..<after.count - tail] {
      if let index = gone.firstIndex(where: { areSame($0, slot) }) {
        gone.remove(at: index)
      } else {
        arrived.append(slot)
      }
    }
    return (gone, arrived)
  }
}

extension NodeChange<Section> {
  /// The sections whose rows' root left the leaf, and those whose rows' root came into it.
  func movedRoots() -> Moved<Section> {
    moved({ $0.elements }, areSame: { $0.rows.tree.root?.identity == $1.rows.tree.root?.identity })
  }
}

/// What goes from the slots of one node into those of another one, or nowhere, by its key.
struct SlotMoves<Key: Hashable> {
  private var departures: [Key] = []
  private var arrivals: [(key: Key, node: NodeIdentity)] = []

  /// Notes what left the slots of a node and what came into them; `nil` is the key of nothing.
  mutating func note<Element, Slot>(
    _ moved: NodeChange<Element>.Moved<Slot>, of change: NodeChange<Element>, key: (Slot) -> Key?
  ) {
    for slot in moved.gone {
      if let key = key(slot) { departures.append(key) }
    }
    guard let node = change.new?.identity else { return }
    for slot in moved.arrived {
      if let key = key(slot) { arrivals.append((key, node)) }
    }
  }

  /// Updates a table from keys to the nodes that hold them.
  ///
  /// First all leave, then all arrive. So what left its node and came into no other, like the child
  /// that is the root from now on, has no entry.
  ///
  /// - Returns: the keys that arrive although they stand somewhere already, in order.
  func perform(in table: inout TreeDictionary<Key, NodeIdentity>) -> [Key] {
    for key in departures { table.removeValue(forKey: key) }
    return arrivals.compactMap { key, node in
      table.updateValue(node, forKey: key) == nil ? nil : key
    }
  }
}

extension TreeDictionary where Key == NodeIdentity, Value == NodeIdentity {
  /// Returns the identities from a node to the root of its tree, by a table from nodes to their parents.
  func ascent(from node: NodeIdentity) -> [NodeIdentity] {
    var path = [node]
    path.reserveCapacity(12)
    while let parent = self[path[path.count - 1]] { path.append(parent) }
    return path
  }
}

extension PersistentSequence {
  /// Walks down to a leaf by the identities at the end of a path, which it takes away.
  ///
  /// - Returns: the leaf and the number of elements before it; `nil` if the path leads elsewhere,
  ///   which that of an entry does not.
  func descend(
    along path: inout [NodeIdentity]
  ) -> (leaf: TreeNode<Element>, start: Int)? {
    guard var node = root, path.popLast() == node.identity else { return nil }
    var start = 0
    while !node.isLeaf {
      guard let identity = path.popLast(),
        let index = node.children.firstIndex(where: { $0.identity == identity })
      else { return nil }
      for child in node.children[..<index] { start += child.count }
      node = node.children[index].node
    }
    return (node, start)
  }
}
