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

/// What a node knows of all that stands below it.
///
/// The measures of two lists give that of their concatenation, so that a tree of any shape has the
/// measure of its elements in a row (a monoid, as in Hinze and Paterson's finger trees, 2006).
struct TreeMeasure: Hashable, Sendable {
  /// The number of elements.
  private(set) var count = 0
  /// The number of rows in the elements: of a row 1.
  private(set) var rowCount = 0
  /// The size of the elements' JSON with a comma after each, in bytes.
  private(set) var byteCount = 0
  /// The elements' part of the digest.
  private(set) var fold = DigestFold()

  /// Appends the measure of what follows.
  mutating func append(_ other: TreeMeasure) {
    count += other.count
    rowCount += other.rowCount
    byteCount += other.byteCount
    fold.append(other.fold)
  }
}
