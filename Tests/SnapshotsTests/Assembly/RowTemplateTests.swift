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
      let made = RowTemplate(type: type, names: names).row(id) { row in
        for name in names { row.add(fields[name] ?? nil) }
      }
      let row = Row(id: id, type: type, fields: fields.compactMapValues { $0 })
      try require(made.encoded == row.encoded, "\(made) is not \(row)")
      try require(made == row && made.id == id && made.type == type, "\(made) differs from \(row)")
      try require(made.fields == fields.compactMapValues { $0 }, "\(made.fields) of \(made)")
    }
  }

  @Test("makes rows of any size, with texts that must be escaped at any place")
  func sizes() throws {
    let template = RowTemplate(type: "t", names: ["text"])
    try withSeeds(300) { random in
      let length = random.pick([0, 1, 7, 8, 9, 15, 16, 17, 900, 1_024, 1_025, 5_000])
      var bytes = Array(repeating: UInt8(ascii: "a"), count: length)
      if random.chance(0.5), length > 0 {
        bytes[random.number(in: 0...length - 1)] = random.pick([0x01, 0x1F, 0x22, 0x5C, 0x20, 0x7F])
      }
      let text = Text(String(decoding: bytes, as: UTF8.self))
      let made = template.row("r") { $0.add(.string(text)) }
      let row = Row(id: "r", type: "t", fields: ["text": .string(text)])
      try require(made == row, "\(made) is not \(row)")
      try require(made.fields["text"] == .string(text), "\(made) is read as another text")
    }
  }

  @Test("makes a row that snapshots refuse of a value that JSON cannot represent")
  func unwritable() throws {
    for value in [JSONValue.number(.nan), .integer(1 << 60), .number(1e17)] {
      let made = RowTemplate(type: "t", names: ["a"]).row("r") { $0.add([value]) }
      #expect(throws: SnapshotError(unwritableRowIDs: ["r"])) {
        try Snapshot(sections: [Section(id: "s", rows: [made])])
      }
      #expect(made.fields.isEmpty)
    }
  }
}
