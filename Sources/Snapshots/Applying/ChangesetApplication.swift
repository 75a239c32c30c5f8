import CanonicalJSON

/// Applies one changeset to one snapshot, checking every operation against both.
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

    let new: Snapshot
    do {
      new = Snapshot(
        states: states,
        index: try old.index.updated(to: old.sections.tree.rearranged(to: sections)))
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
      && zip(group.updates, group.updates.dropFirst()).allSatisfy { $0.to < $1.to }
    guard isInOrder else {
      throw ChangesetError(
        code: .notInOrder, message: "deletes must descend, the others ascend, each strictly")
    }
  }
}

extension ChangesetApplication {
  /// A section in its new place; `oldIndex` is `nil` for an inserted one.
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
      sections[update.to] = Section(id: section.id, fields: fields, rows: section.rows)
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
