/// An element of a ``PersistentSequence``: a row of a section, a section of a snapshot, or an element of
/// a ``KeyedSequence``.
protocol TreeElement: Sendable, Equatable {
  associatedtype Key: Hashable & Sendable

  /// Names the element, unique in its snapshot or sequence.
  var identifier: Key { get }
  /// What the element adds to the measure of the nodes above it.
  var measure: TreeMeasure { get }
  /// Whether both are references to one element, which says at once that they are equal.
  func isIdentical(to other: Self) -> Bool
}

extension TreeElement {
  /// Whether both stand for the same thing, whatever their content.
  func hasSameIdentifier(as other: Self) -> Bool {
    isIdentical(to: other) || identifier == other.identifier
  }
}

extension Row: TreeElement {
  var measure: TreeMeasure {
    TreeMeasure(
      count: 1, rowCount: 1, byteCount: encoded.count + 1, fold: DigestFold(of: contentHash))
  }
}

extension Section: TreeElement {
  var measure: TreeMeasure {
    TreeMeasure(
      count: 1, rowCount: rows.count,
      byteCount: encodedHead.count + encodedTail.count + 1 + rows.measure.byteCount,
      fold: DigestFold(of: contentHash))
  }
}
