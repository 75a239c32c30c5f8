public import CanonicalJSON

/// What turns one snapshot into another, by the batch-update rules of UITableView.
///
/// The position of a deletion and the `from` of a move or update are those in the old snapshot, the
/// position of an insertion and the `to` are those in the new one. Deletions are listed descending,
/// all others ascending by their position in the new snapshot. Rows of inserted and deleted
/// sections are not listed one by one. A row or section that changes is one update, whether or not
/// it moves as well; a row that changes its type is a deletion and an insertion.
public struct Changeset: Hashable, Sendable {
  /// The states that are new or different; `nil` for one that is gone.
  public var states: [Text: Text?]
  /// What happens to whole sections and to the fields of kept ones.
  public var sections: Group<Int, Section>
  /// What happens to the rows of kept sections, and of those that rows move between.
  public var rows: Group<RowPath, Row>
  /// The number of rows of the new snapshot.
  public var rowCount: Int
  /// The digest of the new snapshot.
  public var digest: Digest

  public init(
    states: [Text: Text?] = [:], sections: Group<Int, Section> = Group(),
    rows: Group<RowPath, Row> = Group(), rowCount: Int, digest: Digest
  ) {
    self.states = states
    self.sections = sections
    self.rows = rows
    self.rowCount = rowCount
    self.digest = digest
  }

  /// Whether nothing changes.
  public var isEmpty: Bool { operationCount == 0 }

  /// The number of deletions, insertions, moves, updates and changed states.
  public var operationCount: Int {
    states.count + sections.operationCount + rows.operationCount
  }
}
