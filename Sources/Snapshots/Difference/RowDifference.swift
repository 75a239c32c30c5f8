import CanonicalJSON

/// Finds the operations on the rows of kept sections.
///
/// Each pair of an old section and the new one it became is trimmed first: rows in common at both
/// ends need no table and cannot move. What is left between, the *windows*, is matched by id. A
/// matched row whose section's old and new self are no pair has moved across; among those that
/// stayed in their section, all but a longest increasing subsequence of old positions have moved.
struct RowDifference {
  private let old: Snapshot
  private let new: Snapshot
  private let matching: SectionMatching
  /// By old section: its rows that are not trimmed, and which of them the new snapshot keeps.
  private var oldWindows: [OldWindow?]
  private var changes = Changeset.Group<RowPath, Row>()

  private struct OldWindow {
    let rows: Range<Int>
    var isKept: [Bool]
  }

  /// Finds the operations.
  ///
  /// - Complexity: O(*n* + *w* log *w*) expected, where *n* is the number of rows in the sections
  ///   that are not shared by reference and *w* that in the largest window, beside the size of the
  ///   fields compared. Rows shared by reference cost one comparison of pointers.
  static func changes(
    from old: Snapshot, to new: Snapshot, matching: SectionMatching
  ) -> Changeset.Group<RowPath, Row> {
    var difference = RowDifference(old: old, new: new, matching: matching)
    let newWindows = difference.trim()
    for (section, window) in newWindows.enumerated() {
      if let window { difference.visit(section, window: window) }
    }
    difference.listDeletes()
    return difference.changes
  }

  private init(old: Snapshot, new: Snapshot, matching: SectionMatching) {
    self.old = old
    self.new = new
    self.matching = matching
    oldWindows = Array(repeating: nil, count: old.sections.count)
  }

  /// Notes the window of each kept old section that is not shared, and gives those of the new ones.
  private mutating func trim() -> [Range<Int>?] {
    matching.oldIndexes.enumerated().map { newIndex, oldIndex in
      guard let oldIndex else { return nil }
      if old.sections[oldIndex].isIdentical(to: new.sections[newIndex]) { return nil }
      let oldRows = old.sections[oldIndex].rows
      let newRows = new.sections[newIndex].rows
      let shorter = Swift.min(oldRows.count, newRows.count)
      var head = 0
      while head < shorter, oldRows[head].isSameItem(as: newRows[head]) { head += 1 }
      var tail = 0
      while tail < shorter - head,
        oldRows[oldRows.count - 1 - tail].isSameItem(as: newRows[newRows.count - 1 - tail])
      {
        tail += 1
      }
      let window = head..<(oldRows.count - tail)
      oldWindows[oldIndex] = OldWindow(
        rows: window, isKept: Array(repeating: false, count: window.count))
      return head..<(newRows.count - tail)
    }
  }

  /// Lists all that happens in a new section, in the order of its rows.
  private mutating func visit(_ section: Int, window: Range<Int>) {
    guard let oldSection = matching.oldIndexes[section] else { return }
    let rows = new.sections[section].rows
    let shift = old.sections[oldSection].rows.count - rows.count
    updateTrimmed(0..<window.lowerBound, of: section, oldSection: oldSection, shift: 0)

    let origins = window.map { keptOrigin(of: rows[$0]) }
    let stayers = origins.compactMap { $0?.section == oldSection ? $0.map { Int32($0.row) } : nil }
    let isStaying = longestIncreasingSubsequence(of: stayers)
    var stayerCount = 0
    for (index, origin) in zip(window, origins) {
      let row = rows[index]
      let path = RowPath(section: section, row: index)
      guard let origin else {
        changes.inserts.append(.init(at: path, element: row))
        continue
      }
      var isMoved = true
      if origin.section == oldSection {
        isMoved = !isStaying[stayerCount]
        stayerCount += 1
      }
      if isMoved { changes.moves.append(.init(id: row.id, from: origin, to: path)) }
      update(from: origin, to: path, row)
    }

    updateTrimmed(window.upperBound..<rows.count, of: section, oldSection: oldSection, shift: shift)
  }

  /// The old position of a row that is kept, which is noted, or `nil` if the row is inserted.
  private mutating func keptOrigin(of row: Row) -> RowPath? {
    guard let path = old.index.row(row.identifier), matching.newIndexes[path.section] != nil,
      old[path].type.hasSameBytes(as: row.type)
    else { return nil }
    // A row outside the windows stands in both snapshots at the same place of the same section, so
    // that its id cannot be found by a row in a window.
    let offset = path.row - oldWindows[path.section]!.rows.lowerBound
    oldWindows[path.section]!.isKept[offset] = true
    return path
  }

  private mutating func updateTrimmed(
    _ range: Range<Int>, of section: Int, oldSection: Int, shift: Int
  ) {
    let rows = new.sections[section].rows
    for index in range {
      update(
        from: RowPath(section: oldSection, row: index + shift),
        to: RowPath(section: section, row: index), rows[index])
    }
  }

  private mutating func update(from: RowPath, to: RowPath, _ row: Row) {
    let oldRow = old[from]
    if row == oldRow { return }
    let fields = FieldChanges(from: oldRow.fields, to: row.fields)
    changes.updates.append(
      .init(id: row.id, from: from, to: to, set: fields.set, unset: fields.unset))
  }

  private mutating func listDeletes() {
    for (section, window) in oldWindows.enumerated().reversed() {
      guard let window else { continue }
      let rows = old.sections[section].rows
      for (index, isKept) in zip(window.rows, window.isKept).reversed() where !isKept {
        changes.deletes.append(
          .init(id: rows[index].id, at: RowPath(section: section, row: index)))
      }
    }
  }
}
