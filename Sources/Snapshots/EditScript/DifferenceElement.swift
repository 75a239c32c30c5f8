import CanonicalJSON

/// An element of the lists that a difference is found between: it has an identity and content.
///
/// The engine reads the elements in the caller's storage and copies none. It is written for
/// noncopyable elements, so the compiler proves this. A copy would update a reference count in a
/// distant cache line that nothing else needs.
@usableFromInline
package protocol DifferenceElement: ~Copyable {
  /// Returns whether two elements have the same identity, so that an update can turn one into the
  /// other.
  ///
  /// This is an equivalence relation in which no two elements of one list are related. If some are,
  /// the difference still leads from one list to the other, but it may not have the fewest
  /// operations.
  func isSameItem(as other: borrowing Self) -> Bool

  /// Returns `true` if two elements have the same identity, and `false` for almost all others.
  ///
  /// The engine compares what it finds by this hint in full, so its quality affects only the cost.
  func isLikelySameItem(as other: borrowing Self) -> Bool

  /// Returns whether two elements with the same identity also have the same content.
  func hasSameContent(as other: borrowing Self) -> Bool

  /// Returns what the elements have in common, by one comparison instead of two.
  func relation(to other: borrowing Self) -> ElementRelation

  /// Returns `true` if the elements are known to have the same identity and content without reading
  /// either.
  ///
  /// `false` means unknown. For references this compares addresses, which costs less than following
  /// them into distant memory.
  func isIdentical(to other: borrowing Self) -> Bool

  /// A byte derived from the identity; equal for elements with the same identity.
  ///
  /// It should be stored where ``isSameItem(as:)`` reads, however distant: the engine reads this
  /// byte of many elements in a row, so that the processor fetches their memory in parallel. Its
  /// quality affects only the cost, as that of the hash does.
  var identityByte: UInt8 { get }

  /// Returns a hash of the identity: equal for elements with the same identity, and different for
  /// most others.
  ///
  /// Its quality affects only the cost of the engine and not the result: elements with equal hashes
  /// are still compared.
  ///
  /// - Parameter key: A random number of this process. An element that computes its hash here uses
  ///   this key, because ids may come from an adversary who wants them to collide.
  func identityHash(key: UInt64) -> UInt64
}

/// What an element of the old list and one of the new list have in common.
@usableFromInline
package enum ElementRelation {
  /// The identity and the content.
  case equal
  /// The identity only, so that an update can turn one into the other.
  case updated
  /// Not the identity.
  case unrelated
}

extension DifferenceElement where Self: ~Copyable {
  @inlinable
  package func isIdentical(to other: borrowing Self) -> Bool { false }

  @inlinable
  package func isLikelySameItem(as other: borrowing Self) -> Bool { isSameItem(as: other) }

  @inlinable
  package func relation(to other: borrowing Self) -> ElementRelation {
    if !isSameItem(as: other) { return .unrelated }
    return hasSameContent(as: other) ? .equal : .updated
  }
}

/// The hashes of a row were computed when it was created, so a difference computes none.
extension Row: DifferenceElement {
  @usableFromInline package func isLikelySameItem(as other: Row) -> Bool {
    idHash == other.idHash
  }

  @usableFromInline package func hasSameContent(as other: Row) -> Bool { self == other }

  /// Equal rows are recognised by their bytes, which contain the id and the type.
  @usableFromInline package func relation(to other: Row) -> ElementRelation {
    if idHash != other.idHash { return .unrelated }
    if hasSameContent(as: other) { return .equal }
    return isSameItem(as: other) ? .updated : .unrelated
  }

  @usableFromInline package var identityByte: UInt8 { FoldedHash.ends(of: id.string) }

  /// Returns the hash of the id, which already depends on a random key of the process.
  @usableFromInline package func identityHash(key: UInt64) -> UInt64 {
    keyHash
  }
}

/// Sections are matched by id, and an update is any other content.
extension Section: DifferenceElement {
  @usableFromInline package func isSameItem(as other: Section) -> Bool {
    hasSameIdentifier(as: other)
  }

  @usableFromInline package func hasSameContent(as other: Section) -> Bool { self == other }

  @usableFromInline package var identityByte: UInt8 { FoldedHash.ends(of: id.string) }

  @usableFromInline package func identityHash(key: UInt64) -> UInt64 {
    keyHash
  }
}

extension EditScript {
  /// Finds the edit script that turns the old rows of all runs into the new ones.
  ///
  /// This compiles the engine for rows in the module that knows their layout.
  package init(rows runs: [ElementRun<Row>]) {
    self.init(runs: runs)
  }
}
