import CanonicalJSON
import Snapshots
import TestSupport
import Testing

@Suite("A template of rows")
struct RowTemplateTests {
  @Test("makes the row that a table of fields makes, in whatever order its names are")
  func rows() throws {
    try withSeeds(300) { random in
      var fields: [Text: JSONValue?] = [:]
      for _ in 0..<random.number(in: 0...5) {
        let name = random.chance(0.5) ? random.text() : random.pick(["a", "idle", "typed", "z"])
        fields[name] = random.chance(0.2) ? .some(nil) : random.json()
      }
      let (id, type) = (random.text(), random.text())
      let names = fields.keys.sorted()
      var writer = RowTemplate(type: type, names: names).begin(id)
      for name in names { writer.add(fields[name] ?? nil) }
      let made = writer.end()
      let row = Row(id: id, type: type, fields: fields.compactMapValues { $0 })
      try require(made.encoded == row.encoded, "\(made) is not \(row)")
      try require(made == row && made.id == id && made.type == type, "\(made) differs from \(row)")
      try require(made.fields == fields.compactMapValues { $0 }, "\(made.fields) of \(made)")
    }
  }

  @Test("makes a row that snapshots refuse of a value that JSON does not carry")
  func unwritable() throws {
    for value in [JSONValue.number(.nan), .integer(1 << 60), .number(1e17)] {
      var row = RowTemplate(type: "t", names: ["a"]).begin("r")
      row.add([value])
      let made = row.end()
      #expect(throws: SnapshotError(unwritableRowIDs: ["r"])) {
        try Snapshot(sections: [Section(id: "s", rows: [made])])
      }
      #expect(made.fields.isEmpty)
    }
  }
}
