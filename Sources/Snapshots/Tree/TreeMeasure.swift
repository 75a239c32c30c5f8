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
