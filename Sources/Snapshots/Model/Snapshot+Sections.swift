extension Snapshot {
  /// The sections of a snapshot, in order.
  ///
  /// Snapshots share what is the same in them, as ``Section/Rows`` do.
  public struct Sections: Sendable, Hashable {
    let tree: PersistentSequence<Section>

    init(tree: PersistentSequence<Section>) {
      self.tree = tree
    }
  }
}

extension Snapshot.Sections: RandomAccessCollection {
  public var startIndex: Int { 0 }
  public var endIndex: Int { tree.count }

  /// The section at a position.
  ///
  /// - Precondition: the position is in the collection's bounds.
  /// - Complexity: O(log *n*), where *n* is the number of sections.
  public subscript(position: Int) -> Section { tree[position] }

  public func makeIterator() -> Iterator { Iterator(base: tree.makeIterator()) }

  /// Walks the sections in order; a section costs O(1) on average.
  public struct Iterator: IteratorProtocol {
    var base: PersistentSequence<Section>.Iterator

    public mutating func next() -> Section? { base.next() }
  }
}
