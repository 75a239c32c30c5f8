/// An element of a ``PersistentSequence``: a row of a section, a section of a snapshot, or an
/// element of a ``KeyedSequence``.
protocol TreeElement: Sendable, Equatable {
  associatedtype Key: Hashable & Sendable

  /// The id of the element, unique in its snapshot or sequence.
  var identifier: Key { get }
  /// The contribution of the element to the measure of the nodes above it.
  var measure: TreeMeasure { get }
  /// Returns whether both are references to the same element, which implies that they are equal.
  func isIdentical(to other: Self) -> Bool
  /// Returns whether both have the same id. Their content may differ.
  func hasSameIdentifier(as other: Self) -> Bool
  /// The hash of the id in this process.
  var keyHash: UInt64 { get }
  /// Computes the content hashes of elements that a leaf will hold, if they have none yet.
  static func hash(_ elements: [Self])
}

extension TreeElement {
  static func hash(_ elements: [Self]) {}

  func hasSameIdentifier(as other: Self) -> Bool {
    keyHash == other.keyHash && (isIdentical(to: other) || identifier == other.identifier)
  }
}

extension Row: TreeElement {
  var measure: TreeMeasure {
    TreeMeasure(
      count: 1, rowCount: 1, byteCount: encoded.count + 1, unwritableCount: isWritable ? 0 : 1,
      fold: DigestFold(of: contentHash))
  }

  var keyHash: UInt64 { UInt64(bitPattern: Int64(idHash)) }
}

extension Section: TreeElement {
  func hasSameIdentifier(as other: Section) -> Bool {
    sharesFrame(with: other) || identifier == other.identifier
  }

  var keyHash: UInt64 { UInt64(bitPattern: Int64(identifier.textHash)) }
  var measure: TreeMeasure {
    TreeMeasure(
      count: 1, rowCount: rows.count,
      byteCount: frameByteCount + rows.measure.byteCount,
      unwritableCount: rows.measure.unwritableCount + (isWritable ? 0 : 1),
      fold: DigestFold(of: contentHash))
  }
}

/// The totals of all elements below a node.
///
/// The measures of two lists add up to that of their concatenation, so the measure does not depend
/// on the shape of the tree (a monoid, as in the finger trees of Hinze and Paterson, 2006).
struct TreeMeasure: Hashable, Sendable {
  /// The number of elements.
  private(set) var count = 0
  /// The number of rows in the elements; 1 for a row.
  private(set) var rowCount = 0
  /// The size of the elements' JSON in bytes, with a comma after each element.
  private(set) var byteCount = 0
  /// The number of rows and sections that JSON cannot carry.
  private(set) var unwritableCount = 0
  /// The part of the digest that depends on the elements.
  private(set) var fold = DigestFold()

  /// Replaces the measure of some elements by that of as many others.
  ///
  /// - Parameter count: The number of elements behind them.
  /// - Complexity: O(log *n*), where *n* is the number of elements behind them.
  mutating func replace(_ old: TreeMeasure, with new: TreeMeasure, before count: Int) {
    rowCount += new.rowCount - old.rowCount
    byteCount += new.byteCount - old.byteCount
    unwritableCount += new.unwritableCount - old.unwritableCount
    fold.replace(old.fold, with: new.fold, before: count)
  }

  /// Appends the measure of the elements that follow.
  mutating func append(_ other: TreeMeasure) {
    count += other.count
    rowCount += other.rowCount
    byteCount += other.byteCount
    unwritableCount += other.unwritableCount
    fold.append(other.fold)
  }
}
