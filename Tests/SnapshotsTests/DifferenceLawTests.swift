import CanonicalJSON
import Snapshots
import TestSupport
import Testing

/// The laws for the diff of any two snapshots.
@Suite struct DifferenceLawTests {
  @Test func `applying the diff of two unrelated snapshots gives the newer, byte for byte`() throws
  {
    try withSeeds(600) { random in
      try Self.checkLaws(try random.snapshot(), try random.snapshot())
    }
  }

  @Test func `applying the diff of an edited snapshot gives the edited one, byte for byte`() throws
  {
    try withSeeds(600) { random in
      let old = try random.snapshot()
      let new = try random.mutation(of: old, edits: random.number(in: 0...8))
      try Self.checkLaws(old, new)
    }
  }

  @Test func `snapshots of equal content have an empty diff`() throws {
    try withSeeds(200) { random in
      let snapshot = try random.snapshot()
      let copy = try Snapshot(
        states: snapshot.states,
        sections: snapshot.sections.map { section in
          Section(
            id: section.id, fields: section.fields,
            rows: section.rows.map { Row(id: $0.id, type: $0.type, fields: $0.fields) })
        })
      try require(copy.difference(from: snapshot).isEmpty, "a diff of \(snapshot) with itself")
      try require(copy == snapshot && copy.digest == snapshot.digest, "unequal copies")
    }
  }

  private static func checkLaws(_ old: Snapshot, _ new: Snapshot) throws {
    let changeset = new.difference(from: old)
    let result = try old.applying(changeset)
    try require(result == new, "\(changeset) does not lead to \(new)")
    try require(
      result.encoded(kind: .snapshot, screen: "s/1", revision: "r")
        == new.encoded(kind: .snapshot, screen: "s/1", revision: "r"), "other bytes")
    try require(
      changeset.isEmpty == (old == new), "the diff is empty exactly for equal snapshots")
    try BatchUpdateSimulator(before: old, after: new, changeset: changeset).run()
    try require(
      try new.applying(old.difference(from: new)) == old, "the inverse does not lead back")
  }
}
