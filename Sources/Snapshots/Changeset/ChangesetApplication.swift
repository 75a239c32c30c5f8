import CanonicalJSON

extension Snapshot {
  /// Returns the snapshot that results from applying a changeset to this one.
  ///
  ///     let new = try old.applying(changeset)
  ///
  /// Every operation is checked: each position exists and has the named element, no two operations
  /// conflict, ids stay unique, and the result has the number of rows and the digest that the
  /// changeset states. So the result has exactly the content of the new snapshot that the changeset was made
  /// from. The generations of reloaded sections and rows increase, so that they differ from the old ones.
  ///
  /// - Complexity: O(*s* + *c* log *n*) expected, where *s* is the number of sections of both
  ///   snapshots, *n* the number of rows and *c* the number of operations, but at most O(*n* + *c*
  ///   log *c*).
  /// - Throws: ``ChangesetError`` for the first invalid operation.
  public func applying(_ changeset: Changeset) throws(ChangesetError) -> Snapshot {
    try ChangesetApplication(old: self, changeset: changeset).result()
  }
}

/// The application of one changeset to one snapshot. It checks every operation against both.
struct ChangesetApplication {
  let old: Snapshot
  let changeset: Changeset

  func result() throws(ChangesetError) -> Snapshot {
    try checkOrder(of: changeset.sections)
    try checkOrder(of: changeset.rows)
    let states = try newStates()
    let arranged = try arrangedSections()
    let matching = SectionMatching(
      oldIndexes: arranged.map { $0.oldIndex }, oldCount: old.sections.count)
    var sections = try updatedFields(arranged: arranged)
    for (index, rows) in try newRows(matching: matching) {
      sections[index] = sections[index].with(rows)
    }
    try reload(&sections, matching)

    let new: Snapshot
    do {
      new = Snapshot(
        states: states,
        index: try old.index.updated(
          to: old.sections.tree.rearranged(to: PersistentSequence(sections))),
        window: changeset.window)
    } catch {
      throw ChangesetError(code: .duplicateIdentifier, message: "\(error)")
    }
    guard new.rowCount == changeset.rowCount else {
      throw ChangesetError(
        code: .rowCountMismatch,
        message: "the result has \(new.rowCount) rows instead of \(changeset.rowCount)")
    }
    guard new.digest == changeset.digest else {
      throw ChangesetError(
        code: .digestMismatch,
        message: "the result's digest is \(new.digest) instead of \(changeset.digest)")
    }
    return new
  }

  /// Counts up the generations of the sections and rows that are drawn again, which are in both snapshots.
  private func reload(
    _ sections: inout [Section], _ matching: SectionMatching
  ) throws(ChangesetError) {
    let gone = Set(changeset.rows.deletes.map(\.at))
    var replacements: [Int: [Int: Row]] = [:]
    for reload in changeset.rows.reloads {
      let (row, to) = (try row(reload.id, at: reload.from), reload.to)
      guard matching.newIndexes[reload.from.section] != nil, !gone.contains(reload.from),
        sections.indices.contains(to.section), matching.oldIndexes[to.section] != nil,
        sections[to.section].rows.indices.contains(to.row),
        sections[to.section].rows[to.row].isSameItem(as: row)
      else { throw Self.invalidReload("row", reload) }
      let kept = sections[to.section].rows[to.row]
      replacements[to.section, default: [:]][to.row] = kept.generation(kept.generation + 1)
    }
    for (index, replacements) in replacements {
      var rows = sections[index].rows.tree
      rows.replaceElements(replacements)
      sections[index] = sections[index].with(rows)
    }
    if changeset.sections.reloads.isEmpty { return }
    let arrivals = changeset.rows.moves.filter {
      matching.newIndexes[$0.from.section] != $0.to.section
    }
    let others = Set(changeset.rows.inserts.map(\.at) + arrivals.map(\.to))
    for reload in changeset.sections.reloads {
      try checkSection(reload.id, at: reload.from)
      guard matching.newIndexes[reload.from] == reload.to else {
        throw Self.invalidReload("section", reload)
      }
      let section = sections[reload.to]
      let rows = section.rows.enumerated().map { index, row in
        others.contains(RowPath(section: reload.to, row: index))
          ? row : row.generation(row.generation + 1)
      }
      sections[reload.to] = Section(
        id: section.id, fields: section.fields, generation: section.generation + 1, rows: rows)
    }
  }

  private static func invalidReload<Position>(
    _ noun: String, _ reload: Changeset.Reload<Position>
  ) -> ChangesetError {
    ChangesetError(
      code: .invalidReload,
      message: "\(noun) \"\(reload.id)\" does not stay from \(reload.from) to \(reload.to)")
  }

  private func newStates() throws(ChangesetError) -> SourceStates {
    if changeset.states.isEmpty { return old.sourceStates }
    var states = old.states
    for (name, state) in changeset.states {
      let previous = states.removeValue(forKey: name)
      if let state {
        states[name] = state
      } else if previous == nil {
        throw ChangesetError(code: .unknownState, message: "there is no state \"\(name)\"")
      }
    }
    return SourceStates(states)
  }

  private func checkOrder<Position: Comparable, Element>(
    of group: Changeset.Group<Position, Element>
  ) throws(ChangesetError) {
    let isInOrder =
      zip(group.deletes, group.deletes.dropFirst()).allSatisfy { $0.at > $1.at }
      && zip(group.inserts, group.inserts.dropFirst()).allSatisfy { $0.at < $1.at }
      && zip(group.moves, group.moves.dropFirst()).allSatisfy { $0.to < $1.to }
      && zip(group.reloads, group.reloads.dropFirst()).allSatisfy { $0.to < $1.to }
      && zip(group.updates, group.updates.dropFirst()).allSatisfy { $0.to < $1.to }
    guard isInOrder else {
      throw ChangesetError(
        code: .notInOrder, message: "deletes must descend, the others ascend, each strictly")
    }
  }
}

extension ChangesetApplication {
  /// A section at its new position; `oldIndex` is `nil` if it is inserted.
  private typealias Arranged = (oldIndex: Int?, section: Section)

  private func arrangedSections() throws(ChangesetError) -> [Arranged] {
    let before: [Arranged] = old.sections.enumerated().map { ($0, $1) }
    var plan = SequencePlan<Arranged>()
    for delete in changeset.sections.deletes {
      try checkSection(delete.id, at: delete.at)
      try plan.remove(at: delete.at)
    }
    for move in changeset.sections.moves {
      try checkSection(move.id, at: move.from)
      try plan.remove(at: move.from)
      plan.place(before[move.from], at: move.to)
    }
    for insert in changeset.sections.inserts {
      plan.place((nil, insert.element), at: insert.at)
    }
    return try plan.result(from: before)
  }

  private func updatedFields(arranged: [Arranged]) throws(ChangesetError) -> [Section] {
    var sections = arranged.map { $0.section }
    for update in changeset.sections.updates {
      try checkSection(update.id, at: update.from)
      guard sections.indices.contains(update.to), arranged[update.to].oldIndex == update.from
      else {
        throw ChangesetError(
          code: .invalidUpdate,
          message: "section \"\(update.id)\" does not go from \(update.from) to \(update.to)")
      }
      let section = sections[update.to]
      let changes = FieldChanges(set: update.set, unset: update.unset)
      let fields = try changes.applied(
        to: section.fields, of: "section \"\(update.id)\"", reserved: ["id", "rows"])
      sections[update.to] = Section(
        id: section.id, fields: fields, generation: section.generation, rows: section.rows)
    }
    return sections
  }

  private func checkSection(_ id: Text, at index: Int) throws(ChangesetError) {
    guard old.sections.indices.contains(index) else {
      throw ChangesetError(
        code: .positionOutOfRange, message: "there is no section at \(index) for \"\(id)\"")
    }
    guard old.sections[index].id == id else {
      throw ChangesetError(
        code: .identifierMismatch,
        message: "the section at \(index) is \"\(old.sections[index].id)\" instead of \"\(id)\"")
    }
  }
}

extension ChangesetApplication {
  /// Returns the rows of the new sections whose rows change, by the index of the section.
  func newRows(
    matching: SectionMatching
  ) throws(ChangesetError) -> [Int: PersistentSequence<Row>] {
    var plans: [Int: SequencePlan<Row>] = [:]

    /// Returns the new index of a kept section, and starts a plan for its rows if there is none.
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

  /// Returns the new row of an update.
  private func updatedRow(
    _ update: Changeset.Update<RowPath>, in rows: [Int: PersistentSequence<Row>]
  ) throws(ChangesetError) -> Row {
    let oldRow = try row(update.id, at: update.from)
    // A kept row is still the same object, so its identity distinguishes it from a new row with the
    // same id.
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
    return Row(
      id: oldRow.id, type: oldRow.type, fields: fields, generation: oldRow.generation)
  }

  /// Returns the old row at a position, after checking its id.
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
