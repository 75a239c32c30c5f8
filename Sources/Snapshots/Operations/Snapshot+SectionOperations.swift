public import CanonicalJSON

/// The operations on sections, named like those of `NSDiffableDataSourceSnapshot`.
///
/// Each operation either succeeds or leaves the snapshot unchanged. It takes O(log *n* + *k*)
/// expected, where *n* is the number of sections and rows and *k* the number of sections in the
/// arguments and of their rows.
///
///     try snapshot.insertSections([Section(id: "drafts", rows: [])], beforeSection: "posts")
///     try snapshot.moveSection("posts", beforeSection: "drafts")
///     snapshot.deleteSections(["drafts"])
extension Snapshot {
  /// Appends sections.
  ///
  /// - Throws: ``SnapshotOperationError/invalid(_:)`` if an id would not be unique or a row cannot be written.
  public mutating func appendSections(_ new: [Section]) throws(SnapshotOperationError) {
    try insert(new, at: sections.count)
  }

  /// Inserts sections before another one.
  ///
  /// - Throws: ``SnapshotOperationError/unknownSections(_:)`` if there is no such section, or
  ///   ``SnapshotOperationError/invalid(_:)`` if an id would not be unique or a row cannot be written.
  public mutating func insertSections(
    _ new: [Section], beforeSection id: Text
  ) throws(SnapshotOperationError) {
    try insert(new, at: try knownIndex(ofSection: id))
  }

  /// Inserts sections after another one.
  ///
  /// - Throws: ``SnapshotOperationError/unknownSections(_:)`` if there is no such section, or
  ///   ``SnapshotOperationError/invalid(_:)`` if an id would not be unique or a row cannot be written.
  public mutating func insertSections(
    _ new: [Section], afterSection id: Text
  ) throws(SnapshotOperationError) {
    try insert(new, at: try knownIndex(ofSection: id) + 1)
  }

  /// Deletes sections with their rows.
  ///
  /// - Returns: The number of ids that were ignored, because no section has them or they are repeated.
  @discardableResult
  public mutating func deleteSections(_ ids: [Text]) -> Int {
    let indexes = Set(ids.compactMap { index(ofSection: $0) })
    var sections = sections.tree
    sections.removeElements(at: indexes.sorted())
    replaceByPart(sections)
    return ids.count - indexes.count
  }

  /// Moves a section before another one.
  ///
  /// - Throws: ``SnapshotOperationError/unknownSections(_:)`` with the ids of the two that no
  ///   section has, or ``SnapshotOperationError/ownAnchor(_:)`` if both ids are the same.
  public mutating func moveSection(
    _ id: Text, beforeSection anchor: Text
  ) throws(SnapshotOperationError) {
    try moveSection(id, to: .before(anchor))
  }

  /// Moves a section after another one.
  ///
  /// - Throws: ``SnapshotOperationError/unknownSections(_:)`` with the ids of the two that no
  ///   section has, or ``SnapshotOperationError/ownAnchor(_:)`` if both ids are the same.
  public mutating func moveSection(
    _ id: Text, afterSection anchor: Text
  ) throws(SnapshotOperationError) {
    try moveSection(id, to: .after(anchor))
  }

  /// Replaces sections by sections with the same ids, including their fields and rows, and increases their
  /// generations and those of the rows that stay: clients draw them again, even if they are equal.
  ///
  /// - Throws: ``SnapshotOperationError/unknownSections(_:)`` if there is no such section, or
  ///   ``SnapshotOperationError/invalid(_:)`` if an id would not be unique or a section is given
  ///   twice.
  public mutating func reloadSections(_ new: [Section]) throws(SnapshotOperationError) {
    var unknown: [Text] = []
    var repeated: [Text] = []
    var reloaded: [Int: Section] = [:]
    for section in new {
      guard let index = index.section(section.identifier) else {
        unknown.append(section.id)
        continue
      }
      let next = Section(
        id: section.id, fields: section.fields, generation: sections[index].generation + 1,
        rows: section.rows.map { row in
          self.index.row(row.identifier).map { row.generation(self[$0].generation + 1) } ?? row
        })
      if reloaded.updateValue(next, forKey: index) != nil {
        repeated.append(section.id)
      }
    }
    guard unknown.isEmpty else { throw .unknownSections(unknown) }
    guard repeated.isEmpty else {
      throw .invalid(SnapshotError(duplicateSectionIDs: repeated.distinct))
    }
    var sections = sections.tree
    sections.replaceElements(reloaded)
    try replaceSections(by: sections)
  }

  /// Gives a section other fields, such as a title; its rows stay.
  ///
  /// ```swift
  /// try snapshot.reconfigureSection("drafts", fields: ["title": "Unfinished"])
  /// ```
  ///
  /// - Throws: ``SnapshotOperationError/unknownSections(_:)`` if there is no such section, or
  ///   ``SnapshotOperationError/invalid(_:)`` if it cannot be written with the fields.
  public mutating func reconfigureSection(
    _ id: Text, fields: [Text: JSONValue]
  ) throws(SnapshotOperationError) {
    let index = try knownIndex(ofSection: id)
    let section = sections[index]
    if section.fields == fields { return }
    var sections = sections.tree
    sections.replaceElements([
      index: Section(
        id: id, fields: fields, generation: section.generation, rows: section.rows)
    ])
    try replaceSections(by: sections)
  }

  private mutating func insert(_ new: [Section], at index: Int) throws(SnapshotOperationError) {
    var sections = sections.tree
    sections.replaceSubrange(index..<index, with: new)
    try replaceSections(by: sections)
  }

  private mutating func moveSection(
    _ id: Text, to anchor: Anchor
  ) throws(SnapshotOperationError) {
    guard let from = index(ofSection: id), let neighbour = index(ofSection: anchor.id) else {
      throw .unknownSections([id, anchor.id].filter { index(ofSection: $0) == nil })
    }
    if from == neighbour { throw .ownAnchor(id) }
    var target = anchor.insertionPosition(of: neighbour)
    if from < target { target -= 1 }
    if from == target { return }
    var sections = sections.tree
    let section = sections[from]
    sections.replaceSubrange(from..<from + 1, with: [])
    sections.replaceSubrange(target..<target, with: [section])
    try replaceSections(by: sections)
  }
}
