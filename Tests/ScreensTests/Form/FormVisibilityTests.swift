import CanonicalJSON
import Screens
import Testing
import ViewState

@Suite("A row of a form that is not always shown")
struct FormVisibilityTests {
  static func when(_ row: Text, _ value: JSONValue) -> JSONValue {
    ["row": .string(row), "equals": value]
  }

  static let rows: JSONValue = [
    ["id": "on", "kind": "switch", "label": "On"],
    [
      "id": "more", "kind": "switch", "label": "More", "visibility": when("on", true),
    ],
    [
      "id": "deep", "kind": "text", "label": "Deep", "required": true,
      "visibility": when("more", true),
    ],
    ["id": "never", "kind": "text", "label": "Never", "required": true, "visibility": "hidden"],
    ["id": "send", "kind": "button", "text": "Send", "does": "submit"],
  ]

  @Test("comes and goes with the value of another one, and with that one itself")
  func dependence() async throws {
    let fixture = try FormFixture(rows: Self.rows)
    #expect(fixture.rows == ["on", "send"])
    try await fixture.change("on", true)
    #expect(fixture.rows == ["on", "more", "send"])
    try await fixture.change("more", true)
    #expect(fixture.rows == ["on", "more", "deep", "send"])
    try await fixture.change("deep", "kept")
    try await fixture.change("on", false)
    #expect(fixture.rows == ["on", "send"])
    try await fixture.change("on", true)
    #expect(fixture.value("deep") == "kept" && fixture.value("more") == true)
  }

  @Test("is neither checked nor sent while it is hidden")
  func submitting() async throws {
    let fixture = try FormFixture(rows: Self.rows)
    try await fixture.tap("send")
    #expect(fixture.state(.submission) == "isLoading")
    try fixture.wait(.seconds(3))
    let sent = try fixture.store.value.child("1", of: "1").resource.answers
    #expect(sent == ["on": false])
    try await fixture.change("on", true)
    try await fixture.change("more", true)
    try await fixture.tap("send")
    #expect(fixture.error("deep") == "required" && fixture.state(.submission) == "notRequested")
  }

  @Test("is sent where it is hidden for good and filled in, as HTML's hidden inputs are")
  func carrying() async throws {
    func text(_ id: JSONValue, _ visibility: JSONValue) -> JSONValue {
      ["id": id, "kind": "text", "label": "L", "default": "x", "visibility": visibility]
    }
    func group(_ id: JSONValue, _ visibility: JSONValue, _ rows: JSONValue...) -> JSONValue {
      ["id": id, "kind": "group", "text": "G", "visibility": visibility, "rows": .array(rows)]
    }
    let fixture = try FormFixture(rows: [
      ["id": "on", "kind": "switch", "label": "On"], text("sent", "hidden"),
      ["id": "empty", "kind": "text", "label": "L", "visibility": "hidden"],
      text("conditional", Self.when("on", true)), text("behind", Self.when("sent", "x")),
      group(
        "g", "hidden", text("beneath", "visible"), text("deep", "hidden"),
        text("bound", Self.when("on", false))),
      group("k", Self.when("on", true), text("within", "hidden"), text("shown", "visible")),
    ])
    #expect(fixture.rows == ["on"])
    try await fixture.send("submit")
    try fixture.wait(.seconds(3))
    #expect(
      try fixture.store.value.child("1", of: "1").resource.answers
        == ["on": false, "sent": "x", "beneath": "x", "deep": "x"])
    try await fixture.change("on", true)
    try await fixture.send("submit")
    try fixture.wait(.seconds(3))
    #expect(
      try fixture.store.value.child("2", of: "1").resource.answers
        == [
          "on": true, "sent": "x", "beneath": "x", "deep": "x", "conditional": "x", "within": "x",
          "shown": "x",
        ])
  }

  @Test("takes no events, and those beneath a hidden group are hidden with it")
  func groups() async throws {
    let fixture = try FormFixture(rows: [
      ["id": "on", "kind": "switch", "label": "On"],
      [
        "id": "g", "kind": "group", "text": "G", "visibility": Self.when("on", true),
        "rows": [FieldTests.text()],
      ],
      ["id": "after", "kind": "text", "label": "After", "visibility": Self.when("f", "go")],
    ])
    let change: JSONValue = ["type": "didChange", "row": "f", "value": "go"]
    #expect(fixture.rows == ["on"])
    #expect(try await fixture.refusal(of: change) == "/row")
    try await fixture.change("on", true)
    try await fixture.send(change)
    #expect(fixture.rows == ["on", "g", "f", "after"])
    // To be folded away is not to be hidden.
    try await fixture.select("g")
    #expect(fixture.rows == ["on", "g", "after"])
    try await fixture.change("on", false)
    #expect(fixture.rows == ["on"])
  }

  @Test(
    "comes with a number in whatever digits it is written, and not with what is no number",
    arguments: [
      ("5", true), ("5.0", true), ("+5", true), (" 5 ", true), ("05", true), ("6", false),
      ("five", false),
      ("", false),
    ])
  func numbers(entered: String, isShown: Bool) async throws {
    let fixture = try FormFixture(rows: [
      FieldTests.text(["inputType": "number"]),
      ["id": "h", "kind": "header", "text": "H", "visibility": Self.when("f", "5")],
    ])
    try await fixture.change("f", .string(Text(entered)))
    #expect(fixture.rows.contains("h") == isShown)
  }

  @Test("comes while a number is left out, and not with what is no number")
  func missingNumber() async throws {
    let fixture = try FormFixture(rows: [
      FieldTests.text(["inputType": "number"]),
      ["id": "h", "kind": "header", "text": "H", "visibility": Self.when("f", "")],
    ])
    #expect(fixture.rows == ["f", "h"])
    try await fixture.change("f", "five")
    #expect(fixture.rows.first == "f" && !fixture.rows.contains("h"))
  }

  @Test("has no offer that enters a value into it while it is hidden")
  func offer() async throws {
    let fixture = try FormFixture(rows: [
      ["id": "on", "kind": "switch", "label": "On"],
      ["id": "f", "kind": "text", "label": "F", "visibility": Self.when("on", true)],
      [
        "id": "offer", "kind": "offer", "title": "T", "button": "B",
        "enters": ["row": "f", "value": "x"],
      ],
    ])
    #expect(fixture.rows == ["on"])
    try await fixture.change("on", true)
    #expect(fixture.rows == ["on", "f", "offer"])
  }

  @Test("may depend on the choice of a dropdown")
  func choices() async throws {
    let fixture = try FormFixture(rows: [
      ["id": "d", "kind": "dropdown", "label": "D", "options": FieldTests.options],
      ["id": "h", "kind": "header", "text": "H", "visibility": Self.when("d", "b")],
    ])
    for (choice, rows) in [("a", ["d"]), ("b", ["d", "h"])] as [(JSONValue, [Text])] {
      try await fixture.change("d", choice)
      #expect(fixture.rows == rows)
    }
    try await fixture.change("d", .null)
    #expect(fixture.rows == ["d"])
  }

  @Test("hides its section with it if no other row of the section is shown")
  func sections() async throws {
    let header: JSONValue = ["id": "h", "kind": "header", "text": "H"]
    let fixture = try FormFixture([
      ["id": "s", "rows": [["id": "on", "kind": "switch", "label": "On"]]],
      [
        "id": "you", "title": "You",
        "rows": [
          ["id": "never", "kind": "text", "label": "L", "visibility": "hidden"],
          [
            "id": "g", "kind": "group", "text": "G", "collapsed": true,
            "visibility": Self.when("on", true), "rows": [header],
          ],
        ],
      ],
      ["id": "new", "title": "For rows of users"],
    ])
    #expect(fixture.sections == ["s", "new"])
    try await fixture.change("on", true)
    #expect(fixture.sections == ["s", "you", "new"] && fixture.rows == ["on", "g"])
    try await fixture.change("on", false)
    #expect(fixture.sections == ["s", "new"])
    // It keeps its place among the others, for operations.
    try await fixture.apply(
      ["operation": "renameSection", "section": "you", "title": "Us"],
      ["operation": "insertSectionAfter", "section": "you", "newSection": ["id": "next"]])
    #expect(fixture.sections == ["s", "next", "new"])
    try await fixture.apply([
      "operation": "append", "section": "you", "rows": [["id": "n", "kind": "splitter"]],
    ])
    #expect(fixture.sections == ["s", "you", "next", "new"] && fixture.rows == ["on", "n"])
    try await fixture.apply(["operation": "remove", "ids": ["n"]])
    #expect(fixture.sections == ["s", "next", "new"])
    try await fixture.apply(["operation": "clear", "section": "you"])
    #expect(fixture.sections == ["s", "you", "next", "new"])
  }
}
