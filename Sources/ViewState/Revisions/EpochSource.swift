import CanonicalJSON
import Snapshots

/// Makes the epochs of an engine.
///
/// An epoch follows from the seed of the engine, from the name of the view model, and from the position of the
/// input that created its key: a key that is removed and created again has another epoch. The seed is secret, so that a
/// client cannot search for names with equal epochs.
struct EpochSource: Sendable {
  let seed: [UInt8]

  /// Returns the epoch of a view model.
  ///
  /// - Parameters:
  ///   - name: The screen with its key, such as `profile/1`.
  ///   - born: The position of the input that created the key; 0 if it was there at the start.
  func epoch(of name: Text, born: Int) -> RevisionEpoch {
    // As JSON, so that no two pairs of a birth and a name give the same bytes.
    let id: JSONValue = [.integer(born), .string(name)]
    var hash = SHA256()
    hash.update(seed + id.canonicalBytes())
    return RevisionEpoch(hash: hash.finalize().prefix(8).reduce(0) { $0 << 8 | UInt64($1) })
  }
}
