import CanonicalJSON
import Snapshots
import Testing
import ViewState

@Suite("A row with several actions")
struct RowActionsTests {
  private struct Card: Equatable {
    let id: Int
    var column = 1
    var isLocked = false
  }

  private struct State: ScreenState { var count = 0 }

  private static let open = Command("open", "Opens a card.", .integer("card")) {
    (_: inout State, _) in
  }
  private static let move = Command(
    "move", "Moves a card.", .integer("card"), .integer("column")
  ) { (_: inout State, _, _) in }
  private static let remove = Command("remove", "Deletes a card.", .integer("card")) {
    (_: inout State, _) in
  }

  private static let card = RowType("card", of: Card.self) {
    Action(open, "Open") { $0.id }
    Field("column", \.column)
    Action(move, "Left", if: { $0.column > 0 }) { ($0.id, $0.column - 1) }
    Action(move, "Right", if: { $0.column < 2 }) { ($0.id, $0.column + 1) }
    Action(remove, "Delete", if: { !$0.isLocked }) { $0.id }
  }

  @Test("has the first one in `action`, and the others in `moreActions`, in their order")
  func places() {
    let row = Self.card.row("card/7", Card(id: 7))
    #expect(row.fields["action"] == ["title": "Open", "command": ["type": "open", "card": 7]])
    let others: JSONValue = [
      ["title": "Left", "command": ["type": "move", "card": 7, "column": 0]],
      ["title": "Right", "command": ["type": "move", "card": 7, "column": 2]],
      ["title": "Delete", "command": ["type": "remove", "card": 7]],
    ]
    #expect(row.fields["moreActions"] == others)
  }

  @Test("lists those that it offers, and has no list if it offers none")
  func conditions() throws {
    func titles(_ card: Card) throws -> [Text]? {
      try JSONReader(.object(Self.card.row("card", card).fields)).nullableMember("moreActions")?
        .elements().map { try $0.member("title").string() }
    }
    #expect(try titles(Card(id: 7, column: 0)) == ["Right", "Delete"])
    #expect(try titles(Card(id: 7, column: 2, isLocked: true)) == ["Left"])
    let row = Self.pinned.row("card", Card(id: 7, column: 0, isLocked: true))
    #expect(row.fields.keys.sorted() == ["action"])
  }

  /// Rows with an action that only some offer before one that all do.
  private static let pinned = RowType("card", of: Card.self) {
    Action(remove, "Delete", if: { !$0.isLocked }) { $0.id }
    Action(open, "Open") { $0.id }
    Action(move, "Left", if: { $0.column > 0 }) { ($0.id, $0.column - 1) }
  }

  @Test("has the first one that it offers in `action`, and none if it offers none")
  func first() throws {
    func titles(_ card: Card) throws -> [Text] {
      let row = JSONReader(.object(Self.pinned.row("card", card).fields))
      let more = try row.nullableMember("moreActions")?.elements() ?? []
      return try ([row.member("action")] + more).map { try $0.member("title").string() }
    }
    #expect(try titles(Card(id: 7)) == ["Delete", "Open", "Left"])
    #expect(try titles(Card(id: 7, isLocked: true)) == ["Open", "Left"])
    #expect(try titles(Card(id: 7, column: 0, isLocked: true)) == ["Open"])
    let optional = RowType("card", of: Card.self) {
      Action(Self.remove, "Delete", if: { !$0.isLocked }) { $0.id }
      Action(Self.move, "Left", if: { $0.column > 0 }) { ($0.id, $0.column - 1) }
    }
    #expect(optional.row("card", Card(id: 7, column: 0, isLocked: true)).fields.isEmpty)
    #expect(try JSONReader(optional.descriptor.schema).member("required").value == ["id", "type"])
  }

  @Test("is written in the order of the names, as each row is")
  func bytes() {
    let json = JSONValue.object(Self.card.row("card/7", Card(id: 7, column: 0)).fields)
    let text = String(decoding: json.canonicalBytes(), as: UTF8.self)
    #expect(
      text.contains(
        #""column":0,"moreActions":[{"command":{"card":7,"column":1,"type":"move"},"title":"Right"},"#
      ))
  }

  @Test("is described with the commands of all of them")
  func schema() throws {
    func commands(_ schema: JSONReader) throws -> [Text] {
      let options = try schema.nullableMember("anyOf")?.elements() ?? [schema]
      return try options.map {
        try $0.member("properties").member("command").member("properties").member("type")
          .member("const").string()
      }
    }
    for (schema, first, others, required) in [
      (
        Self.card.descriptor.schema, ["open"], ["move", "remove"],
        ["id", "type", "action", "column"]
      ),
      (
        Self.pinned.descriptor.schema, ["remove", "open"], ["open", "move"],
        ["id", "type", "action"]
      ),
    ] as [(JSONValue, [Text], [Text], JSONValue)] {
      let members = try JSONReader(schema).member("properties")
      #expect(try commands(members.member("action")) == first)
      #expect(try commands(members.member("moreActions").member("items")) == others)
      #expect(try JSONReader(schema).member("required").value == required)
    }
  }

  @Test("with a number that JSON cannot represent is refused as a whole")
  func numbers() {
    let weigh = Command("weigh", "Weighs a card.", .value("weight", of: Double.self)) {
      (_: inout State, _) in
    }
    let heavy = RowType("card", of: Card.self) {
      Action(Self.open, "Open") { $0.id }
      Action(weigh, "Weigh") { _ in .infinity }
    }
    #expect(throws: SnapshotError.self) {
      try Snapshot(
        states: [:], sections: [Section(id: "cards", rows: [heavy.row("card", Card(id: 1))])])
    }
  }
}
