import HashTreeCollections

/// The making of an index from another one.
struct IndexUpdate {
  private let old: SnapshotIndex
  private var sectionLeaves: SnapshotIndex.Leaves
  private var rowLeaves: SnapshotIndex.Leaves
  private var parents: SnapshotIndex.Parents

  init(of old: SnapshotIndex) {
    self.old = old
    sectionLeaves = old.sectionLeaves
    rowLeaves = old.rowLeaves
    parents = old.parents
  }

  /// The index of the given sections, or `nil` if two nodes in them have one identity.
  mutating func index(
    of sections: PersistentSequence<Section>
  ) throws(SnapshotError) -> SnapshotIndex? {
    let changes = SnapshotChanges(from: old.sections, to: sections)
    guard link(changes.sections), link(changes.rows) else { return nil }
    linkRoots(of: changes.sections)

    var error = SnapshotError()
    Self.relocate(changes.sections, in: &sectionLeaves) { error.note(duplicateSection: $0.id) }
    Self.relocate(changes.rows, in: &rowLeaves) { error.note(duplicateRow: $0.id) }
    if error != SnapshotError() { throw error }
    return SnapshotIndex(
      sections: sections, sectionLeaves: sectionLeaves, rowLeaves: rowLeaves, parents: parents)
  }

  /// Notes the parents of the nodes that changed theirs.
  ///
  /// - Returns: whether each identity stands for one node only.
  private mutating func link<Element>(_ changes: [NodeChange<Element>]) -> Bool {
    var claimed: Set<NodeIdentity> = []
    claimed.reserveCapacity(changes.count)
    for change in changes {
      guard let new = change.new else { continue }
      guard claimed.insert(new.identity).inserted else { return false }
      // What has a parent already and did not change is a node of another section.
      if change.old == nil, parents[new.identity] != nil { return false }
    }
    for change in changes {
      if let new = change.new {
        if new.isLeaf { continue }
        for child in change.movedChildren().arrived { parents[child.identity] = new.identity }
      } else if let old = change.old {
        parents[old.identity] = nil
      }
    }
    return true
  }

  /// Notes the leaf of sections as the parent of the roots of their rows.
  private mutating func linkRoots(of changes: [NodeChange<Section>]) {
    for change in changes {
      guard let new = change.new, new.isLeaf else { continue }
      let old = change.old?.elements ?? []
      for (index, section) in new.elements.enumerated() {
        guard let root = section.rows.tree.root?.identity else { continue }
        if index < old.count, old[index].rows.tree.root?.identity == root { continue }
        if old.contains(where: { $0.rows.tree.root?.identity == root }) { continue }
        parents[root] = new.identity
      }
    }
  }

  /// Notes the leaves of the elements that changed theirs. First all leave, then all arrive, so
  /// that an arrival that finds its id taken is a second one of that id.
  private static func relocate<Element>(
    _ changes: [NodeChange<Element>], in leaves: inout SnapshotIndex.Leaves,
    onDuplicate: (Element) -> Void
  ) {
    var arrivals: [(elements: [Element], leaf: NodeIdentity)] = []
    for change in changes where (change.new ?? change.old)?.isLeaf == true {
      let (gone, arrived) = change.movedElements()
      for element in gone { leaves[element.identifier] = nil }
      if let leaf = change.new?.identity, !arrived.isEmpty { arrivals.append((arrived, leaf)) }
    }
    for (elements, leaf) in arrivals {
      for element in elements {
        if leaves.updateValue(leaf, forKey: element.identifier) != nil { onDuplicate(element) }
      }
    }
  }
}
