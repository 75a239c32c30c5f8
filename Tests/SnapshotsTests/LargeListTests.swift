import CanonicalJSON
import Snapshots
import TestSupport
import Testing

/// Diffs of lists with 50,000 rows. A quadratic step anywhere would take an hour, so finishing is
/// the proof.
@Suite struct LargeListTests {
  static let count = 50_000
  static let rows = (0..<count).map { Row(id: "row/\($0)", type: "t", fields: ["n": .integer($0)]) }

  @Test func `a reversed list keeps one row and moves the others`() throws {
    let changeset = try Self.roundTrip(from: Self.rows, to: Self.rows.reversed())
    #expect(changeset.rows.moves.count == Self.count - 1)
    #expect(changeset.operationCount == Self.count - 1)
  }

  @Test func `a shuffled list keeps a longest increasing subsequence`() throws {
    var random = SeededGenerator(seed: 7)
    let changeset = try Self.roundTrip(from: Self.rows, to: Self.rows.shuffled(using: &random))
    // The expected length is close to 2√n: 447 of 50,000 (Vershik and Kerov, 1977).
    let staying = Self.count - changeset.rows.moves.count
    #expect((405...455).contains(staying))
  }

  @Test func `a replaced list is deletes and inserts`() throws {
    let changeset = try Self.roundTrip(
      from: Self.rows, to: (0..<Self.count).map { Row(id: "other/\($0)", type: "t") })
    #expect(changeset.rows.deletes.count == Self.count)
    #expect(changeset.rows.inserts.count == Self.count)
    #expect(changeset.rows.moves.isEmpty)
  }

  @Test func `one change in the middle is one operation`() throws {
    var edited = Self.rows
    edited[25_000] = Row(id: "row/25000", type: "t", fields: ["n": -1])
    let changeset = try Self.roundTrip(from: Self.rows, to: edited)
    #expect(changeset.operationCount == 1)
  }

  @Test func `10,000 sections are reversed`() throws {
    let sections = Self.rows.prefix(10_000).map { Section(id: $0.id, rows: [$0]) }
    let old = try Snapshot(sections: sections)
    let new = try Snapshot(sections: sections.reversed())
    let changeset = new.difference(from: old)
    #expect(changeset.operationCount == 9_999)
    #expect(try old.applying(changeset) == new)
  }

  private static func roundTrip(from old: [Row], to new: [Row]) throws -> Changeset {
    let old = try Snapshot(sections: [Section(id: "s", rows: old)])
    let new = try Snapshot(sections: [Section(id: "s", rows: new)])
    let changeset = new.difference(from: old)
    #expect(try old.applying(changeset) == new)
    return changeset
  }
}
