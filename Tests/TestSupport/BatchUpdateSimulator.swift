public import CanonicalJSON
public import Snapshots

/// A simulator of UITableView's `performBatchUpdates` that performs a changeset on lists of ids,
/// and fails if UIKit would raise an exception. It shares no code with the engine that it checks.
public struct BatchUpdateSimulator {
  /// The ids of the sections, each with the ids of its rows.
  public typealias Sections = [(id: Text, rows: [Text])]

  let before: Sections
  let after: Sections
  let changeset: Changeset

  /// Creates a simulator of one batch. `after` is the state of the data source when the batch is
  /// performed.
  public init(before: Snapshot, after: Snapshot, changeset: Changeset) {
    self.before = Self.ids(of: before)
    self.after = Self.ids(of: after)
    self.changeset = changeset
  }

  /// Performs the batch and compares the result with the state of the data source.
  ///
  /// - Throws: ``LawViolation`` with UIKit's error message.
  public func run() throws {
    try checkPositions()
    try checkCollisions()
    try checkCounts()
    let result = try perform()
    try require(
      result.elementsEqual(after) { $0 == $1 },
      "the batch leads to \(result) instead of \(after)")
  }

  static func ids(of snapshot: Snapshot) -> Sections {
    snapshot.sections.map { ($0.id, $0.rows.map(\.id)) }
  }

  /// Returns the old index of the section at each new index: the origin of a moved section, and for
  /// the others the result of counting, as UIKit does.
  func keptSections() throws -> [Int?] {
    var result = [Int??](repeating: nil, count: after.count)
    for insert in changeset.sections.inserts { result[insert.at] = .some(nil) }
    for move in changeset.sections.moves { result[move.to] = .some(move.from) }
    let gone = Set(changeset.sections.deletes.map(\.at) + changeset.sections.moves.map(\.from))
    var others = before.indices.filter { !gone.contains($0) }.makeIterator()
    let filled = result.map { $0 ?? others.next() }
    try require(others.next() == nil, "invalid number of sections")
    return filled
  }

  private func perform() throws -> Sections {
    let kept = try keptSections()
    var insertedSections = Dictionary(
      uniqueKeysWithValues: changeset.sections.inserts.map { ($0.at, $0.element) })
    var arrivals: [RowPath: Text] = [:]
    for insert in changeset.rows.inserts { arrivals[insert.at] = insert.element.id }
    for move in changeset.rows.moves {
      arrivals[move.to] = before[move.from.section].rows[move.from.row]
    }
    let gone = Set(changeset.rows.deletes.map(\.at) + changeset.rows.moves.map(\.from))
    return after.indices.map { section in
      guard let old = kept[section] else {
        let inserted = insertedSections.removeValue(forKey: section)!
        return (inserted.id, inserted.rows.map(\.id))
      }
      var others = before[old].rows.indices
        .filter { !gone.contains(RowPath(section: old, row: $0)) }
        .map { before[old].rows[$0] }
        .makeIterator()
      let rows = after[section].rows.indices.compactMap { row in
        arrivals[RowPath(section: section, row: row)] ?? others.next()
      }
      return (before[old].id, rows)
    }
  }
}

extension BatchUpdateSimulator {
  /// Checks for UIKit's "attempt to delete row 3 from section 0 which only contains 2 rows", and
  /// similar errors.
  func checkPositions() throws {
    let sections = changeset.sections
    let rows = changeset.rows
    for old in sections.deletes.map(\.at) + sections.moves.map(\.from)
      + sections.updates.map(\.from) + sections.reloads.map(\.from)
    {
      try require(before.indices.contains(old), "attempt to change section \(old) of \(before)")
    }
    for new in sections.inserts.map(\.at) + sections.moves.map(\.to) + sections.updates.map(\.to)
      + sections.reloads.map(\.to)
    {
      try require(after.indices.contains(new), "attempt to fill section \(new) of \(after)")
    }
    for old in rows.deletes.map(\.at) + rows.moves.map(\.from) + rows.updates.map(\.from)
      + rows.reloads.map(\.from)
    {
      try require(Self.has(old, in: before), "attempt to change row \(old) of \(before)")
    }
    for new in rows.inserts.map(\.at) + rows.moves.map(\.to) + rows.updates.map(\.to)
      + rows.reloads.map(\.to)
    {
      try require(Self.has(new, in: after), "attempt to fill row \(new) of \(after)")
    }
    for delete in rows.deletes {
      try require(
        before[delete.at.section].rows[delete.at.row] == delete.id, "another row is at \(delete)")
    }
    for move in rows.moves {
      try require(
        before[move.from.section].rows[move.from.row] == move.id
          && after[move.to.section].rows[move.to.row] == move.id, "another row is at \(move)")
    }
    for update in rows.updates {
      try require(
        before[update.from.section].rows[update.from.row] == update.id
          && after[update.to.section].rows[update.to.row] == update.id,
        "another row is at \(update)")
    }
    for reload in rows.reloads {
      try require(
        before[reload.from.section].rows[reload.from.row] == reload.id
          && after[reload.to.section].rows[reload.to.row] == reload.id,
        "another row is at \(reload)")
    }
    for reload in sections.reloads {
      try require(
        before[reload.from].id == reload.id && after[reload.to].id == reload.id,
        "another section is at \(reload)")
    }
  }

  /// Checks for UIKit's "attempt to perform a delete and a move from the same index path", "attempt
  /// to perform multiple inserts at the same index path", and operations inside whole sections.
  func checkCollisions() throws {
    let sections = changeset.sections
    let rows = changeset.rows
    try Self.requireUnique(sections.deletes.map(\.at) + sections.moves.map(\.from))
    try Self.requireUnique(sections.inserts.map(\.at) + sections.moves.map(\.to))
    try Self.requireUnique(sections.updates.map(\.to))
    try Self.requireUnique(rows.deletes.map(\.at) + rows.moves.map(\.from))
    try Self.requireUnique(rows.inserts.map(\.at) + rows.moves.map(\.to))
    try Self.requireUnique(rows.updates.map(\.to))

    try checkReloads()
    let deletedSections = Set(sections.deletes.map(\.at))
    for path in rows.deletes.map(\.at) + rows.moves.map(\.from) + rows.updates.map(\.from) {
      try require(
        !deletedSections.contains(path.section), "row operation in the deleted section at \(path)")
    }
    let insertedSections = Set(sections.inserts.map(\.at))
    for path in rows.inserts.map(\.at) + rows.moves.map(\.to) + rows.updates.map(\.to) {
      try require(
        !insertedSections.contains(path.section),
        "row operation in the inserted section at \(path)")
    }
  }

  /// Checks for UIKit's "attempt to delete and reload the same index path", and that a row is not reloaded twice:
  /// alone and with its section. What moves is reloaded after the batch.
  func checkReloads() throws {
    let (sections, rows) = (changeset.sections, changeset.rows)
    try Self.requireUnique(sections.reloads.map(\.to))
    try Self.requireUnique(rows.reloads.map(\.to))
    let kept = try keptSections()
    for reload in sections.reloads {
      try require(kept[reload.to] == reload.from, "the reloaded section \(reload) is not kept")
    }
    let (gone, come) = (Set(rows.deletes.map(\.at)), Set(rows.inserts.map(\.at)))
    let whole = Dictionary(uniqueKeysWithValues: sections.reloads.map { ($0.from, $0.to) })
    for reload in rows.reloads {
      try require(
        !gone.contains(reload.from) && !come.contains(reload.to)
          && kept.contains(reload.from.section) && kept[reload.to.section] != nil,
        "the reloaded row \(reload) is not kept")
      try require(
        whole[reload.from.section] != reload.to.section,
        "the row \(reload) of a reloaded section is listed")
    }
  }

  /// Checks for UIKit's "invalid number of rows in section 1: the number of rows contained in an
  /// existing section after the update must be equal to the number before, plus or minus …".
  func checkCounts() throws {
    let sections = changeset.sections
    try require(
      after.count == before.count + sections.inserts.count - sections.deletes.count,
      "invalid number of sections")
    for (section, old) in try keptSections().enumerated() {
      guard let old else { continue }
      let count = before[old].rows.count
      let inserted = changeset.rows.inserts.count { $0.at.section == section }
      let deleted = changeset.rows.deletes.count { $0.at.section == old }
      let movedIn = changeset.rows.moves.count { $0.to.section == section }
      let movedOut = changeset.rows.moves.count { $0.from.section == old }
      try require(
        after[section].rows.count == count + inserted - deleted + movedIn - movedOut,
        """
        invalid number of rows in section \(section): \(after[section].rows.count) after, \
        \(count) before, \(inserted) inserted, \(deleted) deleted, \(movedIn) moved in, \
        \(movedOut) moved out
        """)
    }
  }

  private static func has(_ path: RowPath, in sections: Sections) -> Bool {
    sections.indices.contains(path.section)
      && sections[path.section].rows.indices.contains(path.row)
  }

  private static func requireUnique(_ positions: [some Hashable]) throws {
    try require(
      Set(positions).count == positions.count, "two operations on one position of \(positions)")
  }
}

extension Snapshot {
  /// Returns the difference from another snapshot, after it was performed as a batch update and replayed.
  ///
  /// - Throws: ``LawViolation`` if UIKit would raise an exception, or if the difference does not lead here.
  public func provenDifference(from old: Snapshot) throws -> Changeset {
    let changes = difference(from: old)
    try BatchUpdateSimulator(before: old, after: self, changeset: changes).run()
    try require(try old.applying(changes) == self, "\(changes) leads elsewhere")
    return changes
  }
}
