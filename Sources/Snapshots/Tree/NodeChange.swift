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
    moved({ $0.elements }, hash: { $0.keyHash }, areSame: { $0.hasSameIdentifier(as: $1) })
  }

  /// Returns the elements of each leaf that are other objects than those of the other one.
  ///
  /// - Complexity: O(1), because the number of slots of a node is bounded.
  func movedObjects() -> Moved<Element> {
    moved({ $0.elements }, hash: { $0.keyHash }, areSame: { $0.isIdentical(to: $1) })
  }

  /// Returns the children that left the branch, and those that were added to it.
  ///
  /// - Complexity: O(1), because the number of slots of a node is bounded.
  func movedChildren() -> Moved<Node.Child> {
    moved(
      { $0.children }, hash: { $0.identity.number }, areSame: { $0.identity == $1.identity })
  }

  typealias Moved<Slot> = (gone: [Slot], arrived: [Slot])

  /// Matches each slot of one version with at most one of the other, so that a slot which occurs
  /// once before and twice after counts as added once.
  private func moved<Slot>(
    _ slots: (Node) -> [Slot], hash: (Slot) -> UInt64, areSame: (Slot, Slot) -> Bool
  ) -> Moved<Slot> {
    guard let old else { return ([], new.map(slots) ?? []) }
    guard let new else { return (slots(old), []) }
    let (allBefore, allAfter) = (slots(old), slots(new))
    // Mostly an element was replaced in its place.
    let (head, tail) = allBefore.countsOfSameEnds(as: allAfter, by: areSame)
    let before = allBefore[head..<allBefore.count - tail]
    let after = allAfter[head..<allAfter.count - tail]
    if before.isEmpty || after.isEmpty || before.count == 1 && after.count == 1 {
      return (Array(before), Array(after))
    }
    let hashes = before.map(hash)
    var moved: Moved<Slot> = ([], [])
    // One bit for each slot of the old node that is matched; a node has at most 32.
    var matched: UInt64 = 0
    // Most slots keep their order, so the search begins behind the last match.
    var next = 0
    for slot in after {
      let hash = hash(slot)
      var index = next
      var rest = hashes.count
      while rest > 0 {
        if index == hashes.count { index = 0 }
        if hashes[index] == hash, matched &>> UInt64(index) & 1 == 0,
          areSame(before[head + index], slot)
        {
          break
        }
        index += 1
        rest -= 1
      }
      if rest == 0 {
        moved.arrived.append(slot)
      } else {
        matched |= 1 &<< UInt64(index)
        next = index + 1
      }
    }
    for index in hashes.indices where matched &>> UInt64(index) & 1 == 0 {
      moved.gone.append(before[head + index])
    }
    return moved
  }
}

extension NodeChange<Section> {
  /// Returns the sections by whose rows' root the leaf changed: those whose root left it, and those
  /// whose root was added.
  func movedRoots() -> Moved<Section> {
    moved(
      { $0.elements }, hash: { $0.rows.tree.root?.identity.number ?? 0 },
      areSame: { $0.rows.tree.root?.identity == $1.rows.tree.root?.identity })
  }
}

/// The moves of keys from the slots of one node to those of another one, or out of the tree.
struct SlotMoves<Key: Hashable & Sendable> {
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
  func perform(in table: inout NodeTable<Key>) -> [Key] {
    table.update(removing: departures, adding: arrivals)
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
