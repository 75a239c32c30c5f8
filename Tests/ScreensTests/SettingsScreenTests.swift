import CanonicalJSON
import Forms
import Snapshots
import TestSupport
import Testing
import ViewState

@testable import Screens

@Suite("A screen with fields of its own")
struct SettingsScreenTests {
  /// Settings with one section.
  private static func store(_ rows: JSONValue...) throws -> SettingsStore {
    let outline = FormKinds.standard.outline([
      ["id": "s", "title": "Title", "rows": .array(rows)]
    ])
    return try SettingsStore(outline)
  }

  private static let letter: JSONValue = ["id": "letter", "kind": "switch", "label": "Letter"]

  @Test("has one view model for each page, which begins with the defaults of its fields")
  func pages() throws {
    let store = try Self.store([
      "id": "name", "kind": "text", "label": "Name", "default": "Ada",
    ])
    #expect(store.field("value", of: "name") == "Ada")
    #expect(throws: ScreenLookupError.unknownKey) { try store.look(for: "other") }
  }

  @Test("shows facts, links and lines as they are described")
  func shown() throws {
    let store = try Self.store(
      ["id": "since", "kind": "info", "label": "Since", "text": "2026"],
      ["id": "l", "kind": "link", "text": "Privacy", "detail": "D", "to": "settings/privacy"],
      ["id": "line", "kind": "splitter"])
    #expect(
      store.rows.map(\.description) == [
        #"{"id":"since","label":"Since","text":"2026","type":"formInfo"}"#,
        #"{"detail":"D","id":"l","text":"Privacy","to":"settings/privacy","type":"link"}"#,
        #"{"id":"line","type":"formSplitter"}"#,
      ])
  }

  @Test("refuses events of rows that only show something")
  func events() async throws {
    let store = try Self.store(
      ["id": "i", "kind": "info", "label": "I", "text": "T"],
      ["id": "l", "kind": "link", "text": "T", "to": "a/b"], ["id": "s", "kind": "splitter"])
    for row in ["i", "l", "s", "i/error", "gone"] as [JSONValue] {
      for type in ["didChange", "didSelect", "didTap"] as [JSONValue] {
        let value: JSONValue = type == "didChange" ? ["value": "x"] : [:]
        let command = value.mergePatched(with: ["type": type, "row": row])
        #expect(try await store.outcome(of: command) == "refused /row")
      }
    }
  }

  @Test("offers a value of a field while the field has another one")
  func offers() async throws {
    let store = try Self.store(
      [
        "id": "offer", "kind": "offer", "title": "T", "button": "B",
        "enters": ["row": "letter", "value": true],
      ], Self.letter)
    #expect(store.ids == ["offer", "letter"])
    try await store.take("offer")
    #expect(store.ids == ["letter"] && store.field("value", of: "letter") == true)
    #expect(
      try await store.outcome(of: ["type": "didTap", "row": "offer"]) == "refused /row")
    try await store.change("letter", false)
    #expect(store.ids == ["offer", "letter"])
  }

  @Test("offers nothing for a field that is hidden")
  func hiddenOffers() async throws {
    let store = try Self.store(
      [
        "id": "offer", "kind": "offer", "title": "T", "button": "B",
        "enters": ["row": "daily", "value": true],
      ], Self.letter,
      [
        "id": "daily", "kind": "switch", "label": "Daily",
        "visibility": ["row": "letter", "equals": true],
      ])
    #expect(store.ids == ["letter"])
    try await store.change("letter", true)
    #expect(store.ids == ["offer", "letter", "daily"])
  }

  @Test("renames the section of its header, clears the title and adds one again")
  func headers() async throws {
    let header: JSONValue = ["id": "h", "kind": "sectionHeader", "label": "L"]
    let store = try Self.store(["id": "g", "kind": "group", "text": "G", "rows": [header]])
    for (title, shown) in [(" Mine ", "Mine"), ("", nil), ("Again", "Again")]
      as [(JSONValue, JSONValue?)]
    {
      try await store.change("h", title)
      #expect(store.title == shown && store.field("value", of: "h") == shown ?? "")
      #expect((store.field("action", of: "h") == nil) == (shown == nil))
    }
    try await store.take("h")
    #expect(store.title == nil && store.field("value", of: "h") == "")
    #expect(try await store.outcome(of: ["type": "didTap", "row": "h"]) == "nothing")
    for wrong: JSONValue in [.string(Text(String(repeating: "x", count: 1_001))), 1, true] {
      let command: JSONValue = ["type": "didChange", "row": "h", "value": wrong]
      #expect(try await store.outcome(of: command) == "refused /value")
    }
  }

  private static func longPath(_ byteCount: Int) -> JSONValue {
    .string(Text("/" + String(repeating: "x", count: byteCount - 1)))
  }

  @Test(
    "takes the address of a picture on the web, or a path of its server, and shows it with its cap",
    arguments: [
      ("/pictures/ada.svg", "/pictures/ada.svg"),
      (" https://a.example/b.png ", "https://a.example/b.png"),
      ("//a.example/b.png", nil), ("/\\a.example", nil), ("javascript:alert(1)", nil),
      ("data:image/png,x", nil), ("/a b", nil), ("ada.svg", nil),
      ("https://a@b.example/c.png", nil), ("", nil), (longPath(2_048), longPath(2_048)),
      (longPath(2_049), nil),
    ] as [(JSONValue, JSONValue?)])
  func avatars(entered: JSONValue, picture: JSONValue?) async throws {
    let store = try Self.store(["id": "p", "kind": "avatar", "label": "P", "cap": 48])
    #expect(store.field("cap", of: "p") == 48 && store.field("picture", of: "p") == nil)
    try await store.change("p", entered)
    #expect(store.field("picture", of: "p") == picture)
    let isWrong = picture == nil && entered != ""
    #expect(store.field("code", of: "p/error") == (isWrong ? "invalid-url" : nil))
  }

  @Test("is described by rows that can be what they say")
  func descriptions() throws {
    let long = Text(String(repeating: "x", count: 128))
    // The names that a screen may have.
    for name in [long, "2048", "app.notes", "a_b-c"] {
      _ = try Self.store(["id": "r", "kind": "link", "text": "T", "to": .string("\(name)/b")])
    }
    let wrong: [(row: JSONValue, place: String)] = [
      (["kind": "link", "text": "T", "to": "settings"], "/to"),
      (["kind": "link", "text": "T", "to": "settings/"], "/to"),
      (["kind": "link", "text": "T", "to": "/privacy"], "/to"),
      (["kind": "link", "text": "T", "to": "/settings/privacy"], "/to"),
      (["kind": "link", "text": "T", "to": "a/b/c"], "/to"),
      (["kind": "link", "text": "T", "to": .string("\(long)x/b")], "/to"),
      (["kind": "link", "text": "T", "to": "https://a.example"], "/to"),
      (["kind": "link", "text": "T", "to": ".notes/b"], "/to"),
      (["kind": "avatar", "label": "L", "cap": 15], "/cap"),
      (["kind": "avatar", "label": "L", "default": "x"], "/default"),
      (["kind": "info", "label": "L"], "/text"), (["kind": "splitter", "text": "T"], "/text"),
      (
        ["kind": "offer", "title": "T", "button": "B", "enters": ["row": "no", "value": true]],
        "/enters/row"
      ),
      (
        ["kind": "offer", "title": "T", "button": "B", "enters": ["row": "letter", "value": "x"]],
        "/enters/value"
      ),
      (
        ["kind": "offer", "title": "T", "button": "B", "enters": ["row": "letter", "value": nil]],
        "/enters/value"
      ),
    ]
    for (row, place) in wrong {
      let sections: JSONValue = [
        ["id": "s", "rows": [Self.letter, row.mergePatched(with: ["id": "r"])]]
      ]
      let error = #expect(throws: JSONShapeError.self, "\(row)") {
        try FormKinds.standard.outlineType.read(JSONReader(sections))
      }
      let pointer = error.map { "\($0.pointer)" } ?? ""
      #expect(pointer == "/0/rows/1\(place)", "\(row)")
    }
  }

  @Test("keeps what users have changed if its description is written again as it is")
  func sameDescription() throws {
    let outline = FormKinds.standard.outline([
      ["id": "s", "rows": [["id": "h", "kind": "sectionHeader", "label": "L"]]]
    ])
    var state = SettingsScreen.State(fields: FormFields(outline))
    try state.didChange("h", "Mine")
    let changed = state
    state.replace(outline)
    #expect(state == changed)
  }

  @Test("refuses a title with which its rows would be too large to be read again")
  func longTitle() throws {
    let label = JSONValue.string(String(repeating: "l", count: 1_000))
    let rows = (0..<127).map { number -> JSONValue in
      ["id": .integer(number), "kind": "info", "label": label, "text": label]
    }
    let header: JSONValue = ["id": "h", "kind": "sectionHeader", "label": label]
    let rest: JSONValue = [
      "id": "rest", "kind": "header", "text": .string(String(repeating: "l", count: 800)),
    ]
    let outline = FormKinds.standard.outline([["id": "s", "rows": .array([header, rest] + rows)]])
    let room = FormOutline.mostBytes - outline.json.canonicalByteCount - #""title":"","#.utf8.count
    #expect((1..<1_000).contains(room), "\(room)")
    var state = SettingsScreen.State(fields: FormFields(outline))
    let before = state
    #expect(throws: Refusal.self) {
      try state.didChange("h", .string(String(repeating: "t", count: room + 1)))
    }
    #expect(state == before)
    try state.didChange("h", .string(String(repeating: "t", count: room)))
    #expect(try JSONValue(encoding: state).decode(SettingsScreen.State.self) == state)
    try state.didTap("h", as: "")
    #expect(state == before)
  }

  @Test("reads its state back as it was")
  func coding() throws {
    let store = try Self.store(
      ["id": "h", "kind": "sectionHeader", "label": "L"], Self.letter,
      ["id": "p", "kind": "avatar", "label": "P"])
    var state = store.state
    try state.didChange("h", "Mine")
    try state.didChange("p", "wrong")
    let again = try JSONValue(encoding: state).decode(SettingsScreen.State.self)
    #expect(again == state)
    state.reset()
    #expect(again != state && state == store.state)
  }
}

/// A page of settings under a test.
private struct SettingsStore {
  let state: SettingsScreen.State
  private let registry: ScreenRegistry
  private let instance: Instance

  init(_ outline: FormOutline) throws {
    let registry = ScreenRegistry(Engine.still(), of: SettingsScreen(pages: [("p", outline)]))
    state = SettingsScreen.State(fields: FormFields(outline))
    self.registry = registry
    instance = try registry.instance(screen: "settings", key: "p")
  }

  func look(for key: Text) throws { _ = try registry.instance(screen: "settings", key: key) }

  var rows: [Row] { instance.current.snapshot.sections.flatMap { Array($0.rows) } }
  var ids: [Text] { rows.map(\.id) }
  var title: JSONValue? { instance.current.snapshot.sections.first?.fields["title"] }

  func field(_ name: Text, of row: Text) -> JSONValue? {
    rows.first { $0.id == row }?.fields[name]
  }

  func outcome(of command: JSONValue) async throws -> String {
    try await instance.outcome(of: command)
  }

  /// Enters a value as the row says.
  func change(_ row: Text, _ value: JSONValue) async throws {
    let change = try JSONReader(#require(field("change", of: row)))
    let argument = try change.member("argument").string()
    let command = try change.member("command").value
    _ = try await outcome(of: command.mergePatched(with: .object([argument: value])))
  }

  /// Sends the action of a row.
  func take(_ row: Text) async throws {
    let action = try JSONReader(#require(field("action", of: row)))
    #expect(try await outcome(of: action.member("command").value) != "nothing")
  }
}
