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

extension Changeset {
  /// The operations on the elements of one kind: sections, or rows.
  public struct Group<Position: Hashable & Sendable, Element: Hashable & Sendable>: Hashable,
    Sendable
  {
    /// Descending by `at`.
    public var deletes: [Deletion<Position>]
    /// Ascending by `at`.
    public var inserts: [Insertion<Position, Element>]
    /// Ascending by `to`.
    public var moves: [Move<Position>]
    /// Ascending by `to`.
    public var updates: [Update<Position>]

    public init(
      deletes: [Deletion<Position>] = [], inserts: [Insertion<Position, Element>] = [],
      moves: [Move<Position>] = [], updates: [Update<Position>] = []
    ) {
      self.deletes = deletes
      self.inserts = inserts
      self.moves = moves
      self.updates = updates
    }

    /// Whether there is no operation.
    public var isEmpty: Bool { operationCount == 0 }

    /// The number of operations.
    public var operationCount: Int {
      deletes.count + inserts.count + moves.count + updates.count
    }
  }
}

extension Changeset {
  /// An element that goes.
  public struct Deletion<Position: Hashable & Sendable>: Hashable, Sendable {
    public var id: Text
    /// Where it stood in the old snapshot.
    public var at: Position

    public init(id: Text, at: Position) {
      self.id = id
      self.at = at
    }
  }

  /// An element that comes.
  public struct Insertion<Position: Hashable & Sendable, Element: Hashable & Sendable>: Hashable,
    Sendable
  {
    /// Where it stands in the new snapshot.
    public var at: Position
    public var element: Element

    public init(at: Position, element: Element) {
      self.at = at
      self.element = element
    }
  }

  /// A kept element that changes its place among the kept ones.
  public struct Move<Position: Hashable & Sendable>: Hashable, Sendable {
    public var id: Text
    /// Where it stood in the old snapshot.
    public var from: Position
    /// Where it stands in the new snapshot.
    public var to: Position

    public init(id: Text, from: Position, to: Position) {
      self.id = id
      self.from = from
      self.to = to
    }
  }

  /// A kept element that changes its fields.
  public struct Update<Position: Hashable & Sendable>: Hashable, Sendable {
    public var id: Text
    /// Where it stood in the old snapshot.
    public var from: Position
    /// Where it stands in the new snapshot.
    public var to: Position
    /// The fields that are new or different. A null is a value.
    public var set: [Text: JSONValue]
    /// The names of the fields that are gone, sorted by their bytes.
    public var unset: [Text]

    public init(
      id: Text, from: Position, to: Position, set: [Text: JSONValue] = [:],
      unset: [Text] = []
    ) {
      self.id = id
      self.from = from
      self.to = to
      self.set = set
      self.unset = unset
    }
  }
}

extension Changeset.Insertion where Position == RowPath, Element == Row {
  /// The row that comes.
  public var row: Row { element }
}

extension Changeset.Insertion where Position == Int, Element == Section {
  /// The section that comes, with its rows.
  public var section: Section { element }
}
