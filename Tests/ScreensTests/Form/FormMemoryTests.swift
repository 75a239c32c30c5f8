import CanonicalJSON
import Screens
import Snapshots
import TestSupport
import Testing
import ViewState

@testable import Forms

@Suite("The memory of forms")
struct FormMemoryTests {
  private static let sessions: [Text] = ["1@aaaaaaaaaaaaaaaaaaaaaa", "1@bbbbbbbbbbbbbbbbbbbbbb"]

  /// Returns how much the state of the form grows by a command.
  private func growth(of fixture: FormFixture, by command: JSONValue) async throws -> Int {
    let engine = fixture.registry.engine
    try await fixture.change("q", "a")
    let before = engine.statistics.stateByteCount
    try await fixture.instance.send(command)
    return engine.statistics.stateByteCount - before
  }

  private func rows(_ count: Int, besides row: JSONValue) -> JSONValue {
    .array(
      (0..<count).map { number in
        ["id": .string("r\(number)"), "kind": "text", "label": "L", "default": "x"]
      } + [row])
  }

  @Test("counts the values that are judged, and once more those that are sent")
  func submitted() async throws {
    let submit: JSONValue = ["type": "submit"]
    let button: JSONValue = ["id": "b", "kind": "button", "text": "B", "does": "submit"]
    for command in [submit, ["type": "didTap", "row": "b"]] {
      for isRight in [false, true] {
        let field: JSONValue = [
          "id": "g", "kind": "group", "text": "G",
          "rows": [
            button, ["id": "q", "kind": "text", "label": "L"],
            ["id": "p", "kind": "text", "label": "L", "required": .bool(!isRight)],
          ],
        ]
        let fixture = try FormFixture(rows: rows(100, besides: field))
        let growth = try await growth(of: fixture, by: command)
        #expect(growth >= (isRight ? 240 : 150) * 100, "\(growth)")
      }
    }
  }

  @Test("is shared by the sessions of a form, except for what they enter")
  func shared() async throws {
    let fixture = try FormFixture(rows: rows(100, besides: FieldTests.text([:])))
    let instances = try Self.sessions.map { try fixture.registry.instance(screen: "form", key: $0) }
    let snapshots = instances.map(\.current.snapshot)
    #expect(snapshots[0].isIdentical(to: snapshots[1]))
    try await instances[1].send(["type": "didChange", "row": "f", "value": "a"])
    let third = try fixture.registry.instance(screen: "form", key: "1@cccccccccccccccccccccc")
    let rows = [instances[1], third].map { $0.current.snapshot.sections.flatMap { Array($0.rows) } }
    #expect(rows[0].map(\.id) == rows[1].map(\.id))
    let own = zip(rows[0], rows[1]).filter { !$0.isIdentical(to: $1) }.map(\.0.id)
    #expect(own == ["f"])
  }

  @Test("is shared by sessions that begin with an input, whichever rows others have changed")
  func sharedFromTheStart() async throws {
    let fixture = try FormFixture(rows: rows(20, besides: FieldTests.text([:])))
    var first: [Row] = []
    for number in 0..<20 {
      let key: Text = "1@aaaaaaaaaaaaaaaaaaaaa\(number)"
      let session = try fixture.registry.instance(screen: "form", key: key)
      if number == 0 { first = session.current.snapshot.sections.flatMap { Array($0.rows) } }
      let row: Text = "r\(number)"
      try await session.send(["type": "didChange", "row": .string(row), "value": "a"])
      let rows = session.current.snapshot.sections.flatMap { Array($0.rows) }
      let own = zip(first, rows).filter { !$0.isIdentical(to: $1) }.map(\.0.id)
      #expect(own == [row] && rows.count == first.count)
    }
  }

  @Test("is not that of all groups if one of them is folded")
  func folded() throws {
    let groups = (0..<3).map { number -> JSONValue in
      [
        "id": .string("g\(number)"), "kind": "group", "text": "G", "collapsed": .bool(number > 0),
      ]
    }
    let outline = try FormKinds.standard.reading([["id": "s", "rows": .array(groups)]])
    var fields = FormFields<StandardKinds>(outline)
    func recorded() throws -> JSONValue {
      try JSONReader(JSONValue(encoding: fields)).member("isCollapsed").value
    }
    #expect(try recorded() == [:])
    let folded = outline.allRows.map(\.row).filter { $0.id != "g1" }
    for group in folded { fields.fold(group) }
    #expect(try recorded() == ["g0": true, "g2": false])
  }
}
