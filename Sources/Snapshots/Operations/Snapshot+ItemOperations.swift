public import CanonicalJSON

/// The operations on items, which are rows, named like those of `NSDiffableDataSourceSnapshot`.
///
/// Each operation either succeeds or leaves the snapshot unchanged. It takes at most O(*k* log *n*)
/// expected, where *n* is the number of sections and rows and *k* the number of items in the
/// arguments.
///
///     try snapshot.appendItems([Row(id: "post/3", type: "post")], toSection: "posts")
///     try snapshot.moveItem("post/3", beforeItem: "post/1")
///     snapshot.deleteItems(["post/2"])
extension Snapshot {
  /// Appends items to a section, or to the last one if no id is given.
  ///
  /// - Throws: ``SnapshotOperationError/unknownSections(_:)`` if there is no such section,
  ///   ``SnapshotOperationError/noSection`` if there is no section at all, or
  ///   ``SnapshotOperationError/invalid(_:)`` if an id would not be unique or a row cannot be written.
  public mutating func appendItems(
    _ new: [Row], toSection id: Text? = nil
  ) throws(SnapshotOperationError) {
    let section: Int
    if let id {
      section = try knownIndex(ofSection: id)
    } else {
      guard !sections.isEmpty else { throw .noSection }
      section = sections.count - 1
    }
    try insert(new, at: RowPath(section: section, row: sections[section].rows.count))
  }

  /// Inserts items before another one.
  ///
  /// - Throws: ``SnapshotOperationError/unknownItems(_:)`` if there is no such item, or
  ///   ``SnapshotOperationError/invalid(_:)`` if an id would not be unique or a row cannot be written.
  public mutating func insertItems(
    _ new: [Row], beforeItem id: Text
  ) throws(SnapshotOperationError) {
    try insert(new, at: try knownPath(ofItem: id))
  }

  /// Inserts items after another one.
  ///
  /// - Throws: ``SnapshotOperationError/unknownItems(_:)`` if there is no such item, or
  ///   ``SnapshotOperationError/invalid(_:)`` if an id would not be unique or a row cannot be written.
  public mutating func insertItems(
    _ new: [Row], afterItem id: Text
  ) throws(SnapshotOperationError) {
    var path = try knownPath(ofItem: id)
    path.row += 1
    try insert(new, at: path)
  }

  /// Deletes items.
  ///
  /// - Returns: The number of ids that were ignored, because no item has them or they are repeated.
  @discardableResult
  public mutating func deleteItems(_ ids: [Text]) -> Int {
    let paths = Set(ids.compactMap { path(ofRow: $0) })
    var sections = sections.tree
    for (section, paths) in Dictionary(grouping: paths, by: { $0.section }) {
      sections.editRows(inSection: section) { rows in
        rows.removeElements(at: paths.map { $0.row }.sorted())
      }
    }
    replaceByPart(sections)
    return ids.count - paths.count
  }

  /// Deletes all items and keeps the sections.
  ///
  /// - Complexity: O(*n*) expected, where *n* is the number of sections and rows.
  public mutating func deleteAllItems() {
    replaceByPart(PersistentSequence(sections.map { $0.with(PersistentSequence()) }))
  }

  /// Moves an item before another one of any section.
  ///
  /// - Throws: ``SnapshotOperationError/unknownItems(_:)`` with the ids of the two that no item
  ///   has, or ``SnapshotOperationError/ownAnchor(_:)`` if both ids are the same.
  public mutating func moveItem(
    _ id: Text, beforeItem anchor: Text
  ) throws(SnapshotOperationError) {
    try moveItem(id, to: .before(anchor))
  }

  /// Moves an item after another one of any section.
  ///
  /// - Throws: ``SnapshotOperationError/unknownItems(_:)`` with the ids of the two that no item
  ///   has, or ``SnapshotOperationError/ownAnchor(_:)`` if both ids are the same.
  public mutating func moveItem(
    _ id: Text, afterItem anchor: Text
  ) throws(SnapshotOperationError) {
    try moveItem(id, to: .after(anchor))
  }

  /// Replaces the items at some positions of a section by others.
  ///
  /// - Precondition: The positions are in the bounds of the section.
  /// - Throws: ``SnapshotOperationError/unknownSections(_:)`` if there is no such section, or
  ///   ``SnapshotOperationError/invalid(_:)`` if an id would not be unique or a row cannot be written.
  public mutating func replaceItems(
    _ positions: Range<Int>, inSection id: Text, by new: [Row]
  ) throws(SnapshotOperationError) {
    var sections = sections.tree
    sections.replaceRows(positions, inSection: try knownIndex(ofSection: id), by: new)
    try replaceSections(by: sections)
  }

  private mutating func insert(_ new: [Row], at path: RowPath) throws(SnapshotOperationError) {
    if new.isEmpty { return }
    var sections = sections.tree
    sections.replaceRows(path.row..<path.row, inSection: path.section, by: new)
    try replaceSections(by: sections)
  }

  private mutating func moveItem(
    _ id: Text, to anchor: Anchor
  ) throws(SnapshotOperationError) {
    guard let from = path(ofRow: id), let neighbour = path(ofRow: anchor.id) else {
      throw .unknownItems([id, anchor.id].filter { path(ofRow: $0) == nil })
    }
    if from == neighbour { throw .ownAnchor(id) }
    var target = neighbour
    target.row = anchor.insertionPosition(of: neighbour.row)
    if from.section == target.section, from.row < target.row { target.row -= 1 }
    if from == target { return }
    let row = self[from]
    var sections = sections.tree
    sections.replaceRows(from.row..<from.row + 1, inSection: from.section, by: [])
    sections.replaceRows(target.row..<target.row, inSection: target.section, by: [row])
    try replaceSections(by: sections)
  }
}

/// The operations that change the content of items. Each takes O(*k* log *n*) expected, where *n*
/// is the number of sections and rows and *k* the number of items in the arguments.
extension Snapshot {
  /// Replaces items by rows with the same ids, and increases their generations: clients draw them again, even
  /// if they are equal. The types may differ.
  ///
  /// - Throws: ``SnapshotOperationError/unknownItems(_:)`` if there is no such item, or
  ///   ``SnapshotOperationError/invalid(_:)`` if an item is given twice.
  public mutating func reloadItems(_ new: [Row]) throws(SnapshotOperationError) {
    try replaceItems(new, isReload: true)
  }

  /// Replaces items by rows with the same ids and types. A client keeps the view of the row and
  /// updates the changed fields; the generations stay.
  ///
  /// - Throws: ``SnapshotOperationError/unknownItems(_:)`` if there is no such item,
  ///   ``SnapshotOperationError/changedTypes(_:)`` if a type differs, or ``SnapshotOperationError/invalid(_:)`` if
  ///   an item is given twice.
  public mutating func reconfigureItems(_ new: [Row]) throws(SnapshotOperationError) {
    try replaceItems(new, isReload: false)
  }

  private mutating func replaceItems(
    _ new: [Row], isReload: Bool
  ) throws(SnapshotOperationError) {
    var unknown: [Text] = []
    var retyped: [Text] = []
    var repeated: [Text] = []
    var seen: Set<RowPath> = []
    var replacements: [Int: [Int: Row]] = [:]
    for row in new {
      guard let path = index.row(row.identifier) else {
        unknown.append(row.id)
        continue
      }
      if !seen.insert(path).inserted { repeated.append(row.id) }
      let old = self[path]
      if !isReload, !old.isSameItem(as: row) { retyped.append(row.id) }
      let row = row.generation(old.generation + (isReload ? 1 : 0))
      if old != row { replacements[path.section, default: [:]][path.row] = row }
    }
    guard unknown.isEmpty else { throw .unknownItems(unknown) }
    guard repeated.isEmpty else {
      throw .invalid(SnapshotError(duplicateRowIDs: repeated.distinct))
    }
    guard retyped.isEmpty else { throw .changedTypes(retyped) }
    var sections = sections.tree
    for (index, rows) in replacements {
      sections.editRows(inSection: index) { $0.replaceElements(rows) }
    }
    try replaceSections(by: sections)
  }
}
