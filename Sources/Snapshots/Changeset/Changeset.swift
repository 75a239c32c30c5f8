public import CanonicalJSON

/// The changes that turn one snapshot into another, by the batch-update rules of UITableView.
///
/// The position of a deletion and the `from` of a move or update are positions in the old snapshot;
/// the position of an insertion and every `to` are positions in the new one. Deletions are
/// descending, all others ascending by their position in the new snapshot. The rows of inserted and
/// deleted sections are not listed one by one. A row or section whose content changes has one
/// update, even if it moves too. A row that changes its type is a deletion and an insertion. A kept row
/// or section with another generation has a reload, beside its update and move if it has them.
public struct Changeset: Hashable, Sendable {
  /// The states that are new or different, by the name of the source; `nil` for a source that is
  /// removed.
  public var states: [Text: Text?]
  /// The operations on sections and on the fields of the kept ones.
  public var sections: Group<Int, Section>
  /// The operations on the rows of kept sections.
  public var rows: Group<RowPath, Row>
  /// The number of rows of the new snapshot.
  public var rowCount: Int
  /// The digest of the new snapshot.
  public var digest: Digest
  /// The window of the new snapshot; `nil` if that has all rows.
  public var window: SeenWindow?
  /// Whether a client may animate the changes. It is a hint, and `true` unless set.
  public var isAnimated = true

  /// Creates a changeset.
  ///
  /// - Parameters:
  ///   - states: The states that are new or different; `nil` for a source that is removed.
  ///   - sections: The operations on sections.
  ///   - rows: The operations on the rows of kept sections.
  ///   - rowCount: The number of rows of the new snapshot.
  ///   - digest: The digest of the new snapshot.
  ///   - window: The window of the new snapshot; `nil` if that has all rows.
  public init(
    states: [Text: Text?] = [:], sections: Group<Int, Section> = Group(),
    rows: Group<RowPath, Row> = Group(), rowCount: Int, digest: Digest, window: SeenWindow? = nil
  ) {
    self.states = states
    self.sections = sections
    self.rows = rows
    self.rowCount = rowCount
    self.digest = digest
    self.window = window
  }

  /// Whether there are no operations. The ``window`` may differ from that of the old snapshot all the same.
  public var isEmpty: Bool { operationCount == 0 }

  /// The number of deletions, insertions, moves, reloads, updates and changed states.
  public var operationCount: Int {
    states.count + sections.operationCount + rows.operationCount
  }
}

extension Changeset {
  /// The operations on elements of one kind: sections or rows.
  public struct Group<Position: Hashable & Sendable, Element: Hashable & Sendable>: Hashable,
    Sendable
  {
    /// The elements that are deleted, descending by `at`.
    public var deletes: [Deletion<Position>]
    /// The elements that are inserted, ascending by `at`.
    public var inserts: [Insertion<Position, Element>]
    /// The kept elements that move, ascending by `to`.
    public var moves: [Move<Position>]
    /// The kept elements that a client draws again although they may be equal, ascending by `to`. A section is
    /// drawn again with the rows that it keeps; these are not listed one by one.
    public var reloads: [Reload<Position>]
    /// The kept elements whose fields change, ascending by `to`.
    public var updates: [Update<Position>]

    /// Creates a group from operations that are in the required order.
    public init(
      deletes: [Deletion<Position>] = [], inserts: [Insertion<Position, Element>] = [],
      moves: [Move<Position>] = [], reloads: [Reload<Position>] = [],
      updates: [Update<Position>] = []
    ) {
      self.deletes = deletes
      self.inserts = inserts
      self.moves = moves
      self.reloads = reloads
      self.updates = updates
    }

    /// Whether there are no operations.
    public var isEmpty: Bool { operationCount == 0 }

    /// The number of operations.
    public var operationCount: Int {
      deletes.count + inserts.count + moves.count + reloads.count + updates.count
    }
  }
}

extension Changeset {
  /// The deletion of an element.
  public struct Deletion<Position: Hashable & Sendable>: Hashable, Sendable {
    /// The id of the element.
    public var id: Text
    /// The position in the old snapshot.
    public var at: Position

    /// Creates the deletion of the element with an id at a position.
    public init(id: Text, at: Position) {
      self.id = id
      self.at = at
    }
  }

  /// The insertion of an element.
  public struct Insertion<Position: Hashable & Sendable, Element: Hashable & Sendable>: Hashable,
    Sendable
  {
    /// The position in the new snapshot.
    public var at: Position
    /// The inserted element.
    public var element: Element

    /// Creates the insertion of an element at a position.
    public init(at: Position, element: Element) {
      self.at = at
      self.element = element
    }
  }

  /// The move of a kept element to another place among the kept ones.
  public struct Move<Position: Hashable & Sendable>: Hashable, Sendable {
    /// The id of the element.
    public var id: Text
    /// The position in the old snapshot.
    public var from: Position
    /// The position in the new snapshot.
    public var to: Position

    /// Creates the move of the element with an id.
    public init(id: Text, from: Position, to: Position) {
      self.id = id
      self.from = from
      self.to = to
    }
  }

  /// The request to draw a kept element again.
  ///
  /// In a batch update of UITableView the position to reload is `from`. A batch cannot both move and reload an
  /// element, so reload an element that also moves at `to` after the batch.
  public typealias Reload<Position: Hashable & Sendable> = Move<Position>

  /// The change of the fields of a kept element.
  public struct Update<Position: Hashable & Sendable>: Hashable, Sendable {
    /// The id of the element.
    public var id: Text
    /// The position in the old snapshot.
    public var from: Position
    /// The position in the new snapshot.
    public var to: Position
    /// The fields that are new or different. A null is a value.
    ///
    /// - Complexity: O(*n*) expected, where *n* is the size of the fields.
    public var set: [Text: JSONValue] {
      get { fields.values }
      set { fields = .values(newValue) }
    }
    /// The names of the fields that are removed, sorted by their bytes.
    public var unset: [Text]
    /// The fields of ``set``.
    private(set) var fields: UpdatedFields

    /// Creates the update of the element with an id.
    public init(
      id: Text, from: Position, to: Position, set: [Text: JSONValue] = [:],
      unset: [Text] = []
    ) {
      self.init(id: id, from: from, to: to, fields: .values(set), unset: unset)
    }

    init(id: Text, from: Position, to: Position, fields: UpdatedFields, unset: [Text]) {
      self.id = id
      self.from = from
      self.to = to
      self.fields = fields
      self.unset = unset
    }
  }
}

extension Changeset.Insertion where Position == RowPath, Element == Row {
  /// The inserted row.
  public var row: Row { element }
}

extension Changeset.Insertion where Position == Int, Element == Section {
  /// The inserted section with its rows.
  public var section: Section { element }
}
