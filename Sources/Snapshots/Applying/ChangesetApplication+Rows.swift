import CanonicalJSON

extension ChangesetApplication {
  /// The rows of the new sections that do not keep theirs as they are, by the sections' indexes.
  func newRows(
    matching: SectionMatching
  ) throws(ChangesetError) -> [Int: PersistentSequence<Row>] {
    var plans: [Int: SequencePlan<Row>] = [:]

    /// The new index of a kept section, whose plan is there from now on.
    func plan(ofOld section: Int) throws(ChangesetError) -> Int {
      guard let index = matching.newIndexes[section] else {
        throw wholeSection("row operation in section \(section), which is deleted as a whole")
      }
      return try plan(ofNew: index)
    }

    func plan(ofNew section: Int) throws(ChangesetError) -> Int {
      guard matching.oldIndexes.indices.contains(section) else {
        throw ChangesetError(
          code: .positionOutOfRange, message: "there is no section \(section) in the result")
      }
      guard matching.oldIndexes[section] != nil else {
        throw wholeSection("row operation in section \(section), which is inserted as a whole")
      }
      if plans[section] == nil { plans[section] = SequencePlan() }
      return section
    }

    for delete in changeset.rows.deletes {
      _ = try row(delete.id, at: delete.at)
      try plans[plan(ofOld: delete.at.section)]?.remove(at: delete.at.row)
    }
    for move in changeset.rows.moves {
      let row = try row(move.id, at: move.from)
      try plans[plan(ofOld: move.from.section)]?.remove(at: move.from.row)
      try plans[plan(ofNew: move.to.section)]?.place(row, at: move.to.row)
    }
    for insert in changeset.rows.inserts {
      try plans[plan(ofNew: insert.at.section)]?.place(insert.element, at: insert.at.row)
    }
    for update in changeset.rows.updates {
      _ = try plan(ofNew: update.to.section)
    }

    var rows: [Int: PersistentSequence<Row>] = [:]
    for (section, plan) in plans {
      guard let oldSection = matching.oldIndexes[section] else { continue }
      rows[section] = try plan.result(from: old.sections[oldSection].rows.tree)
    }
    var updates: [Int: [Int: Row]] = [:]
    for update in changeset.rows.updates {
      updates[update.to.section, default: [:]][update.to.row] = try updatedRow(update, in: rows)
    }
    for (section, updates) in updates { rows[section]?.replaceElements(updates) }
    return rows
  }

  /// The row that an update makes of the old one.
  private func updatedRow(
    _ update: Changeset.Update<RowPath>, in rows: [Int: PersistentSequence<Row>]
  ) throws(ChangesetError) -> Row {
    let oldRow = try row(update.id, at: update.from)
    // What was kept is still the same object, so identity tells it from a new row of this id.
    guard let newRows = rows[update.to.section], newRows.indices.contains(update.to.row),
      newRows[update.to.row].isIdentical(to: oldRow)
    else {
      throw ChangesetError(
        code: .invalidUpdate,
        message: "row \"\(update.id)\" does not go from \(update.from) to \(update.to)")
    }
    let changes = FieldChanges(set: update.set, unset: update.unset)
    let fields = try changes.applied(
      to: oldRow.fields, of: "row \"\(update.id)\"", reserved: ["id", "type"])
    return Row(id: oldRow.id, type: oldRow.type, fields: fields)
  }

  /// The old row at a position, if it is the one that is named.
  private func row(_ id: Text, at path: RowPath) throws(ChangesetError) -> Row {
    guard old.sections.indices.contains(path.section),
      old.sections[path.section].rows.indices.contains(path.row)
    else {
      throw ChangesetError(
        code: .positionOutOfRange, message: "there is no row at \(path) for \"\(id)\"")
    }
    let row = old[path]
    guard row.id == id else {
      throw ChangesetError(
        code: .identifierMismatch,
        message: "the row at \(path) is \"\(row.id)\" instead of \"\(id)\"")
    }
    return row
  }

  private func wholeSection(_ message: String) -> ChangesetError {
    ChangesetError(code: .wholeSection, message: message)
  }
}
