public import CanonicalJSON

/// Why a store refused a read or a write. Nothing has changed.
///
/// `Missing` lists the kinds of elements of the store.
public enum StoreError<Missing: Hashable & Sendable>: Error, Hashable, Sendable {
  /// There is no element of this kind with the id.
  case missing(Missing)
  /// There is a resource with this id already.
  case duplicateID(ResourceID)
  /// The resource has another version than the caller had read.
  case changedMeanwhile
  /// The store has reached a limit.
  case full
  /// A document does not describe a resource.
  case malformed(JSONShapeError)
  /// The key of the request came with another request before.
  case reusedKey
}

extension StoreError: Codable where Missing: Codable {}

extension StoreError: KeyRefusal where Missing: Codable {
  public var isFinal: Bool { self != .changedMeanwhile }
}

extension StoreError {
  /// Checks the version of a resource that is to be written.
  ///
  /// - Parameters:
  ///   - version: The version that the resource has.
  ///   - expected: The version that the caller had read; `nil` if any will do.
  /// - Throws: ``changedMeanwhile`` if the version is another one.
  public static func check(_ version: Int, against expected: Int?) throws(StoreError) {
    if let expected, expected != version { throw .changedMeanwhile }
  }
}

extension JSONReader {
  /// Puts what was read from here into a store that is being filled.
  ///
  /// - Throws: `JSONShapeError` for an id that is used twice, and for more than the store takes.
  package func storing<Missing>(
    _ insert: () throws(StoreError<Missing>) -> Void
  ) throws(JSONShapeError) {
    do {
      try insert()
    } catch {
      switch error {
      case .duplicateID(let id):
        throw JSONShapeError(
          pointer: pointer.appending("id"), message: "the id \(id) is used twice")
      case .full:
        throw self.error("this is more than the store takes")
      case .malformed(let error):
        throw error
      case .missing, .changedMeanwhile, .reusedKey:
        throw self.error("this belongs to something that is not there")
      }
    }
  }
}
