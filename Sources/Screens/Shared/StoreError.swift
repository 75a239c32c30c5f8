public import CanonicalJSON

/// Why a store did not do what it was asked for. Nothing has changed.
///
/// `Missing` says what a store of this kind may turn out not to have.
public enum StoreError<Missing: Hashable & Sendable>: Error, Hashable, Sendable {
  /// Something that was named is not there.
  case missing(Missing)
  /// There is a resource with this id already.
  case duplicateID(ResourceID)
  /// The resource is not of the version that the caller had read.
  case changedMeanwhile
  /// The store holds as many as it may, or as much.
  case full
  /// A document does not describe a resource.
  case malformed(JSONShapeError)
}

extension StoreError {
  /// Checks the version of a resource that is to be written.
  ///
  /// - Parameter expected: the version that the caller had read; `nil` where any will do.
  /// - Throws: `changedMeanwhile` for another one.
  static func check(_ version: Int, against expected: Int?) throws(StoreError) {
    if let expected, expected != version { throw .changedMeanwhile }
  }
}
