import CanonicalJSON
import Snapshots
import Testing

@testable import ViewState

@Suite("A value that users enter into a row")
struct EnteredValueTests {
  private struct Line: Equatable {
    let id: Int
    var quantity: Text = "2"
  }

  private struct State: ScreenState { var count = 0 }

  private static let set = Command(
    "setQuantity", "Sets a quantity.", .integer("line"), .text("quantity")
  ) { (_: inout State, _, _) in }

  private static let line = RowType("line", of: Line.self) {
    Field("label", \.id)
    EnteredValue(set) { ($0.id, $0.quantity) }
  }

  @Test("is in the row beside the command that enters another one")
  func row() {
    let row = Self.line.row("line/7", Line(id: 7))
    #expect(row.fields["value"] == "2")
    #expect(
      row.fields["change"] == [
        "argument": "quantity", "command": ["type": "setQuantity", "line": 7],
      ])
    #expect(row.command(entering: "3") == Self.set.sent(7, "3"))
  }

  @Test("is described by the schema of the command without it")
  func schema() throws {
    let descriptor = Self.line.descriptor
    #expect(descriptor.commands == ["setQuantity"])
    let properties = try JSONReader(descriptor.schema).member("properties")
    #expect(try properties.member("value").member("type").string() == "string")
    let change = try properties.member("change").member("properties")
    #expect(try change.member("argument").value == ["const": "quantity"])
    let command = try change.member("command")
    #expect(try command.member("properties").memberNames == ["line", "type"])
    #expect(try command.member("required").value == ["type", "line"])
    #expect(try JSONReader(descriptor.schema).member("required").elements().count == 5)
  }

  @Test("is absent if its argument is optional and the row has none")
  func optional() throws {
    let choose = Command("choose", "Chooses.", .optional(.text("size"))) { (_: inout State, _) in }
    let type = RowType("size", of: Text?.self) { EnteredValue(choose) { $0 } }
    #expect(type.row("size", "L").fields["value"] == "L")
    let none = type.row("size", nil)
    #expect(none.fields["value"] == nil)
    #expect(none.fields["change"] == ["argument": "size", "command": ["type": "choose"]])
    #expect(try JSONReader(type.descriptor.schema).member("required").elements().count == 3)
  }

  @Test("needs a last argument that has one name")
  func arguments() async {
    let none = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let press = Command("press", "Presses.") { (_: inout State) in }
      _ = RowType("key", of: Line.self) { EnteredValue(press) { _ in () } }
    }
    let text = none.map { String(decoding: $0.standardErrorContent, as: UTF8.self) } ?? ""
    #expect(text.contains("the command press has no last argument that a user can enter"))
  }
}
