import CanonicalJSON
import Snapshots
import TestSupport
import Testing

@Suite("Snapshots and outlines in a state")
struct SnapshotCodingTests {
  private static func row(_ id: Text) -> Row { Row(id: id, type: "item") }

  private func again<Value: Codable>(_ value: Value) throws -> Value {
    try JSONValue(parsing: JSONValue(encoding: value).canonicalBytes()).decode(Value.self)
  }

  @Test("are read as they were written, with their generations")
  func roundTrip() throws {
    try withSeeds(200) { random in
      let sections = try random.snapshot().sections.map { section in
        Section(
          id: section.id, fields: section.fields, generation: random.number(in: 0...2),
          rows: section.rows.map { $0.generation(random.number(in: 0...2)) })
      }
      let snapshot = try Snapshot(states: ["posts": "loaded"], sections: sections)
      try require(again(snapshot) == snapshot, "\(snapshot)")
      var (items, level) = ([(item: Row, level: Int, isExpanded: Bool)](), 0)
      for row in sections.flatMap(\.rows) {
        items.append((row, level, random.chance(0.5)))
        level = random.number(in: 0...level + 1)
      }
      let outline = SectionSnapshot(items)
      try require(again(outline) == outline, "\(outline)")
    }
  }

  @Test("are not read if ids come twice or an item is below no other one")
  func refused() throws {
    func refuses<Value: Codable>(_: Value.Type, _ json: String) -> Bool {
      (try? JSONValue(parsing: Array(json.utf8)).decode(Value.self)) == nil
    }
    let row = #"{"fields":{},"generation":0,"id":"a","type":"item"}"#
    let section = #"{"fields":{},"generation":0,"id":"s","rows":["# + row + "]}"
    func snapshot(_ sections: [String]) -> String {
      #"{"sections":["# + sections.joined(separator: ",") + #"],"states":{}}"#
    }
    #expect(!refuses(Snapshot.self, snapshot([section])))
    #expect(refuses(Snapshot.self, snapshot([section, section])))
    func outline(_ levels: [Int]) -> String {
      let items = levels.map { #"{"isExpanded":false,"item":\#(row),"level":\#($0)}"# }
      return "[" + items.joined(separator: ",") + "]"
    }
    #expect(!refuses(SectionSnapshot.self, outline([0])))
    for levels in [[0, 0], [1], [-1], [0, 2]] {
      #expect(refuses(SectionSnapshot.self, outline(levels)))
    }
  }

  @Test("are not written if a snapshot refuses what they have")
  func unwritable() throws {
    let row = Row(id: "a", type: "item", fields: ["price": .number(.nan)])
    #expect(throws: (any Error).self) { try JSONValue(encoding: SectionSnapshot([row])) }
    #expect(throws: (any Error).self) {
      try JSONValue(encoding: Section(id: "s", fields: ["rows": 1], rows: []))
    }
    let whole = try Snapshot(sections: [Section(id: "s", rows: [Self.row("a"), Self.row("b")])])
    let window = try #require(RowWindow(start: 0, count: 1))
    #expect(throws: (any Error).self) { try JSONValue(encoding: whole.seen(through: window)) }
  }
}
