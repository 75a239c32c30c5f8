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
    var leavers: [Identifier: Section] = [:]
    var comers: [Section] = []
    for run in alignment.runs where !run.isShared {
      let before = old.elements(in: run.old)
      let after = new.elements(in: run.new)
      // Mostly one section changed in its place; only the others need a table.
      let isInPlace = before.count == after.count
      for (index, section) in before.enumerated() {
        if isInPlace, section.hasSameIdentifier(as: after[index]) {
          Self.compare(section, after[index], &rows)
        } else {
          leavers[section.identifier] = section
          if isInPlace { comers.append(after[index]) }
        }
      }
      if !isInPlace { comers += after }
    }
    for section in comers {
      Self.compare(leavers.removeValue(forKey: section.identifier), section, &rows)
    }
    for section in leavers.values { Self.compare(section, nil, &rows) }
    self.rows = rows.paired()
  }

  /// Notes the nodes that the rows of a section's old and new self differ in.
  private static func compare(
    _ old: Section?, _ new: Section?, _ changes: inout NodeChanges<Row>
  ) {
    let before = old?.rows.tree ?? PersistentSequence()
    let after = new?.rows.tree ?? PersistentSequence()
    if before.isIdentical(to: after) { return }
    changes.append(TreeAlignment(from: before, to: after))
  }
}
