extension Section {
  /// The rows of a section, in order.
  ///
  /// Sections of several snapshots share what is the same in them; see ``PersistentSequence``. So a
  /// row at a position is found in O(log *n*), where *n* is the number of rows; walking through all
  /// of them is O(*n*).
  public struct Rows: Sendable, Hashable {
    let tree: PersistentSequence<Row>

    init(_ rows: some Sequence<Row>) {
      self.init(tree: PersistentSequence(Array(rows)))
    }

    init(tree: PersistentSequence<Row>) {
      self.tree = tree
    }

    var measure: TreeMeasure { tree.measure }
    /// The rows' part of the digest.
    var fold: DigestFold { tree.measure.fold }
  }
}

extension Section.Rows: RandomAccessCollection {
  public var startIndex: Int { 0 }
  public var endIndex: Int { tree.count }

  /// The row at a position.
  ///
  /// - Precondition: the position is in the collection's bounds.
  /// - Complexity: O(log *n*), where *n* is the number of rows.
  public subscript(position: Int) -> Row { tree[position] }

  public func makeIterator() -> Iterator { Iterator(base: tree.makeIterator()) }

  /// Walks the rows in order; a row costs O(1) on average.
  public struct Iterator: IteratorProtocol {
    var base: PersistentSequence<Row>.Iterator

    public mutating func next() -> Row? { base.next() }
  }
}
