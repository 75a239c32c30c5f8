import CanonicalJSON

/// An element of the lists whose difference is sought: what it stands for, and what it says.
///
/// The engine asks these of the elements where they lie, in the caller's storage, and copies none: it
/// is written for elements that cannot be copied, so that the compiler proves it. A copy would count
/// references in memory that is far away and needed for nothing else.
@usableFromInline
package protocol DifferenceElement: ~Copyable {
  /// Whether two elements stand for the same thing, so that one can become the other by an update.
  ///
  /// An equivalence in which no two elements of one list are related. Where some are, the
  /// difference still leads from one list to the other, but another may have fewer operations.
  func isSameItem(as other: borrowing Self) -> Bool

  /// Whether two elements that stand for the same thing also say the same.
  func hasSameContent(as other: borrowing Self) -> Bool

  /// Whether it is plain, without reading either, that both are the same item of the same content.
  ///
  /// `false` says nothing. For references it is a comparison of addresses, which costs less than
  /// what they refer to, far away in memory.
  func isIdentical(to other: borrowing Self) -> Bool

  /// A byte made of what says what the element stands for; alike for elements that stand for the same
  /// thing.
  ///
  /// It is to lie where ``isSameItem(as:)`` will read, however far away in memory: the engine asks
  /// many elements for it, one right after another, and the processor fetches what they refer to all
  /// at once. As for the hash, only the cost rests on its quality.
  var identityByte: UInt8 { get }

  /// A number that is alike for elements that stand for the same thing, and for few others.
  ///
  /// The engine's cost rests on its quality, its result does not: elements of one hash are still
  /// compared.
  ///
  /// - Parameter key: A random number of this process. An element that computes its hash here does
  ///   so under this key, for ids may come from someone who wants them to collide.
  func identityHash(key: UInt64) -> UInt64
}

extension DifferenceElement where Self: ~Copyable {
  @inlinable
  package func isIdentical(to other: borrowing Self) -> Bool { false }
}

/// A row knows its hashes since it was made, so that none is computed for a difference.
extension Row: DifferenceElement {
  @usableFromInline package func hasSameContent(as other: Row) -> Bool { self == other }

  @usableFromInline package var identityByte: UInt8 { FoldedHash.ends(of: id.string) }

  /// The id's hash, which is under a key of the process already.
  @usableFromInline package func identityHash(key: UInt64) -> UInt64 {
    UInt64(bitPattern: Int64(idHash))
  }
}

extension EditScript {
  /// Finds what turns the old rows of all runs into the new ones: the engine compiled for rows,
  /// here where what they are made of is known.
  package init(rows runs: [ElementRun<Row>]) {
    self.init(runs: runs)
  }
}
