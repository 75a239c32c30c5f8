import CanonicalJSON

extension Snapshot {
  /// What turns an older snapshot into this one: the smallest number of moves, and one update for
  /// each row or section that changed.
  ///
  /// `older.applying(new.difference(from: older))` equals `new`, byte for byte. The snapshots need
  /// not have anything to do with each other; "older" only says which end is which.
  ///
  /// - Complexity: O(*k* log *n*) expected for two revisions that *k* changes lie between, where *n*
  ///   is the number of rows: what they share costs nothing. O(*n* log *n*) expected at worst, and
  ///   O(1) for two references to one snapshot.
  public func difference(from older: Snapshot) -> Changeset {
    var changeset = Changeset(rowCount: rowCount, digest: digest)
    if isIdentical(to: older) { return changeset }
    if sourceStates != older.sourceStates {
      changeset.states = Self.stateChanges(from: older.states, to: states)
    }
    let pairs: [SectionPair]
    if let inPlace = SectionPair.inPlace(from: older, to: self) {
      pairs = inPlace
      changeset.sections.updates = pairs.compactMap(\.update)
    } else {
      let matching = SectionMatching(from: older, to: self)
      pairs = SectionPair.matched(by: matching, from: older, to: self)
      changeset.sections = matching.changes(from: older, to: self)
    }
    changeset.rows = RowDifference.changes(from: older, to: self, between: pairs)
    return changeset
  }

  private static func stateChanges(
    from old: [Text: Text], to new: [Text: Text]
  ) -> [Text: Text?] {
    var changes: [Text: Text?] = [:]
    for (name, state) in new where old[name] != state { changes[name] = .some(state) }
    for name in old.keys where new[name] == nil { changes[name] = .some(nil) }
    return changes
  }
}
