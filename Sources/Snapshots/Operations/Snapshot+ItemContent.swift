public import CanonicalJSON

/// The operations that change the content of items. They cost O(*k* log *n*) expected, where *n* is
/// the number of sections and rows and *k* that of the items named.
extension Snapshot {
  /// Replaces items by rows of the same ids, which may be of another type: what clients show them
  /// with is made anew then.
  ///
  /// - Throws: ``SnapshotOperationError/unknownItems(_:)``, or
  ///   ``SnapshotOperationError/duplicates(_:)`` for an item that is given twice.
  public mutating func reloadItems(_ new: [Row]) throws(SnapshotOperationError) {
    try replaceItems(new, mayChangeType: true)
  }

  /// Replaces items by rows of the same ids and types: what clients show them with is kept, and
  /// gets the fields that changed.
  ///
  /// - Throws: ``SnapshotOperationError/unknownItems(_:)``,
  ///   ``SnapshotOperationError/changedTypes(_:)``, or ``SnapshotOperationError/duplicates(_:)``
  ///   for an item that is given twice.
  public mutating func reconfigureItems(_ new: [Row]) throws(SnapshotOperationError) {
    try replaceItems(new, mayChangeType: false)
  }

  private mutating func replaceItems(
    _ new: [Row], mayChangeType: Bool
  ) throws(SnapshotOperationError) {
    var unknown: [Text] = []
    var retyped: [Text] = []
    var error = SnapshotError()
    var seen: Set<RowPath> = []
    var replacements: [Int: [Int: Row]] = [:]
    for row in new {
      guard let path = index.row(row.identifier) else {
        unknown.append(row.id)
        continue
      }
      if !seen.insert(path).inserted { error.note(duplicateRow: row.id) }
      let old = self[path]
      if !mayChangeType, !old.isSameItem(as: row) { retyped.append(row.id) }
      if old != row { replacements[path.section, default: [:]][path.row] = row }
    }
    guard unknown.isEmpty else { throw .unknownItems(unknown) }
    guard error == SnapshotError() else { throw .duplicates(error) }
    guard retyped.isEmpty else { throw .changedTypes(retyped) }
    var sections = sections.tree
    for (index, rows) in replacements {
      sections.editRows(inSection: index) { $0.replaceElements(rows) }
    }
    try replaceSections(by: sections)
  }
}

extension Snapshot {
  /// Gives a source another state, or takes it away.
  ///
  /// - Complexity: O(*n*), where *n* is the size of the states.
  public mutating func setState(_ state: Text?, of source: Text) {
    var states = states
    states[source] = state
    self = Snapshot(states: SourceStates(states), index: index)
  }
}
