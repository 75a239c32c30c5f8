import CanonicalJSON
import Snapshots
import Testing

@Suite("An operation on the rows of a form")
struct FormOperationTests {
  static func header(_ id: Text, weight: Int? = nil) -> JSONValue {
    var members: [Text: JSONValue] = [
      "id": .string(id), "kind": "header", "text": .string(id),
    ]
    members["weight"] = weight.map(JSONValue.integer)
    return .object(members)
  }

  static func headers(_ ids: Text...) -> JSONValue { .array(ids.map { header($0) }) }

  static let sections: JSONValue = [
    ["id": "s", "rows": headers("a", "b", "c")],
    [
      "id": "t", "title": "T",
      "rows": [
        ["id": "g", "kind": "group", "text": "G", "rows": headers("x", "y")], header("d"),
      ],
    ],
  ]

  /// An operation, the rows then, and the least change that leads there.
  struct Case: Sendable, CustomTestStringConvertible {
    let operation: JSONValue
    let rows: [Text]
    let changes: [String]

    init(_ operation: JSONValue, _ rows: Text, _ changes: String...) {
      self.operation = operation
      self.rows = rows.string.split(separator: " ").map { Text($0) }
      self.changes = changes
    }

    var testDescription: String { "\(operation)" }
  }

  static let cases: [Case] = [
    Case(
      ["operation": "insertBefore", "rows": headers("n"), "row": "a"], "n a b c g x y d",
      "insert n"),
    Case(
      ["operation": "insertBefore", "rows": headers("n", "m"), "row": "c"], "a b n m c g x y d",
      "insert n", "insert m"),
    Case(
      ["operation": "insertBefore", "rows": headers("n"), "row": "y"], "a b c g x n y d",
      "insert n"),
    Case(
      ["operation": "insertAfter", "rows": headers("n"), "row": "c"], "a b c n g x y d",
      "insert n"),
    Case(
      ["operation": "insertAfter", "rows": headers("n"), "row": "g"], "a b c g x y n d",
      "insert n"),
    Case(
      ["operation": "insertAtStart", "rows": headers("n")], "n a b c g x y d", "insert n"),
    Case(
      ["operation": "insertAtStart", "rows": headers("n"), "section": "t"], "a b c n g x y d",
      "insert n"),
    Case(
      ["operation": "insertAtStart", "rows": headers("n"), "group": "g"], "a b c g n x y d",
      "insert n"),
    Case(["operation": "insertAtEnd", "rows": headers("n")], "a b c g x y d n", "insert n"),
    Case(
      ["operation": "insertAtEnd", "rows": headers("n"), "section": "s"], "a b c n g x y d",
      "insert n"),
    Case(
      ["operation": "insertAtEnd", "rows": headers("n"), "group": "g"], "a b c g x y n d",
      "insert n"),
    Case(
      ["operation": "append", "rows": headers("n"), "section": "s"], "a b c n g x y d", "insert n"),
    Case(
      ["operation": "replace", "row": "b", "with": header("n")], "a n c g x y d", "delete b",
      "insert n"),
    Case(
      ["operation": "replace", "row": "b", "with": ["id": "b", "kind": "header", "text": "B"]],
      "a b c g x y d", "update b"),
    Case(
      ["operation": "replace", "row": "g", "with": header("x")], "a b c x d", "delete y",
      "delete g", "update x"),
    Case(["operation": "remove", "ids": ["a", "y"]], "b c g x d", "delete y", "delete a"),
    Case(["operation": "remove", "ids": ["g"]], "a b c d", "delete y", "delete x", "delete g"),
    Case(
      ["operation": "clear", "section": "s"], "g x y d", "delete c", "delete b", "delete a"),
    Case(["operation": "clear", "group": "g"], "a b c g d", "delete y", "delete x"),
    Case(
      ["operation": "clear"], "", "delete d", "delete y", "delete x", "delete g", "delete c",
      "delete b", "delete a"),
    Case(["operation": "removeSection", "section": "s"], "g x y d"),
  ]

  @Test("puts the rows where it says, by the least change", arguments: cases)
  func operation(_ entry: Case) async throws {
    let fixture = try FormFixture(Self.sections)
    let changes = try await fixture.apply(entry.operation)
    #expect(fixture.rows == entry.rows)
    if !changes.isEmpty { #expect(changes.sorted() == entry.changes.sorted()) }
  }

  @Test("swaps two rows of one section, of two sections, and of a group with one outside")
  func swapping() async throws {
    let expected: [(String, String, String)] = [
      ("a", "b", "b a c g x y d"), ("a", "c", "c b a g x y d"), ("c", "a", "c b a g x y d"),
      ("a", "d", "d b c g x y a"), ("x", "y", "a b c g y x d"), ("y", "b", "a y c g x b d"),
      ("g", "a", "g x y b c a d"), ("g", "d", "a b c d g x y"),
    ]
    for (one, other, rows) in expected {
      let fixture = try FormFixture(Self.sections)
      let swap: JSONValue = [
        "operation": "swap", "row": .string(one), "other": .string(other),
      ]
      try await fixture.apply(swap)
      #expect(fixture.rows == rows.split(separator: " ").map { Text($0) }, "\(one) and \(other)")
      try await fixture.apply(swap)
      #expect(fixture.rows == ["a", "b", "c", "g", "x", "y", "d"])
    }
  }

  @Test("inserts a section right before the one that it names, be it the first or the last")
  func sections() async throws {
    for (operation, anchor, expected) in [
      ("insertSectionBefore", "s", ["n", "s", "t"]), ("insertSectionBefore", "t", ["s", "n", "t"]),
      ("insertSectionAfter", "s", ["s", "n", "t"]), ("insertSectionAfter", "t", ["s", "t", "n"]),
    ] as [(Text, Text, [Text])] {
      let fixture = try FormFixture(Self.sections)
      try await fixture.apply([
        "operation": .string(operation), "section": .string(anchor),
        "newSection": ["id": "n", "title": "N", "rows": Self.headers("n")],
      ])
      let sections = fixture.snapshot.sections.map(\.id)
      #expect(sections == ["form"] + expected + ["submission", "activity"])
      #expect(fixture.rows(of: "n") == ["n"])
    }
  }

  @Test("appends sections, also to a form without any, and renames them and clears their titles")
  func titles() async throws {
    let fixture = try FormFixture([])
    func title(_ section: Text) throws -> JSONValue? {
      let index = try #require(fixture.snapshot.index(ofSection: section))
      return fixture.snapshot.sections[index].fields["title"]
    }
    for id: Text in ["n", "m"] {
      try await fixture.apply([
        "operation": "appendSection",
        "newSection": [
          "id": .string(id), "title": "N", "rows": [Self.header("\(id)1")],
        ],
      ])
    }
    #expect(fixture.snapshot.sections.map(\.id) == ["form", "n", "m", "submission", "activity"])
    try await fixture.apply(["operation": "renameSection", "section": "n", "title": "Mine"])
    #expect(try title("n") == "Mine" && title("m") == "N")
    try await fixture.apply(["operation": "clearTitle", "section": "m"])
    #expect(try title("n") == "Mine" && title("m") == nil)
    #expect(fixture.rows == ["n1", "m1"])
    for (operation, pointer) in [
      (["operation": "appendSection", "newSection": ["id": "n"]], "/newSection/id"),
      (
        ["operation": "appendSection", "newSection": ["id": "k", "rows": [Self.header("n1")]]],
        "/newSection/rows/0/id"
      ),
      (["operation": "renameSection", "section": "k", "title": "T"], "/section"),
      (["operation": "renameSection", "section": "n", "title": ""], "/title"),
      (["operation": "renameSection", "section": "n"], "/title"),
      (["operation": "clearTitle", "section": "k"], "/section"),
      (["operation": "clearTitle"], "/section"),
    ] as [(JSONValue, String)] {
      let command: JSONValue = ["type": "apply", "operations": [operation]]
      #expect(try await fixture.refusal(of: command) == "/operations/0\(pointer)")
    }
  }

  @Test("is an update where a row is edited, and never a delete and an insert")
  func editing() async throws {
    let fixture = try FormFixture(rows: [FieldTests.text()])
    try await fixture.change("f", "typed")
    let changes = try await fixture.apply([
      "operation": "replace", "row": "f",
      "with": ["id": "f", "kind": "text", "label": "New", "maxLength": 3],
    ])
    #expect(changes == ["insert f/error", "update f"])
    #expect(fixture.value("f") == "typed" && fixture.field("label", of: "f") == "New")
    #expect(fixture.error("f") == "too-long")
  }

  @Test("does all of a list as one change, or none of it")
  func batches() async throws {
    let fixture = try FormFixture(Self.sections)
    try await fixture.apply(
      ["operation": "insertAfter", "rows": Self.headers("n"), "row": "a"],
      ["operation": "swap", "row": "n", "other": "d"], ["operation": "remove", "ids": ["a"]])
    #expect(fixture.rows == ["d", "b", "c", "g", "x", "y", "n"] && fixture.number == 1)
    let pointer = try await fixture.refusal(of: [
      "type": "apply",
      "operations": [
        ["operation": "remove", "ids": ["b"]], ["operation": "remove", "ids": ["c", "gone"]],
      ],
    ])
    #expect(pointer == "/operations/1/ids/1" && fixture.rows[1] == "b")
  }

  @Test("keeps what was entered into the rows that stay, wherever they go")
  func keeping() async throws {
    let fixture = try FormFixture([
      ["id": "s", "rows": [FieldTests.text(), Self.header("a")]],
      ["id": "t", "rows": Self.headers("b")],
    ])
    try await fixture.change("f", "typed")
    try await fixture.apply(["operation": "swap", "row": "f", "other": "b"])
    #expect(fixture.rows(of: "t") == ["f"] && fixture.value("f") == "typed")
    try await fixture.apply(["operation": "remove", "ids": ["f"]])
    try await fixture.apply(["operation": "append", "rows": [FieldTests.text()]])
    #expect(fixture.value("f") == "")
  }
}
