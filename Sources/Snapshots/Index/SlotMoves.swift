import HashTreeCollections

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
