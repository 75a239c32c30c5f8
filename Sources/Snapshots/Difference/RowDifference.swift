/// The operations on the rows of kept sections.
///
/// This is the only part of the engine that knows snapshots: it passes the rows that the sections
/// do not share to ``EditScript``, and adds ids and fields to the resulting positions.
struct RowDifference {
  private let old: Snapshot
  private let new: Snapshot
  private let script: EditScript
  /// The old index of each section that is drawn anew, by its new index.
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
    let script = RowRuns(between: pairs).editScript()
    let reloaded = pairs.filter { $0.reload != nil }.map { ($0.newIndex, $0.oldIndex) }
    return RowDifference(
      old: old, new: new, script: script, reloaded: Dictionary(uniqueKeysWithValues: reloaded)
    ).changes()
  }

  private func changes() -> Changeset.Group<RowPath, Row> {
    var changes = Changeset.Group<RowPath, Row>(
      deletes: script.deletes.map { .init(id: old[RowPath($0)].id, at: RowPath($0)) },
      inserts: script.inserts.map { .init(at: RowPath($0), element: new[RowPath($0)]) },
      moves: script.moves.map {
        .init(id: new[RowPath($0.to)].id, from: RowPath($0.from), to: RowPath($0.to))
      })
    for transition in script.updates {
      let (from, to) = (RowPath(transition.from), RowPath(transition.to))
      let (oldRow, row) = (old[from], new[to])
      if oldRow.generation != row.generation, reloaded[to.section] != from.section {
        changes.reloads.append(.init(id: row.id, from: from, to: to))
      }
      // Of rows with equal content the generations differ.
      if oldRow.contentHash == row.contentHash, oldRow.encoded == row.encoded { continue }
      let fields = FieldChanges(from: oldRow, to: row)
      changes.updates.append(
        .init(id: row.id, from: from, to: to, set: fields.set, unset: fields.unset))
    }
    return changes
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
  private var oldRows: ContiguousArray<Row> = []
  private var newRows: ContiguousArray<Row> = []
  private var runs: [Run] = []

  /// The rows of a section between two shared parts. They are consecutive in the lists of all rows.
  private struct Run {
    let oldStart: ElementPosition
    let newStart: ElementPosition
    let old: Range<Int>
    let new: Range<Int>
  }

  /// Collects the rows that are not shared from each pair of sections.
  ///
  /// - Parameter pairs: The kept sections that are not shared, in the order of the new ones.
  /// - Complexity: O(*m*) expected, where *m* is the number of nodes that only one of two paired
  ///   sections has and of the rows in these nodes.
  init(between pairs: [SectionPair]) {
    for pair in pairs {
      let old = pair.old.rows.tree
      let new = pair.new.rows.tree
      if old.isIdentical(to: new) { continue }
      for run in TreeAlignment(from: old, to: new).runs where !run.isShared {
        let oldCount = oldRows.count
        let newCount = newRows.count
        oldRows.append(contentsOf: old.elements(in: run.old))
        newRows.append(contentsOf: new.elements(in: run.new))
        runs.append(
          Run(
            oldStart: ElementPosition(
              section: Int32(pair.oldIndex), row: Int32(run.old.lowerBound)),
            newStart: ElementPosition(
              section: Int32(pair.newIndex), row: Int32(run.new.lowerBound)),
            old: oldCount..<oldRows.count, new: newCount..<newRows.count))
      }
    }
  }

  /// Returns the operations on the rows.
  ///
  /// - Complexity: O(*n* + *w* log *w*) expected, where *n* is the number of rows to compare and
  ///   *w* the number of those in the largest section whose order changed.
  func editScript() -> EditScript {
    oldRows.withUnsafeBufferPointer { oldRows in
      newRows.withUnsafeBufferPointer { newRows in
        // The runs point into the arrays and are used in this closure only, so the arrays outlive
        // them.
        EditScript(
          rows: runs.map { run in
            ElementRun(
              oldStart: run.oldStart, newStart: run.newStart,
              old: UnsafeBufferPointer(rebasing: oldRows[run.old]),
              new: UnsafeBufferPointer(rebasing: newRows[run.new]))
          })
      }
    }
  }
}
