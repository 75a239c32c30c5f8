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
    sections = NodeChanges(of: alignment).paired()

    var rows = NodeChanges<Row>()
    var leavers: [Identifier: PersistentSequence<Row>] = [:]
    let none = PersistentSequence<Row>()
    for run in alignment.runs where !run.isShared {
      for section in old.elements(in: run.old) {
        leavers[section.identifier] = section.rows.tree
      }
    }
    for run in alignment.runs where !run.isShared {
      for section in new.elements(in: run.new) {
        let before = leavers.removeValue(forKey: section.identifier) ?? none
        if before.isIdentical(to: section.rows.tree) { continue }
        rows.append(TreeAlignment(from: before, to: section.rows.tree))
      }
    }
    for before in leavers.values { rows.append(TreeAlignment(from: before, to: none)) }
    self.rows = rows.paired()
  }
}
