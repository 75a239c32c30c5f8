import CanonicalJSON
import Snapshots

/// Names the histories of one engine.
///
/// The epoch of a history follows from the seed, the owner and the name of the view model and the birth of
/// its key: a key that was removed and came again has another epoch. The seed is secret, so that a client cannot
/// look for names whose epochs are equal.
struct EpochSource: Sendable {
  let seed: [UInt8]

  /// The epoch of a view model.
  ///
  /// - Parameters:
  ///   - owner: `nil` for a view model that all share.
  ///   - born: The position of the input that created the key; 0 if it was there at the start.
  func epoch(of name: Text, owner: Owner?, born: Int) -> RevisionEpoch {
    // As JSON, so that no two owners, births and names give the same bytes.
    let id: JSONValue = [
      owner.map { .string($0.rawValue) } ?? .null, .integer(born), .string(name),
    ]
    var hash = SHA256()
    hash.update(seed + id.canonicalBytes())
    return RevisionEpoch(hash: hash.finalize().prefix(8).reduce(0) { $0 << 8 | UInt64($1) })
  }
}
