public import CanonicalJSON

extension Snapshot {
  /// Makes a snapshot that shares with a previous one whatever is the same in both: sections, runs
  /// of rows, and rows that are but equal.
  ///
  /// So a view model that is laid out anew for each revision, row by row, costs the memory of what
  /// changed, and the next diff the time.
  ///
  /// - Complexity: O(*n* + *m* log *m*) expected, where *n* is the number of rows and sections of
  ///   both and *m* that between the ends of sections that are the same.
  /// - Throws: ``SnapshotError`` naming the ids that are not unique.
  public init(
    states: [Text: Text] = [:], sections: some Sequence<Section>, reusing previous: Snapshot
  ) throws(SnapshotError) {
    let sections = sections.map { section in
      previous.index.section(section.identifier)
        .map { section.reusing(previous.sections[$0]) } ?? section
    }
    var sourceStates = SourceStates(states)
    if sourceStates == previous.sourceStates { sourceStates = previous.sourceStates }
    let tree = previous.sections.tree.rearranged(to: sections)
    if tree.isIdentical(to: previous.sections.tree), sourceStates === previous.sourceStates {
      self = previous
    } else {
      self.init(states: sourceStates, index: try previous.index.updated(to: tree))
    }
  }
}

extension Section {
  /// The same section, or the previous one if nothing changed, or one that shares rows with it.
  fileprivate func reusing(_ previous: Section) -> Section {
    if isIdentical(to: previous) { return self }
    let rows = self.rows.tree.reusing(previous.rows.tree)
    guard hasSameFrame(as: previous) else { return with(rows) }
    return rows.isIdentical(to: previous.rows.tree) ? previous : previous.with(rows)
  }
}

extension PersistentSequence {
  /// The same list, sharing with a previous one.
  fileprivate func reusing(_ previous: PersistentSequence) -> PersistentSequence {
    // What was made of the previous list by its operations shares already.
    if TreeAlignment(from: previous, to: self).runs.contains(where: { $0.isShared }) { return self }
    return previous.rearranged(to: elements(in: indices))
  }
}
