/// The nodes that two revisions of a snapshot differ in, told apart by identity.
struct SnapshotChanges {
  /// What became of the nodes of the sections.
  let sections: [NodeChange<Section>]
  /// What became of the nodes of all sections' rows.
  let rows: [NodeChange<Row>]

  /// Finds the nodes.
  ///
  /// - Complexity: O(*m*) expected, where *m* is the number of nodes that only one of both has and
  ///   of the sections in them.
  init(from old: PersistentSequence<Section>, to new: PersistentSequence<Section>) {
    let alignment = TreeAlignment(from: old, to: new)
    var oldRows: [TreeNode<Row>] = []
    var newRows: [TreeNode<Row>] = []
    /// Notes the nodes that the rows of a section's old and new self differ in.
    func compare(_ old: Section?, _ new: Section?) {
      let before = old?.rows.tree ?? PersistentSequence()
      let after = new?.rows.tree ?? PersistentSequence()
      if before.isIdentical(to: after) { return }
      let alignment = TreeAlignment(from: before, to: after)
      oldRows += alignment.oldOnly
      newRows += alignment.newOnly
    }

    var leavers: [Identifier: Section] = [:]
    var comers: [Section] = []
    for run in alignment.runs where !run.isShared {
      let before = old.elements(in: run.old)
      let after = new.elements(in: run.new)
      // Mostly one section changed in its place; only others need a table.
      if before.elementsEqual(after, by: { $0.hasSameIdentifier(as: $1) }) {
        for (old, new) in zip(before, after) { compare(old, new) }
      } else {
        for section in before { leavers[section.identifier] = section }
        comers += after
      }
    }
    for section in comers { compare(leavers.removeValue(forKey: section.identifier), section) }
    for section in leavers.values { compare(section, nil) }
    sections = NodeChange.pairs(of: alignment.oldOnly, and: alignment.newOnly)
    rows = NodeChange.pairs(of: oldRows, and: newRows)
  }
}

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
