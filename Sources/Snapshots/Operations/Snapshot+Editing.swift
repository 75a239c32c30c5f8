import CanonicalJSON

/// The building blocks of the operations on sections and items.
extension Snapshot {
  /// Replaces the sections if their ids are unique.
  ///
  /// - Complexity: O(*m*) expected, where *m* is the number of changed nodes and of the sections
  ///   and rows in them.
  /// - Throws: ``SnapshotOperationError/invalid(_:)``; then the snapshot is unchanged.
  mutating func replaceSections(
    by sections: PersistentSequence<Section>
  ) throws(SnapshotOperationError) {
    if sections.isIdentical(to: self.sections.tree) { return }
    do {
      self = Snapshot(
        states: sourceStates, index: try index.updated(to: sections), window: window)
    } catch {
      throw .invalid(error)
    }
  }

  /// Replaces the sections by a part of them, in which no id can occur twice.
  mutating func replaceByPart(_ sections: PersistentSequence<Section>) {
    if sections.isIdentical(to: self.sections.tree) { return }
    self = Snapshot(
      states: sourceStates, index: index.updated(toPart: sections), window: window)
  }

  /// Returns the index of a section.
  ///
  /// - Throws: ``SnapshotOperationError/unknownSections(_:)`` if there is none with this id.
  func knownIndex(ofSection id: Text) throws(SnapshotOperationError) -> Int {
    guard let index = index(ofSection: id) else { throw .unknownSections([id]) }
    return index
  }

  /// Returns the position of an item.
  ///
  /// - Throws: ``SnapshotOperationError/unknownItems(_:)`` if there is none with this id.
  func knownPath(ofItem id: Text) throws(SnapshotOperationError) -> RowPath {
    guard let path = path(ofRow: id) else { throw .unknownItems([id]) }
    return path
  }
}

extension PersistentSequence<Section> {
  /// Changes the rows of one section.
  ///
  /// - Complexity: O(log *n*), where *n* is the number of sections, and that of the change.
  mutating func editRows(
    inSection index: Int, _ edit: (inout PersistentSequence<Row>) -> Void
  ) {
    let section = self[index]
    var rows = section.rows.tree
    edit(&rows)
    self = replacing(index, with: section.with(rows))
  }

  /// Replaces the rows in a range of positions of one section.
  ///
  /// - Complexity: O(log *n* + *k*), where *n* is the number of sections and of the section's rows
  ///   and *k* the number of new rows.
  mutating func replaceRows(_ range: Range<Int>, inSection index: Int, by new: [Row]) {
    editRows(inSection: index) { $0.replaceSubrange(range, with: new) }
  }
}

/// A place before or after the section or item with an id.
enum Anchor {
  case before(Text)
  case after(Text)

  /// The id of the neighbour.
  var id: Text {
    switch self {
    case .before(let id), .after(let id): id
    }
  }

  /// Returns the position at which to insert if the neighbour has a given position.
  func insertionPosition(of neighbour: Int) -> Int {
    switch self {
    case .before: neighbour
    case .after: neighbour + 1
    }
  }
}
