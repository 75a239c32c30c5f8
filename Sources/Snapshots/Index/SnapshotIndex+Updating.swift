extension SnapshotIndex {
  /// The index of other sections, made from this one by what differs.
  ///
  /// - Complexity: O(*m*) expected, where *m* is the number of nodes that only one of both lists
  ///   has and of the elements in them.
  /// - Throws: ``SnapshotError`` naming the ids that are not unique.
  func updated(to sections: PersistentSequence<Section>) throws(SnapshotError) -> SnapshotIndex {
    let (index, error) = following(to: sections)
    if error != SnapshotError() { throw error }
    return index
  }

  /// The index of what is left of the sections, whose ids are as unique as they were.
  ///
  /// - Complexity: as that of ``updated(to:)``.
  func updated(toPart sections: PersistentSequence<Section>) -> SnapshotIndex {
    following(to: sections).index
  }

  private func following(
    to sections: PersistentSequence<Section>
  ) -> (index: SnapshotIndex, error: SnapshotError) {
    let changes = SnapshotChanges(from: self.sections, to: sections)
    var nodes = SlotMoves<NodeIdentity>()
    var sectionIDs = SlotMoves<Identifier>()
    var rowIDs = SlotMoves<Identifier>()
    for change in changes.sections {
      nodes.note(change.movedChildren(), of: change) { $0.identity }
      nodes.note(change.movedRoots(), of: change) { $0.rows.tree.root?.identity }
      sectionIDs.note(change.movedElements(), of: change) { $0.identifier }
    }
    for change in changes.rows {
      nodes.note(change.movedChildren(), of: change) { $0.identity }
      rowIDs.note(change.movedElements(), of: change) { $0.identifier }
    }

    var index = self
    index.sections = sections
    guard nodes.perform(in: &index.parents).isEmpty else {
      // Two revisions of one section's rows, each with rows of its own, came together as two
      // sections. Their nodes would be confused, so all are made anew, each with its own identity.
      let apart = sections.map { $0.with(PersistentSequence(Array($0.rows))) }
      return Self.empty.following(to: PersistentSequence(apart))
    }
    var error = SnapshotError()
    for id in sectionIDs.perform(in: &index.sectionLeaves) { error.note(duplicateSection: id.text) }
    for id in rowIDs.perform(in: &index.rowLeaves) { error.note(duplicateRow: id.text) }
    return (index, error)
  }
}
