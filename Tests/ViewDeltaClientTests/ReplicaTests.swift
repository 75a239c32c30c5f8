import CanonicalJSON
import Snapshots
import TestSupport
import Testing
import ViewDeltaClient

/// Convergence: after any series of documents the replica equals the server's snapshot.
@Suite struct ReplicaTests {
  @Test func `a replica equals the server's snapshot after any chain of documents`() throws {
    try withSeeds(300) { random in
      var snapshot = try random.snapshot()
      var replica = try Replica(
        document: snapshot.encoded(kind: .snapshot, screen: "s/é", revision: "0"))
      for step in 1...6 {
        let next =
          random.chance(0.8)
          ? try random.mutation(of: snapshot, edits: random.number(in: 0...6))
          : try random.snapshot()
        let document: [UInt8] =
          switch random.number(in: 0...5) {
          case 0: next.encoded(kind: .snapshot, screen: "s/é", revision: "\(step)")
          case 1:
            next.encoded(
              kind: .reset(reason: "history-expired"), screen: "s/é", revision: "\(step)")
          default:
            next.difference(from: snapshot).encoded(
              screen: "s/é", from: "\(step - 1)", revision: "\(step)")
          }
        let changeset = try replica.apply(document: document)
        try require(replica.revision == "\(step)", "revision \(replica.revision)")
        try require(replica.snapshot == next, "\(replica.snapshot) is not \(next)")
        try require(
          replica.canonicalBytes()
            == next.encoded(kind: .snapshot, screen: "s/é", revision: "\(step)"), "other bytes")
        try require(try snapshot.applying(changeset) == next, "another changeset is told")
        snapshot = next
      }
    }
  }

  @Test func `a whole view model draws no row again that was drawn again before`() throws {
    let row = Row(id: "a", type: "t")
    let old = try Snapshot(sections: [Section(id: "s", rows: [row])])
    let new = try Snapshot(sections: [Section(id: "s", rows: [row.generation(1)])])
    var replica = try Replica(document: old.encoded(kind: .snapshot, screen: "s/1", revision: "1"))
    let diff = new.difference(from: old).encoded(screen: "s/1", from: "1", revision: "2")
    var changes = try replica.apply(document: diff)
    #expect(changes.rows.reloads.map(\.id) == ["a"])
    let whole = new.encoded(kind: .snapshot, screen: "s/1", revision: "3")
    changes = try replica.apply(document: whole)
    #expect(changes.operationCount == 0)
  }

  @Test func `a replica renamed after a 204 continues from there`() throws {
    let old = try Snapshot(sections: [Section(id: "s", rows: [Row(id: "a", type: "t")])])
    let new = try Snapshot(sections: [Section(id: "s", rows: [Row(id: "b", type: "t")])])
    var replica = try Replica(document: old.encoded(kind: .snapshot, screen: "s/1", revision: "1"))
    replica.rename(to: "5")
    #expect(replica.revision == "5" && replica.snapshot == old)
    #expect(
      replica.canonicalBytes() == old.encoded(kind: .snapshot, screen: "s/1", revision: "5"))

    let changes = new.difference(from: old)
    #expect(throws: ReplicaError.otherRevision(expected: "5", found: "1")) {
      try replica.apply(document: changes.encoded(screen: "s/1", from: "1", revision: "9"))
    }
    try replica.apply(document: changes.encoded(screen: "s/1", from: "5", revision: "9"))
    #expect(replica.revision == "9" && replica.snapshot == new)
  }
}
