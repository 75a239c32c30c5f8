import CanonicalJSON

/// The operations on the rows of kept sections.
///
/// Unless the new snapshot knows how it was made of the old one, the rows that the sections do not share go to
/// ``EditScript``, which finds positions; the ids and fields are added to these here.
struct RowDifference {
  private let old: Snapshot
  private let new: Snapshot
  private let script: EditScript
  /// The old index of each section that is drawn again, by its new index.
  private let reloaded: [Int: Int]

  /// Finds the operations.
  ///
  /// - Parameter pairs: The kept sections that are not shared, in the order of the new ones.
  /// - Complexity: O(*m* + *w* log *w*) expected, where *m* is the number of nodes and rows that
  ///   only one of two paired sections has and *w* the number of such rows in the largest section
  ///   whose order changed. Each operation adds O(log *n*), where *n* is the number of rows, and
  ///   the size of the fields that it compares.
  static func changes(
    from old: Snapshot, to new: Snapshot, between pairs: [SectionPair]
  ) -> Changeset.Group<RowPath, Row> {
    if pairs.count == 1,
      let changes = pairs.withUnsafeBufferPointer({ $0.borrow(0) { knownUpdates(in: $0) } })
    {
      return changes
    }
    if let changes = changesInPlace(between: pairs) { return changes }
    let script = knownScript(between: pairs) ?? RowRuns(between: pairs).editScript()
    var reloaded: [Int: Int] = [:]
    for pair in pairs where pair.isReloaded { reloaded[pair.newIndex] = pair.oldIndex }
    return RowDifference(old: old, new: new, script: script, reloaded: reloaded).changes()
  }

  /// Returns the operations if the new section was made from the old one and each row is where it was; `nil` if that
  /// is not known.
  private static func knownUpdates(in pair: SectionPair) -> Changeset.Group<RowPath, Row>? {
    guard let updates = pair.new.updates(since: pair.old) else { return nil }
    var changes = Changeset.Group<RowPath, Row>()
    for update in updates {
      let row = Int(update.to.row)
      changes.note(
        from: pair.old.rows[row], at: RowPath(section: pair.oldIndex, row: row),
        to: pair.new.rows[row], at: RowPath(section: pair.newIndex, row: row),
        isReloaded: pair.isReloaded)
    }
    return changes
  }

  /// Returns the script by which a section was made, if no other one has other rows, so that none came from there.
  private static func knownScript(between pairs: [SectionPair]) -> EditScript? {
    var changed: SectionPair?
    for pair in pairs where !pair.old.rows.tree.isIdentical(to: pair.new.rows.tree) {
      if changed != nil { return nil }
      changed = pair
    }
    return changed.flatMap { pair in
      pair.new.script(from: pair.old)?.between(Int32(pair.oldIndex), Int32(pair.newIndex))
    }
  }

  /// Finds the operations if each row is where it was and only contents differ, which needs no script.
  ///
  /// - Returns: `nil` otherwise.
  private static func changesInPlace(
    between pairs: [SectionPair]
  ) -> Changeset.Group<RowPath, Row>? {
    var replaced: [(pair: Int, row: Int, old: Row, new: Row)] = []
    for (index, pair) in pairs.enumerated() {
      let isInPlace = pair.old.rows.tree.forEachReplacement(in: pair.new.rows.tree) {
        row, old, new in
        replaced.append((index, row, copy old, copy new))
        return old.isSameItem(as: new)
      }
      if !isInPlace { return nil }
    }
    var changes = Changeset.Group<RowPath, Row>()
    for (index, row, old, new) in replaced {
      changes.note(
        from: old, at: RowPath(section: pairs[index].oldIndex, row: row), to: new,
        at: RowPath(section: pairs[index].newIndex, row: row),
        isReloaded: pairs[index].isReloaded)
    }
    return changes
  }

  private func changes() -> Changeset.Group<RowPath, Row> {
    var (old, new) = (RowCursor(old), RowCursor(new))
    var changes = Changeset.Group<RowPath, Row>(
      deletes: script.deletes.map { .init(id: old.id(at: $0), at: RowPath($0)) },
      inserts: script.inserts.map { .init(at: RowPath($0), element: new.row(at: $0)) },
      moves: script.moves.map {
        .init(id: new.id(at: $0.to), from: RowPath($0.from), to: RowPath($0.to))
      })
    for transition in script.updates {
      let (from, to) = (RowPath(transition.from), RowPath(transition.to))
      changes.note(
        from: old.row(at: transition.from), at: from, to: new.row(at: transition.to), at: to,
        isReloaded: reloaded[to.section] == from.section)
    }
    return changes
  }
}

extension Changeset.Group<RowPath, Row> {
  /// Adds what turns a row into another one of its id and type.
  ///
  /// - Parameter isReloaded: Whether clients draw the section of the row anew.
  fileprivate mutating func note(
    from old: Row, at from: RowPath, to new: Row, at to: RowPath, isReloaded: Bool
  ) {
    if old.generation != new.generation, !isReloaded {
      reloads.append(.init(id: new.id, from: from, to: to))
    }
    if old.hasSameBytes(as: new) { return }
    let (set, unset) = EncodedObject(new.encoded).changes(since: EncodedObject(old.encoded))
    updates.append(.init(id: new.id, from: from, to: to, fields: .encoded(set), unset: unset))
  }
}

/// Finds rows by their positions. It descends to a leaf once for all rows of it that are asked for one
/// after another.
private struct RowCursor {
  private let sections: PersistentSequence<Section>
  private var section: Int32 = -1
  private var rows = PersistentSequence<Row>()
  private var leaf: [Row] = []
  private var range = 0..<0

  init(_ snapshot: Snapshot) {
    sections = snapshot.sections.tree
  }

  mutating func row(at position: ElementPosition) -> Row { leaf[index(at: position)] }

  /// Returns the id of a row, without retaining the row.
  mutating func id(at position: ElementPosition) -> Text {
    let index = index(at: position)
    return leaf.withUnsafeBufferPointer { $0.borrow(index) { $0.id } }
  }

  /// Returns the index in the leaf of a position, after a descent to it.
  private mutating func index(at position: ElementPosition) -> Int {
    let row = Int(position.row)
    if section != position.section {
      section = position.section
      rows = sections[Int(section)].rows.tree
      range = 0..<0
    }
    if !range.contains(row) {
      let start: Int
      (leaf, start) = rows.leaf(at: row)
      range = start..<start + leaf.count
    }
    return row - range.lowerBound
  }
}

extension RowPath {
  fileprivate init(_ position: ElementPosition) {
    self.init(section: Int(position.section), row: Int(position.row))
  }
}

/// The rows of kept sections to be compared: all except those in subtrees that both snapshots
/// share.
struct RowRuns {
  /// The rows of a section between two shared parts.
  private struct Run {
    let pair: SectionPair
    let old: Range<Int>
    let new: Range<Int>
  }

  private var runs: [Run] = []

  /// Finds the rows that are not shared of each pair of sections.
  ///
  /// - Parameter pairs: The kept sections that are not shared, in the order of the new ones.
  /// - Complexity: O(*m*) expected, where *m* is the number of nodes that only one of two paired
  ///   sections has.
  init(between pairs: [SectionPair]) {
    for pair in pairs {
      let old = pair.old.rows.tree
      let new = pair.new.rows.tree
      if old.isIdentical(to: new) { continue }
      for run in TreeAlignment(from: old, to: new).runs where !run.isShared {
        runs.append(Run(pair: pair, old: run.old, new: run.new))
      }
    }
  }

  /// Returns the operations on the rows.
  ///
  /// - Complexity: O(*n* + *w* log *w*) expected, where *n* is the number of rows to compare and
  ///   *w* the number of those in the largest section whose order changed.
  func editScript() -> EditScript {
    PersistentSequence.withElements(of: runs.map { ($0.pair.old.rows.tree, $0.old) }) { old in
      PersistentSequence.withElements(of: runs.map { ($0.pair.new.rows.tree, $0.new) }) { new in
        var (oldRest, newRest) = (old[...], new[...])
        return EditScript(
          rows: runs.map { run in
            defer {
              oldRest = oldRest.dropFirst(run.old.count)
              newRest = newRest.dropFirst(run.new.count)
            }
            return ElementRun(
              oldStart: ElementPosition(
                section: Int32(run.pair.oldIndex), row: Int32(run.old.lowerBound)),
              newStart: ElementPosition(
                section: Int32(run.pair.newIndex), row: Int32(run.new.lowerBound)),
              old: UnsafeBufferPointer(rebasing: oldRest.prefix(run.old.count)),
              new: UnsafeBufferPointer(rebasing: newRest.prefix(run.new.count)))
          })
      }
    }
  }
}
