import CanonicalJSON
import Screens
import Snapshots
import TestSupport
import Testing
import ViewState

@Suite("What a form does not take")
struct FormRefusalTests {
  static let rows: JSONValue = [
    FormOperationTests.header("h"), FieldTests.text(),
    ["id": "on", "kind": "switch", "label": "On"],
    ["id": "d", "kind": "dropdown", "label": "D", "options": FieldTests.options],
    ["id": "hidden", "kind": "text", "label": "Hidden", "visibility": "hidden"],
    [
      "id": "dependent", "kind": "text", "label": "D",
      "visibility": FormVisibilityTests.when("on", true),
    ],
    ["id": "tax", "kind": "taxNumber", "label": "Tax"],
    ["id": "b", "kind": "button", "text": "B", "does": "submit"],
    [
      "id": "g", "kind": "group", "text": "G",
      "rows": [FormOperationTests.header("x"), ["id": "k", "kind": "group", "text": "K"]],
    ],
  ]

  @Test("is a title with which the form would be too large to be recorded, and nothing has changed")
  func largeTitle() async throws {
    let label = JSONValue.string(Text(String(repeating: "x", count: 1_000)))
    let rows = (0..<128).map { number -> JSONValue in
      ["id": .integer(number), "kind": "info", "label": label, "text": label]
    }
    let fixture = try FormFixture(
      rows: .array([["id": "title", "kind": "sectionHeader", "label": "Title"]] + rows))
    let before = fixture.snapshot
    let error = await #expect(throws: CommandFailure.self) {
      try await fixture.send(["type": "didChange", "row": "title", "value": label])
    }
    guard case .refused(let refusal) = error else {
      throw LawViolation("\(String(describing: error))")
    }
    #expect(refusal.pointer.description == "/value")
    #expect(fixture.snapshot == before)
    try await fixture.change("title", "short")
  }

  @Test(
    "is an event that a row does not have, of a row that is not there, or a value of no such kind",
    arguments: [
      (["type": "didChange", "row": "f"], "/value"), (["type": "didChange", "value": "x"], "/row"),
      (["type": "didChange", "row": "f", "value": 1], "/value"),
      (["type": "didChange", "row": "f", "value": .null], "/value"),
      (["type": "didChange", "row": "f", "value": "x", "more": 1], "/more"),
      (["type": "didChange", "row": "gone", "value": "x"], "/row"),
      (["type": "didChange", "row": [], "value": "x"], "/row"),
      (["type": "didChange", "row": "hidden", "value": "x"], "/row"),
      (["type": "didChange", "row": "dependent", "value": "x"], "/row"),
      (["type": "didChange", "row": "h", "value": "x"], "/row"),
      (["type": "didChange", "row": "b", "value": "x"], "/row"),
      (["type": "didChange", "row": "f/error", "value": "x"], "/row"),
      (["type": "didChange", "row": "on", "value": "true"], "/value"),
      (["type": "didChange", "row": "d", "value": "c"], "/value"),
      (["type": "didChange", "row": "d", "value": true], "/value"),
      (
        ["type": "didChange", "row": "f", "value": .string(String(repeating: "x", count: 8_001))],
        "/value"
      ),
      (["type": "didSelect", "row": "f"], "/row"), (["type": "didSelect", "row": "b"], "/row"),
      (["type": "didSelect", "row": "g/x"], "/row"), (["type": "didSelect"], "/row"),
      (["type": "didSelect", "row": "tax/company/1"], "/row"),
      (["type": "didTap", "row": "g"], "/row"), (["type": "didTap", "row": "f"], "/row"),
      (["type": "didTap", "row": "tax/loading"], "/row"),
      (["type": "didTap", "row": "tax/failed"], "/row"),
      (["type": "didTap", "row": "form/title"], "/row"),
      (["type": "submit", "row": "b"], "/row"), (["type": "load"], "/type"),
      (["row": "f"], "/type"),
    ] as [(JSONValue, String)])
  func events(command: JSONValue, pointer: String) async throws {
    let fixture = try FormFixture(rows: Self.rows)
    #expect(try await fixture.refusal(of: command) == pointer)
  }

  @Test(
    "is an event of a row's id with a slash behind it, which is no other name of the row",
    arguments: [
      ["type": "didSelect", "row": "g/"], ["type": "didTap", "row": "b/"],
      ["type": "didTap", "row": "b//"], ["type": "didTap", "row": "/b"],
      ["type": "didTap", "row": "/"], ["type": "didTap", "row": ""],
      ["type": "didChange", "row": "f/", "value": "x"],
    ] as [JSONValue])
  func slashes(command: JSONValue) async throws {
    let fixture = try FormFixture(rows: Self.rows)
    #expect(try await fixture.refusal(of: command) == "/row")
  }

  static let operations: [(JSONValue, String)] = [
    ([:], "/operation"), (["operation": "explode"], "/operation"),
    (["operation": "swap", "row": "f"], "/other"),
    (["operation": "swap", "row": "f", "other": "gone"], "/other"),
    (["operation": "swap", "row": "gone", "other": "f"], "/row"),
    (["operation": "swap", "row": "f", "other": "f"], "/other"),
    (["operation": "swap", "row": "g", "other": "x"], "/other"),
    (["operation": "swap", "row": "x", "other": "g"], "/other"),
    (["operation": "swap", "row": "f", "other": "h", "more": 1], "/more"),
    (["operation": "remove", "ids": ["f", "gone"]], "/ids/1"),
    (["operation": "remove", "ids": ["f", "f"]], "/ids/1"),
    (["operation": "remove", "ids": ["g", "x"]], "/ids/1"),
    (["operation": "remove", "ids": ["tax/company/1"]], "/ids/0"),
    (["operation": "insertBefore", "row": "gone", "rows": []], "/row"),
    (
      ["operation": "insertBefore", "row": "f", "rows": FormOperationTests.headers("h")],
      "/rows/0/id"
    ),
    (
      ["operation": "insertAfter", "row": "f", "rows": FormOperationTests.headers("n", "n")],
      "/rows/1/id"
    ),
    (
      [
        "operation": "insertAfter", "row": "f",
        "rows": [
          ["id": "n", "kind": "group", "text": "N", "rows": FormOperationTests.headers("m", "f")]
        ],
      ], "/rows/0/rows/1/id"
    ),
    (
      [
        "operation": "insertAfter", "row": "f", "rows": [FormOperationTests.header("n", weight: 1)],
      ],
      "/rows/0/weight"
    ),
    (["operation": "insertAtStart", "rows": [], "section": "gone"], "/section"),
    (["operation": "insertAtEnd", "rows": [], "group": "gone"], "/group"),
    (["operation": "append", "rows": [], "group": "h"], "/group"),
    (["operation": "append", "rows": [], "group": "g", "section": "s"], "/group"),
    (["operation": "append", "rows": [["id": "n", "kind": "odd"]]], "/rows/0/kind"),
    (
      ["operation": "append", "rows": [["id": "n/m", "kind": "header", "text": "T"]]], "/rows/0/id"
    ),
    (
      ["operation": "append", "rows": [["id": "form", "kind": "header", "text": "T"]]], "/rows/0/id"
    ),
    (
      ["operation": "append", "rows": [["id": "n", "kind": "header", "rows": []]]], "/rows/0/rows"
    ),
    (["operation": "replace", "row": "f", "with": FormOperationTests.header("h")], "/with/id"),
    (["operation": "replace", "row": "gone", "with": FormOperationTests.header("n")], "/row"),
    (["operation": "clear", "section": "gone"], "/section"),
    (["operation": "clear", "group": "f"], "/group"),
    (["operation": "removeSection", "section": "gone"], "/section"),
    (
      ["operation": "insertSectionBefore", "section": "gone", "newSection": ["id": "n"]],
      "/section"
    ),
    (
      ["operation": "insertSectionAfter", "section": "s", "newSection": ["id": "s"]],
      "/newSection/id"
    ),
    (
      [
        "operation": "insertSectionAfter", "section": "s",
        "newSection": ["id": "n", "rows": FormOperationTests.headers("f")],
      ], "/newSection/rows/0/id"
    ),
  ]

  @Test("is an operation that cannot be done, and none of its list is", arguments: operations)
  func operation(operation: JSONValue, pointer: String) async throws {
    let fixture = try FormFixture(rows: Self.rows)
    let harmless: JSONValue = ["operation": "remove", "ids": ["b"]]
    let command: JSONValue = ["type": "apply", "operations": [harmless, operation]]
    #expect(try await fixture.refusal(of: command) == "/operations/1" + pointer)
    #expect(fixture.rows.contains("b"))
  }

  @Test("is an arrangement that leaves a row without the one that decides whether it is shown")
  func references() async throws {
    let fixture = try FormFixture(rows: Self.rows)
    for operation: JSONValue in [
      ["operation": "remove", "ids": ["on"]],
      [
        "operation": "append",
        "rows": [["id": "n", "kind": "taxNumber", "label": "T", "fills": ["name": "gone"]]],
      ],
      [
        "operation": "replace", "row": "on",
        "with": [
          "id": "on", "kind": "switch", "label": "On",
          "visibility": FormVisibilityTests.when("dependent", "x"),
        ],
      ],
    ] {
      #expect(
        try await fixture.refusal(of: ["type": "apply", "operations": [operation]]) == "/operations"
      )
    }
    // What is whole at the end of a list may be less on the way.
    try await fixture.apply(["operation": "remove", "ids": ["on", "dependent"]])
  }

  @Test("is more than a form may have")
  func limits() async throws {
    let fixture = try FormFixture(rows: Self.rows)
    let many: [JSONValue] = (0..<200).map { FormOperationTests.header("n\($0)") }
    let rows: JSONValue = ["operation": "append", "rows": .array(many)]
    #expect(
      try await fixture.refusal(of: ["type": "apply", "operations": [rows]]) == "/operations")
    // They are counted before they are read.
    let none: JSONValue = .array(Array(repeating: ["kind": "none"], count: 201))
    let unread: JSONValue = ["operation": "append", "rows": none]
    #expect(
      try await fixture.refusal(of: ["type": "apply", "operations": [unread]]) == "/operations")
    #expect(throws: JSONShapeError(["sections"], "a form has at most 200 rows")) {
      try Form(JSONReader(FormDescriptionTests.form(none)))
    }
    // A batch that would pass through more than it leaves.
    let half: JSONValue = ["operation": "append", "rows": .array(Array(many[..<101]))]
    #expect(
      try await fixture.refusal(
        of: ["type": "apply", "operations": [half, ["operation": "clear"], half]]) == "/operations")
    let operations = [JSONValue](repeating: ["operation": "clear"], count: 201)
    #expect(
      try await fixture.refusal(of: ["type": "apply", "operations": .array(operations)])
        == "/operations")
    var deep = FormOperationTests.header("deep")
    for level in 0..<9 {
      deep = ["id": .string("l\(level)"), "kind": "group", "text": "L", "rows": [deep]]
    }
    let append: JSONValue = ["operation": "append", "rows": [deep]]
    let pointer = try await fixture.refusal(of: ["type": "apply", "operations": [append]])
    #expect(pointer?.hasPrefix("/operations/0/rows/0/rows") == true)
    // Neither of two groups is nested too deep, but the one beneath the other is.
    func groups(_ levels: Range<Int>) -> JSONValue {
      levels.reduce(FormOperationTests.header("h\(levels.lowerBound)")) { row, level in
        ["id": .string("g\(level)"), "kind": "group", "text": "G", "rows": [row]]
      }
    }
    func appending(_ row: JSONValue, to group: Text?) -> JSONValue {
      JSONValue.object(["operation": "append", "rows": [row]])
        .mergePatched(with: ["group": group.map { .string($0) } ?? .null])
    }
    for (levels, refusal) in [(8..<12, nil), (8..<13, "/operations")] as [(Range<Int>, String?)] {
      let list = [appending(groups(0..<4), to: nil), appending(groups(levels), to: "g0")]
      #expect(
        try await FormFixture(rows: Self.rows)
          .refusal(of: ["type": "apply", "operations": .array(list)]) == refusal)
    }
    let text = JSONValue.string(Text(String(repeating: "x", count: 1_000)))
    let long = (0..<140).map { number -> JSONValue in
      ["id": .integer(number), "kind": "info", "label": text, "text": text]
    }
    let large: JSONValue = ["operation": "append", "rows": .array(long)]
    #expect(
      try await fixture.refusal(of: ["type": "apply", "operations": [large]]) == "/operations")
  }
}
