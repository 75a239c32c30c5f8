import CanonicalJSON
import Snapshots
import TestSupport
import Testing
import ViewState

/// A screen whose command has an argument of each kind.
struct OrderScreen: Screen {
  enum Size: String, CaseIterable, Codable, FieldValue {
    case small, large
    static var valueType: ValueType<Size> { .choice() }
  }

  struct State: ScreenState { var order = "" }

  static let name: Text = "order"
  static let summary = "An order."

  static let place = Command(
    "place", "Places an order.", .text("name", 1...3), .integer("count", 1...9),
    Argument<Size>.value("size"), .optional(.boolean("isGift"))
  ) { (state: inout State, name, count, size, isGift) in
    if name == "no" { throw Refusal("name", "there is no such thing") }
    state.order = "\(count) \(size.rawValue) \(name) \(isGift.map { "\($0)" } ?? "-")"
  }

  var commands: [AnyCommand<State>] { Self.place }

  static let order = RowType("order", of: String.self) {
    Field("text", \String.self)
    Action(place, "Again", if: { !$0.isEmpty }) { _ in ("abc", 2, .large, nil) }
  }

  var rowTypes: [RowTypeDescriptor] { Self.order }

  func body(_ state: State) -> [ListSection] {
    ListSection("order") { Self.order("order", state.order) }
  }
}

@Suite("A command with typed arguments")
struct CommandTests {
  @Test("takes the names of the cases of an enumeration of texts, as of one of strings")
  func choices() throws {
    enum Colour: Text, CaseIterable { case red, green }
    enum Size: String, CaseIterable { case small, large }
    let (colour, size) = (ValueType<Colour>.choice(), ValueType<Size>.choice())
    #expect(try colour.read(JSONReader("green")) == .green && colour.write(.red) == "red")
    #expect(try size.read(JSONReader("large")) == .large && size.write(.small) == "small")
    #expect(throws: JSONShapeError.self) { try colour.read(JSONReader("blue")) }
  }

  private func instance() throws -> Instance {
    let registry = ScreenRegistry(
      Engine(environment: ScreenEnvironment(scheduler: ManualScheduler())), of: OrderScreen())
    return try registry.instance(screen: "order", key: "1")
  }

  @Test("reads them as values, also those that may be left out")
  func values() async throws {
    let instance = try instance()
    for (gift, text): (JSONValue?, JSONValue) in [
      (nil, "2 large abc -"), (true, "2 large abc true"), (.null, "2 large abc -"),
    ] {
      var body: [Text: JSONValue] = ["type": "place", "name": "abc", "count": 2, "size": "large"]
      body["isGift"] = gift
      try await instance.send(.object(body))
      #expect(instance.current.snapshot.sections[0].rows[0].fields["text"] == text)
    }
  }

  @Test(
    "refuses a wrong one by its place, and changes nothing",
    arguments: [
      (["name": "", "count": 1, "size": "small"], "/name"),
      (["name": "abcd", "count": 1, "size": "small"], "/name"),
      (["name": "abc", "count": 10, "size": "small"], "/count"),
      (["name": "abc", "count": "1", "size": "small"], "/count"),
      (["name": "abc", "count": 1, "size": "huge"], "/size"),
      (["name": "abc", "count": 1, "size": "small", "isGift": 1], "/isGift"),
      (["name": "abc", "count": 1, "size": "small", "color": 1], "/color"),
      (["name": "abc", "count": 1], "/size"),
      (["name": "no", "count": 1, "size": "small"], "/name"),
    ] as [([Text: JSONValue], String)])
  func refusals(arguments: [Text: JSONValue], pointer: String) async throws {
    let instance = try instance()
    let before = instance.current.token
    let body = arguments.merging(["type": "place"]) { $1 }
    let error = await #expect(throws: CommandFailure.self) {
      try await instance.send(.object(body))
    }
    guard case .refused(let refusal)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(refusal.pointer.description == pointer && instance.current.token == before)
  }

  static func circle(tag: Text) -> ValueType<Int> {
    .variants(tag, [Variant("circle", .integer("type")) { $0 }]) {
      [tag: "circle", "type": .integer($0)]
    }
  }

  @Test("of several kinds takes a member with every name but that of the tag")
  func tags() async throws {
    #expect(try Self.circle(tag: "shape").read(JSONReader(["shape": "circle", "type": 2])) == 2)
    await #expect(processExitsWith: .failure) { _ = CommandTests.circle(tag: "type") }
  }

  @Test("counts the characters of a text as its schema does: in Unicode scalars")
  func lengths() throws {
    let type = ValueType.text(1...3)
    #expect(type.schema == ["type": "string", "minLength": 1, "maxLength": 3])
    #expect(try type.read(JSONReader("äöü")) == "äöü")
    #expect(throws: JSONShapeError.self) { try type.read(JSONReader("e\u{301}e\u{301}")) }
  }

  @Test("describes itself, and is what its row sends back unread")
  func description() async throws {
    let descriptor = OrderScreen.place.descriptor
    #expect(descriptor.required == ["count", "name", "size"])
    #expect(descriptor.arguments["size"] == ["type": "string", "enum": ["small", "large"]])
    // Of two members that exclude each other one is required, besides `type` and the order.
    let move = Command<OrderScreen.State, ResourceID, Placement>(
      "move", "Moves an order.", .id("order"), .place)
    #expect(
      move.descriptor.constraints
        == ["not": ["required": ["before", "after"]], "minProperties": 3])
    let instance = try instance()
    let row = try OrderScreen().snapshot(of: OrderScreen.State(order: "1")).sections[0].rows[0]
    let command = try JSONReader(try #require(row.fields["action"])).member("command")
    try await instance.send(command.value)
    #expect(instance.current.snapshot.sections[0].rows[0].fields["text"] == "2 large abc -")
    // Without an order there is no action, and the schema of the row does not require one.
    #expect(
      try OrderScreen().snapshot(of: OrderScreen.State()).sections[0].rows[0].fields["action"]
        == nil)
    let required = try JSONReader(OrderScreen.order.descriptor.schema).member("required")
    #expect(required.value == ["id", "type", "text"])
  }
}
