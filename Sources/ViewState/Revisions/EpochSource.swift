import CanonicalJSON
import Snapshots

/// Names the histories of one run of the process.
///
/// The epoch of a history follows from its first content. So an instance that was released can be made
/// again under the epoch that clients know, if and only if it shows the same: a token never names two
/// contents. The hash has a secret key (Swift's is SipHash, which is made for that), so an attacker can
/// look for two contents with one epoch only by trying them on this server.
struct EpochSource: Sendable {
  /// Beside the key of the hash, which is the same in every run if the environment says so.
  private let seed = (UInt64.random(in: .min ... .max), UInt64.random(in: .min ... .max))

  /// The epoch of the view model of a name that starts with a snapshot.
  ///
  /// - Parameter generation: differs from that of any history which had more revisions than the first.
  /// - Complexity: O(n), where n is the number of bytes of the snapshot.
  func epoch(
    of name: Text, showing snapshot: Snapshot, generation: Int
  ) -> RevisionEpoch {
    var hasher = Hasher()
    hasher.combine(seed.0)
    hasher.combine(seed.1)
    hasher.combine(generation)
    snapshot.encoded(kind: .snapshot, screen: name, revision: "")
      .withUnsafeBytes { hasher.combine(bytes: $0) }
    return RevisionEpoch(hash: hasher.finalize())
  }
}
