extension Section {
  /// The rows of a section, in order.
  ///
  /// How they are stored is no part of the interface, so that snapshots can come to share parts.
  public struct Rows: Sendable {
    private let elements: [Row]
    /// The rows' part of the digest.
    let fold: DigestFold

    init(_ rows: some Sequence<Row>) {
      elements = Array(rows)
      fold = DigestFold(elements.lazy.map(\.contentHash))
    }
  }
}

extension Section.Rows: RandomAccessCollection {
  public var startIndex: Int { elements.startIndex }
  public var endIndex: Int { elements.endIndex }

  /// The row at a position.
  ///
  /// - Precondition: the position is in the collection's bounds.
  public subscript(position: Int) -> Row { elements[position] }
}

extension Section.Rows: Hashable {
  public static func == (left: Section.Rows, right: Section.Rows) -> Bool {
    left.fold == right.fold && left.elements == right.elements
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(fold)
  }
}
