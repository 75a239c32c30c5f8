public import CanonicalJSON

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

  /// An element that goes.
  public struct Deletion<Position: Hashable & Sendable>: Hashable, Sendable {
    public var id: String
    /// Where it stood in the old snapshot.
    public var at: Position

    public init(id: String, at: Position) {
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
    public var id: String
    /// Where it stood in the old snapshot.
    public var from: Position
    /// Where it stands in the new snapshot.
    public var to: Position

    public init(id: String, from: Position, to: Position) {
      self.id = id
      self.from = from
      self.to = to
    }
  }

  /// A kept element that changes its fields.
  public struct Update<Position: Hashable & Sendable>: Hashable, Sendable {
    public var id: String
    /// Where it stood in the old snapshot.
    public var from: Position
    /// Where it stands in the new snapshot.
    public var to: Position
    /// The fields that are new or different. A null is a value.
    public var set: [String: JSONValue]
    /// The names of the fields that are gone, sorted by their bytes.
    public var unset: [String]

    public init(
      id: String, from: Position, to: Position, set: [String: JSONValue] = [:],
      unset: [String] = []
    ) {
      self.id = id
      self.from = from
      self.to = to
      self.set = set
      self.unset = unset
    }
  }
}
