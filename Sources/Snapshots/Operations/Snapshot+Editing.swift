import CanonicalJSON

/// What the operations on sections and items are made of.
extension Snapshot {
  /// Puts other sections into place, unless ids would not be unique.
  ///
  /// - Complexity: O(*m*) expected, where *m* is the number of nodes that change and of the
  ///   sections and rows in them.
  mutating func replaceSections(
    by sections: PersistentSequence<Section>
  ) throws(SnapshotOperationError) {
    if sections.isIdentical(to: self.sections.tree) { return }
    do {
      self = Snapshot(states: sourceStates, index: try index.updated(to: sections))
    } catch {
      throw .duplicates(error)
    }
  }

  /// Puts sections into place that have no ids but those which are there already.
  mutating func replaceByPart(_ sections: PersistentSequence<Section>) {
    if sections.isIdentical(to: self.sections.tree) { return }
    self = Snapshot(states: sourceStates, index: index.updated(toPart: sections))
  }

  /// The index of a section that must be there.
  func knownIndex(ofSection id: Text) throws(SnapshotOperationError) -> Int {
    guard let index = index(ofSection: id) else { throw .unknownSections([id]) }
    return index
  }

  /// The position of an item that must be there.
  func knownPath(ofItem id: Text) throws(SnapshotOperationError) -> RowPath {
    guard let path = path(ofRow: id) else { throw .unknownItems([id]) }
    return path
  }
}

extension PersistentSequence<Section> {
  /// Changes the rows of one section.
  ///
  /// - Complexity: O(log *n*), where *n* is the number of sections, beside that of the change.
  mutating func editRows(
    inSection index: Int, _ edit: (inout PersistentSequence<Row>) -> Void
  ) {
    let section = self[index]
    var rows = section.rows.tree
    edit(&rows)
    self = replacing(index, with: section.with(rows))
  }

  /// Replaces the rows in a range of positions of one section by others.
  ///
  /// - Complexity: O(log *n* + *k*), where *n* is the number of sections and of the section's rows
  ///   and *k* that of new ones.
  mutating func replaceRows(_ range: Range<Int>, inSection index: Int, by new: [Row]) {
    editRows(inSection: index) { $0.replaceSubrange(range, with: new) }
  }
}

/// A place in an order, named by what stands beside it.
enum Anchor {
  case before(Text)
  case after(Text)

  /// The id of the neighbour.
  var id: Text {
    switch self {
    case .before(let id), .after(let id): id
    }
  }

  /// Where what goes here is inserted if the neighbour stands at a position.
  func insertionPosition(of neighbour: Int) -> Int {
    switch self {
    case .before: neighbour
    case .after: neighbour + 1
    }
  }
}
