import CanonicalJSON

extension Snapshot {
  /// Returns the changeset that turns an older snapshot into this one, with the fewest moves and
  /// one update for each row or section whose content changed, and one reload for each whose generation changed.
  ///
  ///     let changeset = new.difference(from: old)
  ///     try old.applying(changeset).digest == new.digest  // true
  ///
  /// The result of `applying(_:)` has the content of this snapshot byte for byte. The snapshots may be
  /// unrelated; "older" only names the direction.
  ///
  /// - Complexity: O(*k* log *n*) expected for two revisions *k* changes of rows apart, where *n* is the
  ///   number of rows: shared parts cost nothing. O(*s* log *s*) more if one of *s* sections is inserted,
  ///   deleted or moved. O(*n* log *n*) expected at worst. O(1) for two references to the same snapshot.
  public func difference(from older: Snapshot) -> Changeset {
    if isIdentical(to: older) {
      return Changeset(rowCount: rowCount, digest: digest, window: window)
    }
    let pairs: [SectionPair]
    let sections: Changeset.Group<Int, Section>
    if let inPlace = SectionPair.inPlace(from: older, to: self) {
      pairs = inPlace
      sections = .init(
        reloads: pairs.compactMap(\.reload), updates: pairs.compactMap(\.update))
    } else {
      let matching = SectionMatching(from: older, to: self)
      pairs = SectionPair.matched(by: matching, from: older, to: self)
      sections = matching.changes(from: older, to: self)
    }
    return Changeset(
      states: sourceStates == older.sourceStates
        ? [:] : Self.stateChanges(from: older.states, to: states),
      sections: sections, rows: RowDifference.changes(from: older, to: self, between: pairs),
      rowCount: rowCount, digest: digest, window: window)
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

/// The changes that turn the fields of a row or section into other fields.
struct FieldChanges {
  /// The fields that are new or different.
  var set: [Text: JSONValue] = [:]
  /// The names of the fields that are removed, sorted by their bytes.
  var unset: [Text] = []

  var isEmpty: Bool { self.set.isEmpty && unset.isEmpty }

  init(set: [Text: JSONValue], unset: [Text]) {
    self.set = set
    self.unset = unset
  }

  /// Finds the changes between two sets of fields.
  ///
  /// - Complexity: O(*n* + *g* log *g*) expected, where *n* is the size of all fields and *g* the
  ///   number of removed ones.
  init(from old: [Text: JSONValue], to new: [Text: JSONValue]) {
    for (name, value) in new where old[name] != value { set[name] = value }
    unset = old.keys.filter { new[$0] == nil }.sorted()
  }

  /// Returns the fields after the changes.
  ///
  /// - Parameters:
  ///   - subject: The owner of the fields, for error messages, such as `row "post/1"`.
  ///   - reserved: The names of members that are not fields.
  /// - Complexity: O(*n*) expected, where *n* is the number of fields and changes.
  /// - Throws: ``ChangesetError/Code/invalidUpdate`` if nothing would change, a reserved member
  ///   would be set, or a field is removed that does not exist or is set too.
  func applied(
    to fields: [Text: JSONValue], of subject: String, reserved: Set<Text>
  ) throws(ChangesetError) -> [Text: JSONValue] {
    if isEmpty { throw Self.invalid("the update of \(subject) changes nothing") }
    var fields = fields
    for name in unset {
      guard fields[name] != nil, self.set[name] == nil else {
        throw Self.invalid("the update of \(subject) cannot unset the field \"\(name)\"")
      }
      fields[name] = nil
    }
    for (name, value) in self.set {
      guard !reserved.contains(name) else {
        throw Self.invalid("the update of \(subject) cannot set the member \"\(name)\"")
      }
      fields[name] = value
    }
    return fields
  }

  private static func invalid(_ message: String) -> ChangesetError {
    ChangesetError(code: .invalidUpdate, message: message)
  }
}
