public import CanonicalJSON
public import Snapshots

/// Performs a changeset as UITableView's `performBatchUpdates` does, on lists of ids alone, and
/// refuses what UIKit raises an exception for. It shares no code with the engine that it judges.
public struct BatchUpdateSimulator {
  /// The sections' ids with those of their rows.
  public typealias Sections = [(id: Text, rows: [Text])]

  let before: Sections
  let after: Sections
  let changeset: Changeset

  /// A simulator of one batch; `after` is what the data source says when the batch is performed.
  public init(before: Snapshot, after: Snapshot, changeset: Changeset) {
    self.before = Self.ids(of: before)
    self.after = Self.ids(of: after)
    self.changeset = changeset
  }

  /// Performs the batch and compares the result with what the data source says.
  ///
  /// - Throws: ``LawViolation`` with UIKit's complaint.
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

  /// The old index of the section at a new index: of a moved one where it came from, of the others
  /// by counting, as UIKit does.
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
