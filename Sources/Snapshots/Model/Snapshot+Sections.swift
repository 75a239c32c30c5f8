extension Snapshot {
  /// The sections of a snapshot, in order.
  public struct Sections: Sendable, Hashable {
    private let elements: [Section]

    init(_ sections: some Sequence<Section>) {
      elements = Array(sections)
    }
  }
}

extension Snapshot.Sections: RandomAccessCollection {
  public var startIndex: Int { elements.startIndex }
  public var endIndex: Int { elements.endIndex }

  /// The section at a position.
  ///
  /// - Precondition: the position is in the collection's bounds.
  public subscript(position: Int) -> Section { elements[position] }
}
