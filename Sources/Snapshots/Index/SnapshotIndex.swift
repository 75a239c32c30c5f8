import CanonicalJSON

/// Where each section and row of a snapshot stands.
struct SnapshotIndex: Sendable {
  private var sections: [Identifier: Int32] = [:]
  private var rows: [Identifier: Position] = [:]

  /// A row's path in 8 bytes: there is one for each row.
  private struct Position {
    var section: Int32
    var row: Int32
  }

  /// The index of no sections.
  init() {}

  /// Indexes the sections and their rows, and refuses ids that are not unique.
  ///
  /// - Complexity: O(*n*) expected, where *n* is the number of sections and rows.
  init(of list: Snapshot.Sections) throws(SnapshotError) {
    precondition(list.count <= Int32.max, "a snapshot has at most 2^31 − 1 sections")
    sections.reserveCapacity(list.count)
    rows.reserveCapacity(list.reduce(0) { $0 + $1.rows.count })
    var error = SnapshotError()
    for (sectionIndex, section) in list.enumerated() {
      if sections.updateValue(Int32(sectionIndex), forKey: section.identifier) != nil {
        Self.note(section.id, in: &error.duplicateSectionIDs)
      }
      precondition(section.rows.count <= Int32.max, "a section has at most 2^31 − 1 rows")
      for (rowIndex, row) in section.rows.enumerated() {
        let position = Position(section: Int32(sectionIndex), row: Int32(rowIndex))
        if rows.updateValue(position, forKey: row.identifier) != nil {
          Self.note(row.id, in: &error.duplicateRowIDs)
        }
      }
    }
    if error != SnapshotError() { throw error }
  }

  var rowCount: Int { rows.count }

  func section(_ identifier: Identifier) -> Int? {
    sections[identifier].map { Int($0) }
  }

  func row(_ identifier: Identifier) -> RowPath? {
    rows[identifier].map { RowPath(section: Int($0.section), row: Int($0.row)) }
  }

  private static func note(_ id: String, in ids: inout [String]) {
    if !ids.contains(where: { $0.hasSameBytes(as: id) }) { ids.append(id) }
  }
}
