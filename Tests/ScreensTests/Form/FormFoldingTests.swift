import CanonicalJSON
import Screens
import Snapshots
import Testing

@Suite("A folding row of a form")
struct FormFoldingTests {
  static let rows: JSONValue = [
    [
      "id": "one", "kind": "group", "text": "1",
      "rows": [
        [
          "id": "two", "kind": "group", "text": "2",
          "rows": [
            [
              "id": "three", "kind": "group", "text": "3",
              "rows": [FieldTests.text(["required": true])],
            ],
            FormOperationTests.header("b"),
          ],
        ],
        FormOperationTests.header("c"),
      ],
    ],
    FormOperationTests.header("d"),
  ]
  static let all: [Text] = ["one", "two", "three", "f", "b", "c", "d"]

  @Test("shows how deep each row stands")
  func depth() throws {
    let fixture = try FormFixture(rows: Self.rows)
    #expect(fixture.rows == Self.all)
    #expect(
      Self.all.map { fixture.field("depth", of: $0) } == [nil, 1, 2, 3, 2, 1, nil])
  }

  @Test("hides all that is beneath it, grandchildren and theirs too")
  func collapsing() async throws {
    let fixture = try FormFixture(rows: Self.rows)
    let before = fixture.snapshot
    try await fixture.select("one")
    #expect(fixture.rows == ["one", "d"])
    #expect(
      fixture.snapshot.difference(from: before).summary == [
        "delete c", "delete b", "delete f", "delete three", "delete two", "update one",
      ])
    try await fixture.select("one")
    #expect(fixture.rows == Self.all && fixture.snapshot == before)
  }

  @Test("brings back what is beneath it as it was: what was collapsed still is")
  func nested() async throws {
    let fixture = try FormFixture(rows: Self.rows)
    try await fixture.select("three")
    try await fixture.select("two")
    #expect(fixture.rows == ["one", "two", "c", "d"])
    try await fixture.select("one")
    try await fixture.select("one")
    #expect(fixture.rows == ["one", "two", "c", "d"])
    try await fixture.select("two")
    #expect(fixture.rows == ["one", "two", "three", "b", "c", "d"])
    try await fixture.select("three")
    #expect(fixture.rows == Self.all)
  }

  @Test("keeps what was entered beneath it, with its error row")
  func values() async throws {
    let fixture = try FormFixture(rows: Self.rows)
    try await fixture.change("f", "x")
    try await fixture.change("f", "")
    try await fixture.select("one")
    #expect(
      try await fixture.refusal(of: ["type": "didChange", "row": "f", "value": "y"]) == "/row")
    try await fixture.select("one")
    #expect(fixture.error("f") == "required")
  }

  @Test("may begin collapsed, and says what its action does")
  func beginning() async throws {
    let fixture = try FormFixture(rows: [
      [
        "id": "g", "kind": "group", "text": "G", "collapsed": true,
        "rows": FormOperationTests.headers("x"),
      ]
    ])
    #expect(fixture.rows == ["g"] && fixture.field("isCollapsed", of: "g") == true)
    let action = try #require(fixture.field("action", of: "g"))
    #expect(try JSONReader(action).member("title").string() == "Expand")
    try await fixture.send(JSONReader(action).member("command").value)
    // It stays as the user has left it.
    try await fixture.apply([
      "operation": "insertAfter", "row": "x", "rows": FormOperationTests.headers("y"),
    ])
    #expect(fixture.rows == ["g", "x", "y"])
  }

  @Test("follows new rows as long as nobody has folded it")
  func following() async throws {
    let header = FormOperationTests.header("b")
    let fixture = try FormFixture(rows: [Self.group(of: header, isCollapsed: false)])
    func replace(isCollapsed: Bool) async throws {
      try await fixture.apply([
        "operation": "replace", "row": "g",
        "with": Self.group(of: header, isCollapsed: isCollapsed),
      ])
    }
    try await replace(isCollapsed: true)
    #expect(fixture.rows == ["g"])
    try await fixture.select("g")
    try await replace(isCollapsed: true)
    #expect(fixture.rows == ["g", "b"])
    // Also if it was folded to what it began as.
    try await replace(isCollapsed: false)
    try await replace(isCollapsed: true)
    #expect(fixture.rows == ["g", "b"])
  }

  @Test("hides no error when new rows come, unless a user has folded it")
  func error() async throws {
    let text = FieldTests.text(["required": true])
    let fixture = try FormFixture(rows: [Self.group(of: text, isCollapsed: false)])
    let replacement: JSONValue = [
      "operation": "replace", "row": "g", "with": Self.group(of: text, isCollapsed: true),
    ]
    try await fixture.change("f", "x")
    try await fixture.change("f", "")
    try await fixture.apply(replacement)
    #expect(fixture.rows == ["g", "f", "f/error"])
    try await fixture.select("g")
    try await fixture.apply(replacement)
    #expect(fixture.rows == ["g"])
  }

  @Test("stays as new rows have it if the error in it is not shown")
  func hiddenError() async throws {
    let text = FieldTests.text(["required": true, "visibility": ["row": "s", "equals": true]])
    let fixture = try FormFixture(rows: [
      ["id": "s", "kind": "switch", "label": "S", "default": true],
      Self.group(of: text, isCollapsed: false),
    ])
    try await fixture.change("f", "x")
    try await fixture.change("f", "")
    try await fixture.change("s", false)
    try await fixture.apply([
      "operation": "replace", "row": "g", "with": Self.group(of: text, isCollapsed: true),
    ])
    #expect(fixture.field("isCollapsed", of: "g") == true)
  }

  @Test("begins as a new one if it was removed and comes back")
  func removed() async throws {
    let group = Self.group(of: FormOperationTests.header("h"), isCollapsed: false)
    let fixture = try FormFixture(rows: [group])
    try await fixture.select("g")
    #expect(fixture.rows == ["g"])
    try await fixture.apply(["operation": "remove", "ids": ["g"]])
    try await fixture.apply(["operation": "insertAtEnd", "rows": [group]])
    #expect(fixture.rows == ["g", "h"])
  }

  private static func group(of row: JSONValue, isCollapsed: Bool) -> JSONValue {
    [
      "id": "g", "kind": "group", "text": "G", "collapsed": .bool(isCollapsed), "rows": [row],
    ]
  }

  @Test("unfolds when the form is sent and something wrong stands beneath it")
  func submitting() async throws {
    let fixture = try FormFixture(rows: Self.rows)
    try await fixture.select("three")
    try await fixture.select("one")
    try await fixture.send("submit")
    #expect(fixture.rows == ["one", "two", "three", "f", "f/error", "b", "c", "d"])
    #expect(fixture.state(.submission) == "notRequested")
  }
}
