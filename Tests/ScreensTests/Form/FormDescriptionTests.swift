import CanonicalJSON
import Forms
import Foundation
import Screens
import Snapshots
import TestSupport
import Testing
import ViewState

@Suite("The description of a form")
struct FormDescriptionTests {
  static func form(_ rows: JSONValue) -> JSONValue {
    ["id": 1, "title": "F", "sections": [["id": "s", "rows": rows]]]
  }

  @Test("has the kinds and the members that the documentation lists")
  func documentation() throws {
    let kinds = FormKinds.standard.schemas.filter { $0.key.string.hasSuffix("Description") }
    let members = try kinds.values.reduce(into: [Text: Set<Text>]()) { members, schema in
      let properties = try JSONReader(schema).member("properties")
      guard case .object(let all) = properties.value else { return }
      members[try properties.member("kind").member("const").string()] = Set(all.keys)
    }
    let (field, row) = (try #require(members["switch"]), try #require(members["splitter"]))

    let file = URL(filePath: #filePath).appending(path: "../../../../Sources/Forms/FormKinds.swift")
      .standardizedFileURL
    let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
    let listed = lines.filter { $0.hasPrefix("  /// | `") }.map { line in
      line.split(separator: "|", omittingEmptySubsequences: false).dropFirst().prefix(2)
        .map { $0.matches(of: /`(\w+)`/).map { Text(String($0.1)) } }
    }
    #expect(listed.count == members.count)
    for line in listed {
      let own = try #require(members[line[0][0]])
      let common = own.isSuperset(of: field) ? field : row
      #expect(Set(line[1]) == own.subtracting(common), "\(line[0][0])")
    }
  }

  @Test("is written as it was read, rows in the order of their weights")
  func roundTrip() throws {
    let data = FormStore(.demo(), in: .still())
    for form in data.value.parents {
      let again = try Form(JSONReader(form.json))
      #expect(again == form && again.json == form.json)
    }
    let full: JSONValue = Self.form([
      [
        "id": "t", "kind": "text", "label": "L", "placeholder": "P", "required": true,
        "errorText": "E", "autocomplete": "postal-code", "default": "5", "inputType": "number",
        "min": 5, "max": 5,
        "minLength": 1, "maxLength": 1, "characters": "digits",
        "visibility": ["row": "s", "equals": true],
      ],
      [
        "id": "p", "kind": "phone", "label": "L", "countryCode": "49", "minDigits": 9,
        "maxDigits": 9,
      ],
      [
        "id": "d", "kind": "date", "label": "L", "min": "2026-02-28", "max": "2026-02-28",
        "default": "2026-02-28",
      ],
      ["id": "s", "kind": "switch", "label": "L", "default": true],
      ["id": "o", "kind": "dropdown", "label": "L", "options": FieldTests.options, "default": "a"],
      [
        "id": "x", "kind": "taxNumber", "label": "L", "default": "DE136695976",
        "fills": ["city": "t"],
      ],
      ["id": "b", "kind": "button", "text": "B", "does": "reset", "visibility": "hidden"],
      [
        "id": "g", "kind": "group", "text": "G", "collapsed": true, "weight": 3,
        "rows": FormOperationTests.headers("h"),
      ],
    ])
    #expect(try Form(JSONReader(full)).json == full)
  }

  /// A row that is shown only while a field has a value.
  static func dependent(on field: JSONValue, equals value: JSONValue) -> JSONValue {
    guard case .object(var members) = field else { return .null }
    (members["id"], members["label"]) = ("b", "B")
    return [
      [
        "id": "a", "kind": "header", "text": "T",
        "visibility": FormVisibilityTests.when("b", value),
      ], .object(members),
    ]
  }

  static let faults: [(JSONValue, String)] = [
    ([["kind": "header", "text": "T"]], "/0/id"), ([["id": "a", "text": "T"]], "/0/kind"),
    ([["id": "a", "kind": "odd"]], "/0/kind"), ([["id": "a", "kind": "header"]], "/0/text"),
    ([["id": "a", "kind": "header", "text": ""]], "/0/text"),
    ([["id": "a", "kind": "header", "text": "T", "label": "L"]], "/0/label"),
    ([["id": "a", "kind": "header", "text": "T", "weight": 1.5]], "/0/weight"),
    ([["id": "a", "kind": "header", "text": "T", "weight": 9_999_999]], "/0/weight"),
    ([["id": "a", "kind": "header", "text": "T", "visibility": "often"]], "/0/visibility"),
    (
      [
        [
          "id": "a", "kind": "header", "text": "T",
          "visibility": FormVisibilityTests.when("gone", 1),
        ]
      ], "/0/visibility/equals"
    ),
    (
      [
        [
          "id": "a", "kind": "header", "text": "T",
          "visibility": FormVisibilityTests.when("gone", "x"),
        ]
      ], "/0/visibility/row"
    ),
    (
      [
        [
          "id": "a", "kind": "text", "label": "L",
          "visibility": FormVisibilityTests.when("a", "x"),
        ]
      ], "/0/visibility"
    ),
    (.array([FormOperationTests.header("a"), FormOperationTests.header("a")]), "/1/id"),
    ([["id": "entry", "kind": "header", "text": "T"]], "/0/id"),
    ([["id": "a", "kind": "text"]], "/0/label"),
    ([["id": "a", "kind": "text", "label": "L", "required": "yes"]], "/0/required"),
    ([["id": "a", "kind": "text", "label": "L", "inputType": "colour"]], "/0/inputType"),
    ([["id": "a", "kind": "phone", "label": "L", "autocomplete": "phone"]], "/0/autocomplete"),
    ([["id": "a", "kind": "text", "label": "L", "minLength": 5, "maxLength": 4]], "/0/maxLength"),
    ([["id": "a", "kind": "text", "label": "L", "min": 5]], "/0/min"),
    ([["id": "a", "kind": "text", "label": "L", "max": 5]], "/0/max"),
    (
      [["id": "a", "kind": "text", "label": "L", "inputType": "number", "min": 5, "max": 4]],
      "/0/max"
    ),
    (
      [["id": "a", "kind": "text", "label": "L", "inputType": "email", "default": "x"]],
      "/0/default"
    ),
    ([["id": "a", "kind": "text", "label": "L", "pattern": "(a+)+"]], "/0/pattern"),
    ([["id": "a", "kind": "phone", "label": "L", "countryCode": "049"]], "/0/countryCode"),
    ([["id": "a", "kind": "phone", "label": "L", "countryCode": "4\u{301}"]], "/0/countryCode"),
    ([["id": "a", "kind": "phone", "label": "L", "maxDigits": 7]], "/0/maxDigits"),
    ([["id": "a", "kind": "phone", "label": "L", "maxDigits": 16]], "/0/maxDigits"),
    ([["id": "a", "kind": "date", "label": "L", "min": "2026-02-30"]], "/0/min"),
    (
      [["id": "a", "kind": "date", "label": "L", "min": "2026-02-02", "max": "2026-01-01"]],
      "/0/max"
    ),
    ([["id": "a", "kind": "dropdown", "label": "L", "options": []]], "/0/options"),
    (
      [
        [
          "id": "a", "kind": "dropdown", "label": "L",
          "options": [["id": "a", "title": "A"], ["id": "a", "title": "B"]],
        ]
      ], "/0/options/1/id"
    ),
    (
      [
        [
          "id": "a", "kind": "dropdown", "label": "L", "options": FieldTests.options,
          "default": "z",
        ]
      ], "/0/default"
    ),
    ([["id": "a", "kind": "switch", "label": "L", "default": "on"]], "/0/default"),
    ([["id": "a", "kind": "taxNumber", "label": "L", "fills": ["name": "gone"]]], "/0/fills/name"),
    (
      [["id": "a", "kind": "taxNumber", "label": "L", "fills": ["street": "a"]]], "/0/fills/street"
    ),
    ([["id": "a", "kind": "taxNumber", "label": "L", "fills": ["name": "a"]]], "/0/fills/name"),
    (
      [
        ["id": "a", "kind": "taxNumber", "label": "L", "fills": ["city": "b"]],
        ["id": "b", "kind": "switch", "label": "B"],
      ], "/0/fills/city"
    ),
    (
      [
        [
          "id": "a", "kind": "header", "text": "T",
          "visibility": FormVisibilityTests.when("b", "x"),
        ],
        ["id": "b", "kind": "header", "text": "B"],
      ], "/0/visibility/row"
    ),
    (dependent(on: ["kind": "switch"], equals: "x"), "/0/visibility/equals"),
    (
      dependent(on: ["kind": "dropdown", "options": FieldTests.options], equals: "z"),
      "/0/visibility/equals"
    ),
    (dependent(on: ["kind": "text"], equals: true), "/0/visibility/equals"),
    (dependent(on: ["kind": "text"], equals: " x"), "/0/visibility/equals"),
    (
      dependent(on: ["kind": "phone", "countryCode": "49"], equals: "030 901820"),
      "/0/visibility/equals"
    ),
    ([["id": "a", "kind": "button", "text": "T", "does": "explode"]], "/0/does"),
    (
      [["id": "p", "kind": "phone", "label": "L", "minDigits": 9, "maxDigits": 8]], "/0/maxDigits"
    ),
    ([["id": "p", "kind": "phone", "label": "L", "maxDigits": 7]], "/0/maxDigits"),
    (
      [["id": "g", "kind": "group", "text": "G", "rows": [["id": "a", "kind": "odd"]]]],
      "/0/rows/0/kind"
    ),
    (
      [["id": "g", "kind": "group", "text": "G", "rows": FormOperationTests.headers("g")]],
      "/0/rows/0/id"
    ),
    (
      [
        [
          "id": "a", "kind": "switch", "label": "A",
          "visibility": FormVisibilityTests.when("b", true),
        ],
        [
          "id": "b", "kind": "switch", "label": "B",
          "visibility": FormVisibilityTests.when("a", true),
        ],
      ], "/0/visibility"
    ),
    (
      [
        [
          "id": "g", "kind": "group", "text": "G",
          "visibility": FormVisibilityTests.when("a", true),
          "rows": [["id": "a", "kind": "switch", "label": "A"]],
        ]
      ], "/0/visibility"
    ),
  ]

  @Test("whose rows depend on each other in a circle is refused with a row of the circle")
  func circle() throws {
    func field(_ id: Text, _ other: Text) -> JSONValue {
      [
        "id": .string(id), "kind": "switch", "label": "L",
        "visibility": FormVisibilityTests.when(other, true),
      ]
    }
    let error = try #require(throws: JSONShapeError.self) {
      try Form(JSONReader(Self.form([field("x", "a"), field("a", "b"), field("b", "a")])))
    }
    #expect(error.pointer.description == "/sections/0/rows/1/visibility")
    // A row of a group depends on the group, but only the group has a member that can be wrong.
    let group: JSONValue = [
      "id": "g", "kind": "group", "text": "G", "visibility": FormVisibilityTests.when("a", true),
      "rows": [["id": "a", "kind": "switch", "label": "A"]],
    ]
    let grouped = try #require(throws: JSONShapeError.self) {
      try Form(JSONReader(Self.form([field("x", "a"), group])))
    }
    #expect(grouped.pointer.description == "/sections/0/rows/1/visibility")
  }

  @Test("is refused with the member at fault", arguments: faults)
  func refusal(rows: JSONValue, place: String) throws {
    let error = try #require(throws: JSONShapeError.self) {
      try Form(JSONReader(Self.form(rows)))
    }
    #expect(error.pointer.description == "/sections/0/rows" + place)
  }

  @Test("that a write leaves as it is leaves the rows as users have arranged them")
  func sameWrites() async throws {
    let fixture = try FormFixture(rows: [FieldTests.text(), FormOperationTests.header("h")])
    try await fixture.apply(["operation": "swap", "row": "f", "other": "h"])
    let (number, form) = (fixture.number, try fixture.store.value.parent("1"))
    let again = try await fixture.store.replace(
      Form(JSONReader(form.resource.json)))
    #expect(again.version == form.version && fixture.number == number)
    #expect(fixture.rows == ["h", "f"])
  }

  @Test("that a write changes keeps what was entered into the rows that stay what they are")
  func writes() async throws {
    let fixture = try FormFixture(rows: [
      FieldTests.text(), ["id": "on", "kind": "switch", "label": "On"],
      ["id": "k", "kind": "text", "label": "K"],
    ])
    try await fixture.change("f", "typed")
    try await fixture.change("on", true)
    try await fixture.change("k", "typed")
    try await fixture.apply(["operation": "swap", "row": "f", "other": "on"])
    let before = fixture.snapshot
    try await fixture.store.replace(
      Form(
        JSONReader(
          Self.form([
            FormOperationTests.header("new"), FieldTests.field("text", ["maxLength": 2]),
            ["id": "on", "kind": "switch", "label": "On"],
            ["id": "k", "kind": "phone", "label": "K"],
          ]))))
    #expect(fixture.rows == ["new", "f", "f/error", "on", "k"])
    #expect(fixture.value("f") == "typed" && fixture.error("f") == "too-long")
    #expect(fixture.value("on") == true && fixture.value("k") == "")
    #expect(fixture.instance.current.cause == .storeWrite(source: "forms"))
    #expect(fixture.field("text", of: "form/title") == "F")
    #expect(!fixture.snapshot.difference(from: before).summary.contains("delete f"))
    try await fixture.send("reset")
    #expect(fixture.rows == ["new", "f", "on", "k"] && fixture.value("f") == "")
    try await fixture.store.deleteParent("1")
    #expect(fixture.instance.isEnded)
  }
}
