import HashTreeCollections

/// The old and the new version of a node: it changed, or was added (no old version), or was removed
/// (no new one).
struct NodeChange<Element: TreeElement> {
  typealias Node = TreeNode<Element>

  let old: Node?
  let new: Node?

  /// Pairs the old and new versions of nodes by identity.
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

  /// Returns the elements that left the leaf, and those that were added to it.
  ///
  /// - Complexity: O(1), because the number of slots of a node is bounded.
  func movedElements() -> Moved<Element> {
    moved({ $0.elements }, areSame: { $0.hasSameIdentifier(as: $1) })
  }

  /// Returns the elements of the new leaf that are not in their places in the old one.
  ///
  /// - Complexity: O(1), because the number of slots of a node is bounded.
  func newElements() -> [Element] {
    guard let new else { return [] }
    let old = old?.elements ?? []
    return new.elements.enumerated()
      .filter { $0.offset >= old.count || !old[$0.offset].isIdentical(to: $0.element) }
      .map(\.element)
  }

  /// Returns the children that left the branch, and those that were added to it.
  ///
  /// - Complexity: O(1), because the number of slots of a node is bounded.
  func movedChildren() -> Moved<Node.Child> {
    moved({ $0.children }, areSame: { $0.identity == $1.identity })
  }

  typealias Moved<Slot> = (gone: [Slot], arrived: [Slot])

  /// Matches each slot of one version with at most one of the other, so that a slot which occurs
  /// once before and twice after counts as added once.
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
  /// Returns the sections by whose rows' root the leaf changed: those whose root left it, and those
  /// whose root was added.
  func movedRoots() -> Moved<Section> {
    moved({ $0.elements }, areSame: { $0.rows.tree.root?.identity == $1.rows.tree.root?.identity })
  }
}

/// The moves of keys from the slots of one node to those of another one, or out of the tree.
struct SlotMoves<Key: Hashable> {
  private var departures: [Key] = []
  private var arrivals: [(key: Key, node: NodeIdentity)] = []

  /// Adds the slots that left a node and those that were added to it. A slot without a key (`nil`)
  /// is skipped.
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
  /// All removals come before all additions. So a key that left its node and was added to no other
  /// one, such as a child that has become the root, has no entry.
  ///
  /// - Returns: The keys that were added although another node holds them already, in order.
  func perform(in table: inout TreeDictionary<Key, NodeIdentity>) -> [Key] {
    for key in departures { table.removeValue(forKey: key) }
    return arrivals.compactMap { key, node in
      table.updateValue(node, forKey: key) == nil ? nil : key
    }
  }
}

extension TreeDictionary where Key == NodeIdentity, Value == NodeIdentity {
  /// Returns the identities from a node to the root of its tree, in a table from nodes to their
  /// parents.
  func ascent(from node: NodeIdentity) -> [NodeIdentity] {
    var path = [node]
    path.reserveCapacity(12)
    while let parent = self[path[path.count - 1]] { path.append(parent) }
    return path
  }
}

extension PersistentSequence {
  /// Descends from the root to a leaf by the identities at the end of a path, and removes them from
  /// the path.
  ///
  /// - Returns: The leaf and the number of elements before it, or `nil` if the path does not start
  ///   at this root, which never happens with the path of an index entry.
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
