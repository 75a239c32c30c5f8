import CanonicalJSON
import Snapshots
import TestSupport
import Testing

/// The cost of a patch depends on the changes and not on the size of the snapshot.
@Suite struct JSONPatchCostTests {
  static let count = 100_000
  static let rows = (0..<count).map { Row(id: "row/\($0)", type: "t", fields: ["n": .integer($0)]) }

  private static func snapshot(_ rows: [Row]) throws -> Snapshot {
    try Snapshot(sections: [Section(id: "s", rows: rows)])
  }

  @Test func `three changes of 100,000 rows are three steps`() throws {
    var rows = Self.rows
    rows[70_000] = Row(id: "row/70000", type: "t", fields: ["n": -1])
    rows.insert(rows.remove(at: 20_000), at: 90_000)
    rows.remove(at: 5)
    let patch = PatchCase(from: try Self.snapshot(Self.rows), to: try Self.snapshot(rows))
    try patch.check()
    // Besides the steps there are the test, the number of rows, the digest and the revision.
    #expect(try patch.operations().count == 3 + 4)
    #expect(patch.patch.count < 600)
  }

  /// The appliers shift an array for each move, which would take them minutes here. Tests with
  /// shorter lists check that the steps of such patches are correct.
  @Test func `100,000 rows in another order take one step for each move`() throws {
    var random = SeededGenerator(seed: 3)
    let patch = PatchCase(
      from: try Self.snapshot(Self.rows),
      to: try Self.snapshot(Self.rows.shuffled(using: &random)))
    let operations = try patch.operations()
    // Besides the steps there are the test, the digest and the revision.
    #expect(operations.count == patch.changeset.rows.moves.count + 3)
  }

  @Test(arguments: ["reversed", "shuffled", "replaced"])
  func `2,000 rows go to other places`(_ shape: String) throws {
    var random = SeededGenerator(seed: 3)
    let old = Array(Self.rows.prefix(2_000))
    let new =
      switch shape {
      case "reversed": Array(old.reversed())
      case "shuffled": old.shuffled(using: &random)
      default: old.map { Row(id: "other/\($0.id)", type: "t") }
      }
    try PatchCase(from: try Self.snapshot(old), to: try Self.snapshot(new)).check()
  }

  /// Uses a list so long that no machine could visit its rows one by one, so finishing is the
  /// proof.
  @Test func `the rows that stay are not visited one by one`() throws {
    let last = 1_000_000_000_000_000
    func path(_ row: Int) -> RowPath { RowPath(section: last, row: row) }
    let changeset = Changeset(
      sections: .init(deletes: [.init(id: "gone", at: 0)]),
      rows: .init(
        deletes: [.init(id: "1", at: RowPath(section: last + 1, row: last / 2))],
        inserts: [.init(at: path(7), element: Row(id: "2", type: "t"))],
        moves: [
          .init(id: "3", from: RowPath(section: last + 1, row: last), to: path(0)),
          .init(id: "4", from: RowPath(section: last + 1, row: 0), to: path(last)),
        ]),
      rowCount: last + 1, digest: Snapshot.empty.digest)
    let patch = changeset.encodedPatch(of: .empty, from: "r1", revision: "r2")
    let operations = try JSONReader(JSONValue(parsing: patch)).elements()
    let rows = "/sections/\(last)/rows"
    #expect(
      operations.dropFirst().dropLast().map(\.value) == [
        ["op": "remove", "path": "/sections/0"],
        ["op": "remove", "path": .string("\(rows)/\(last / 2)")],
        // The list now ends at `last` - 1, from which the first move comes.
        [
          "op": "move", "from": .string("\(rows)/\(last - 1)"), "path": .string("\(rows)/0"),
        ],
        // The waiting row is still before it.
        [
          "op": "add", "path": .string("\(rows)/8"), "value": ["id": "2", "type": "t"],
        ],
        [
          "op": "move", "from": .string("\(rows)/1"), "path": .string("\(rows)/\(last)"),
        ],
        ["op": "replace", "path": "/rowCount", "value": .integer(last + 1)],
      ])
  }
}
