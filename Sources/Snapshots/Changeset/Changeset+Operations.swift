public import CanonicalJSON

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
