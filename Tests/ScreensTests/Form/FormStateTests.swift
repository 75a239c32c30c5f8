import CanonicalJSON
import Forms
import Snapshots
import TestSupport
import Testing
import ViewState

@Suite("A screen whose state has fields")
struct FormStateTests {
  /// A kind of fields that the library does not have.
  private struct AccountNumberRule: LineRule {
    static let kind: Text = "accountNumber"
    static let fields: [Field<AccountNumberRule>] = []
    static let errorCodes: [Text] = ["invalid-account"]
    static let rowType = RowType.field(
      "accountNumberField", "A field for the number of an account.")

    var input: InputType { InputType(type: .text) }

    func error(of text: Text) -> FieldError? {
      text.trimmed.byteCount == 10
        ? nil
        : FieldError(
          "invalid-account", en: "An account number has ten digits.",
          de: "Eine Kontonummer hat zehn Ziffern.")
    }
  }

  private enum BankKinds: FormKindSet {
    static let kinds = FormKinds.standard.adding(AccountNumberRule.self).refusing("taken")
  }

  private struct Address: Screen {
    struct State: ScreenState, FormState {
      var fields = FormFields<BankKinds>(Address.outline)
      var changes = 0
      var letters = SaveState<Text>()
      var names = Lookups<Text, Bool>()

      mutating func entered(_ value: JSONValue, into row: FormRow, isNew: Bool) {
        if isNew { changes += 1 }
      }

      mutating func submit(as id: Text) {
        guard let answers = fields.judge(), answers["name"] == "Ada" else { return }
        fields.refuse("name", Self.taken)
      }

      static let taken = FieldError("taken", en: "Taken.", de: "Vergeben.")
    }

    var parts: [any ScreenPart<State>] {
      [
        LookingUp("names", \.names) { _, _ in true },
        Saving("letters", \.letters, to: { _, _ in }, failure: { $0 }),
      ]
    }

    static let name: Text = "address"
    static let summary = "Where letters go."
    static let outline = BankKinds.kinds.outline([
      [
        "id": "to", "title": "Letters go to",
        "rows": [
          ["id": "name", "kind": "text", "label": "Name", "required": true],
          ["id": "abroad", "kind": "switch", "label": "Abroad"],
          [
            "id": "country", "kind": "text", "label": "Country",
            "visibility": ["row": "abroad", "equals": true],
          ],
          ["id": "account", "kind": "accountNumber", "label": "Account"],
          ["id": "send", "kind": "button", "text": "Send", "does": "submit"],
          ["id": "again", "kind": "button", "text": "Again", "does": "reset"],
        ],
      ]
    ])
  }

  private let instance: Instance

  init() throws {
    let registry = ScreenRegistry(Engine.still(), of: Address())
    instance = try registry.instance(screen: "address", key: "1")
  }

  private func change(_ row: JSONValue, _ value: JSONValue) async throws -> String {
    try await instance.outcome(of: ["type": "didChange", "row": row, "value": value])
  }

  private func tap(_ row: JSONValue) async throws -> String {
    try await instance.outcome(of: ["type": "didTap", "row": row])
  }

  @Test("has the commands, rows and checks of its fields, and its own besides, and its parts")
  func whole() async throws {
    #expect(instance.current.snapshot.sectionIdentifiers == ["to", "letters"])
    #expect(try await change("abroad", true) == "insert country, update abroad")
    #expect(try await tap("send") == "insert name/error")
    #expect(try await change("name", "Ada") == "delete name/error, update name")
    #expect(try await change("account", "123") == "insert account/error, update account")
    #expect(try await change("account", " 1234567890 ") == "delete account/error, update account")
    #expect(try await tap("again") != "nothing")
    #expect(
      instance.current.snapshot.itemIdentifiers
        == ["name", "abroad", "account", "send", "again"])
    #expect(try await tap("name") == "refused /row")
  }

  @Test("describes the rows of its own kinds, with the codes of what can be wrong")
  func descriptions() throws {
    let types = Address().rowTypes
    #expect(types.contains { $0.name == "accountNumberField" })
    let error = try #require(types.first { $0.name == "fieldError" }?.schema)
    #expect("\(error)".contains("invalid-account") && "\(error)".contains("too-long"))
    #expect("\(error)".contains("taken"))
    #expect(throws: JSONShapeError.self) {
      try FormKinds.standard.outlineType.read(JSONReader(Address.outline.json))
    }
  }

  @Test("tells its state of each value that is entered")
  func entering() throws {
    var state = Address.State()
    try state.didChange("name", "Ada")
    try state.didChange("name", "Ada ")
    try state.didChange("abroad", true)
    #expect(state.changes == 2)
    let again = try JSONValue(encoding: state).decode(Address.State.self)
    #expect(again == state)
  }

  @Test("shows what the screen refuses of a value, until another one is entered")
  func refusing() async throws {
    _ = try await change("name", "Ada")
    #expect(try await tap("send") == "insert name/error")
    let rows = instance.current.snapshot.sections[0].rows
    let error = try #require(rows.first { $0.id == "name/error" }).fields
    #expect(error["code"] == "taken" && error["text"] == "Taken.")
    #expect(try await tap("send") == "nothing")
    #expect(try await change("abroad", true) == "insert country, update abroad")
    #expect(try await change("name", "Bob") == "delete name/error, update name")
    _ = try await tap("send")
    #expect(!instance.current.snapshot.itemIdentifiers.contains("name/error"))
  }

  #if DEBUG
    @Test("cannot be shown with an error whose code it does not list, and names the code")
    func unlisted() throws {
      var state = Address.State()
      state.fields.refuse("name", FieldError("rude", en: "Rude.", de: "Frech."))
      let message = "the field has the error “rude”: list the code by `refusing`"
      #expect(throws: JSONShapeError(["name"], message)) { try Address().snapshot(of: state) }
      state.fields.refuse("name", Address.State.taken)
      #expect(throws: Never.self) { try Address().snapshot(of: state) }
    }
  #endif

  @Test("shows an error that has no German text in English")
  func english() {
    let rude = FieldError("rude", en: "Rude.")
    #expect(rude == FieldError("rude", en: "Rude.", de: "Rude."))
  }

  @Test("removes an error that it has shown, and unfolds no group for that")
  func takingBack() throws {
    var state = Address.State()
    let name = try #require(state.fields.outline.row("name"))
    state.fields.refuse("name", Address.State.taken)
    #expect(state.fields.error(name) == Address.State.taken)
    state.fields.refuse("name", nil)
    #expect(state.fields.error(name) == nil && state == Address.State())
    // An error that the field itself finds stays.
    try state.didChange("name", "")
    state.fields.refuse("name", Address.State.taken)
    state.fields.refuse("name", nil)
    #expect(state.fields.error(name)?.code == "required")

    let folded: JSONValue = [
      "id": "g", "kind": "group", "text": "G", "collapsed": true,
      "rows": [["id": "name", "kind": "text", "label": "Name"]],
    ]
    state = Address.State()
    state.replace(BankKinds.kinds.outline([["id": "s", "rows": [folded]]]))
    state.fields.refuse("name", nil)
    #expect(try Address().snapshot(of: state).itemIdentifiers == ["g"])
    state.fields.refuse("name", Address.State.taken)
    try state.didSelect("g")
    // Nor does the same error, or users could not fold the group.
    state.fields.refuse("name", Address.State.taken)
    state.fields.refuse("name", nil)
    #expect(try Address().snapshot(of: state).itemIdentifiers == ["g"])
  }

  @Test("knows the right values of its fields at any time, as they are submitted")
  func answers() throws {
    func number(_ id: Text, _ more: JSONValue = [:]) -> JSONValue {
      more.mergePatched(with: [
        "id": .string(id), "kind": "text", "inputType": "number", "label": "L", "required": true,
      ])
    }
    let outline = BankKinds.kinds.outline([
      [
        "id": "s",
        "rows": [
          number("least"), number("most"), ["id": "open", "kind": "switch", "label": "L"],
          number("limit", ["visibility": ["row": "open", "equals": true]]),
          ["id": "end", "kind": "date", "label": "L"],
          number("kept", ["default": "7", "visibility": "hidden"]),
        ],
      ]
    ])
    var fields = FormFields<BankKinds>(outline, language: .de)
    #expect(fields.answers == ["open": false, "end": nil, "kept": 7])
    var state = Address.State(fields: fields)
    for (row, value) in [
      ("least", "1.234,5"), ("most", "many"), ("limit", "3"), ("end", "2026-02-30"),
      ("open", false),
    ] as [(ResourceID, JSONValue)] {
      try state.enter(value, into: row)
    }
    let some = ["least": 1234.5, "open": false, "kept": 7] as [Text: JSONValue]
    #expect(state.fields.answers == some)
    #expect(state.fields.judge() == nil && state.fields.answers == some)
    for (row, value) in [("most", "2.000"), ("end", "2026-02-28"), ("open", true)]
      as [(ResourceID, JSONValue)]
    {
      try state.enter(value, into: row)
    }
    state.fields.refuse("most", Address.State.taken)
    fields = state.fields
    let all =
      [
        "least": 1234.5, "most": 2000, "open": true, "limit": 3, "end": "2026-02-28", "kept": 7,
      ] as [Text: JSONValue]
    #expect(fields.answers == all && state.fields.judge() == nil)
    state.fields.refuse("most", nil)
    #expect(state.fields.judge() == all)
  }

  @Test(
    "keeps a refusal over a restart and with its field, unfolds the groups around it, and reads old records"
  )
  func refusals() throws {
    func outline(_ kind: JSONValue) -> FormOutline {
      BankKinds.kinds.outline([
        [
          "id": "s",
          "rows": [
            [
              "id": "g", "kind": "group", "text": "G", "collapsed": true,
              "rows": [["id": "name", "kind": kind, "label": "Name"]],
            ]
          ],
        ]
      ])
    }
    var state = Address.State()
    state.replace(outline("text"))
    let before = try JSONValue(encoding: state)
    #expect(try JSONReader(before).member("fields").optionalMember("refusals") == nil)
    #expect(try Address().snapshot(of: state).itemIdentifiers == ["g"])
    state.fields.refuse("name", Address.State.taken)
    state.fields.refuse("g", Address.State.taken)
    state.fields.refuse("unknown", Address.State.taken)
    #expect(try Address().snapshot(of: state).itemIdentifiers == ["g", "name", "name/error"])
    let again = try JSONValue(encoding: state).decode(Address.State.self)
    #expect(again == state)
    func error(_ state: Address.State) -> FieldError? {
      state.fields.outline.row("name").flatMap(state.fields.error)
    }
    #expect(error(again) == Address.State.taken)
    state.replace(outline("switch"))
    #expect(error(state) == nil)
  }

  @Test("shows a default in code that the field refuses, and its error after a tap on submit")
  func wrongDefaults() throws {
    let description: JSONValue = [
      [
        "id": "s",
        "rows": [
          ["id": "name", "kind": "text", "label": "Name", "maxLength": 3, "default": "stored"],
          [
            "id": "count", "kind": "text", "label": "Count", "inputType": "number", "max": 5,
            "default": "7.5",
          ],
        ],
      ]
    ]
    var state = Address.State()
    state.replace(BankKinds.kinds.outline(description))
    state = try JSONValue(encoding: state).decode(Address.State.self)
    let rows = try Address().snapshot(of: state).sections[0].rows
    #expect(rows.map(\.fields["value"]) == ["stored", "7.5"])
    #expect(state.fields.answers.isEmpty)
    state.submit(as: "")
    #expect(
      try Address().snapshot(of: state).itemIdentifiers
        == ["name", "name/error", "count", "count/error"])
    // Clients cannot describe such a field.
    #expect(throws: JSONShapeError.self) {
      try BankKinds.kinds.outlineType.read(JSONReader(description))
    }
  }

  @Test("follows the defaults of another description, except in fields that a user has filled in")
  func defaults() throws {
    func outline(_ value: JSONValue) -> FormOutline {
      BankKinds.kinds.outline([
        [
          "id": "s",
          "rows": [
            ["id": "name", "kind": "text", "label": "Name", "default": value],
            ["id": "street", "kind": "text", "label": "Street", "default": value],
            ["id": "empty", "kind": "text", "label": "Empty", "required": true, "default": ""],
          ],
        ]
      ])
    }
    func values(_ state: Address.State) throws -> [JSONValue?] {
      try Address().snapshot(of: state).sections[0].rows.map { $0.fields["value"] }
    }
    var state = Address.State()
    state.replace(outline("stored"))
    try state.enter("entered", into: "name")
    state.replace(outline("stored later"))
    #expect(try values(state) == ["entered", "stored later", ""])
    #expect(state.changes == 1)
    state.startOver()
    #expect(try values(state) == ["stored later", "stored later", ""])
    // A submit that is refused enters nothing.
    try state.enter("entered", into: "name")
    state.submit(as: "")
    state = try JSONValue(encoding: state).decode(Address.State.self)
    state.replace(outline("stored last"))
    #expect(try values(state) == ["entered", "stored last", "", nil])
    #expect(state.fields.outline.row("empty").flatMap(state.fields.error)?.code == "required")
    try state.enter("full", into: "empty")
    #expect(
      state.fields.judge() == ["name": "entered", "street": "stored last", "empty": "full"])
  }
}
