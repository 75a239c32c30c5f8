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
