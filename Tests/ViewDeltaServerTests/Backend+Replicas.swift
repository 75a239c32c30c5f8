import CanonicalJSON
import Snapshots
import TestSupport
import Testing
import ViewDeltaClient

extension Replica {
  /// Does what a client does with an answer of `…/diff`.
  ///
  /// - Throws: `LawViolation` if it breaks the rules of a batch update.
  mutating func take(_ answer: Answer) throws {
    switch answer.status {
    case 200:
      let before = snapshot
      let changes = try apply(document: answer.body)
      try BatchUpdateSimulator(before: before, after: snapshot, changeset: changes).run()
    case 204: rename(to: Text(try #require(answer["View-Revision"])))
    case let status: throw LawViolation("the answer is a \(status)")
    }
  }
}

extension Backend {
  /// Brings a replica up to date by one diff, and compares it with the snapshot.
  func follow(_ path: String, _ replica: inout Replica) async throws {
    try replica.take(await get("\(path)/diff?since=\(replica.revision)"))
    let snapshot = await get(path)
    try require(replica.canonicalBytes() == snapshot.body, "the replica is not the snapshot")
  }
}
