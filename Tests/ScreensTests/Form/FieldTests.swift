import CanonicalJSON
import Screens
import Snapshots
import Testing
import ViewState

@Suite("A field of a form")
struct FieldTests {
  /// What is entered, what the row shows then, and the code of what is wrong with it.
  struct Case: Sendable, CustomTestStringConvertible {
    let description: JSONValue
    let entered: JSONValue
    let shown: JSONValue
    let code: Text?

    init(_ description: JSONValue, _ entered: JSONValue, _ shown: JSONValue, _ code: Text?) {
      (self.description, self.entered, self.shown, self.code) = (description, entered, shown, code)
    }

    var testDescription: String { "\(description) with \(entered)" }
  }

  static func text(_ rules: JSONValue = [:]) -> JSONValue { field("text", rules) }

  static func field(_ kind: Text, _ rules: JSONValue = [:]) -> JSONValue {
    guard case .object(var members) = rules else { return .null }
    members["id"] = "f"
    members["kind"] = .string(kind)
    members["label"] = "Field"
    return .object(members)
  }

  /// Texts of code points of four bytes, and of an emoji of seven code points.
  static let longTexts: [Case] = [
    (["maxLength": 1_000], "🌳", 600, nil), ([:], "🌳", 1_000, nil),
    ([:], "🌳", 1_001, "too-long"), (["maxLength": 10], "🌳", 2_000, "too-long"),
    ([:], "👨‍👩‍👧‍👦", 142, nil), ([:], "👨‍👩‍👧‍👦", 143, "too-long"),
  ].map { (rules: JSONValue, character: String, count: Int, code: Text?) in
    let entered = JSONValue.string(String(repeating: character, count: count))
    return Case(text(rules), entered, entered, code)
  }

  static let texts: [Case] = [
    Case(text(), "", "", nil), Case(text(), "  a b ", "a b", nil),
    Case(text(), "a\u{1}", "a\u{1}", "wrong-characters"),
    Case(text(), "a\nb", "a\nb", "wrong-characters"),
    Case(text(), "a\u{7F}", "a\u{7F}", "wrong-characters"), Case(text(), " a\n", "a", nil),
    Case(text(["required": true]), "", "", "required"),
    Case(text(["required": true]), " \n", " \n", "required"),
    Case(text(["minLength": 3]), " ab ", " ab ", "too-short"),
    Case(text(["minLength": 3]), "abc", "abc", nil), Case(text(["minLength": 3]), "", "", nil),
    Case(text(["maxLength": 2]), "äöü", "äöü", "too-long"),
    Case(text(["maxLength": 2]), "äö", "äö", nil),
    Case(text(["characters": "letters"]), "Anne-Marie O'Neil", "Anne-Marie O'Neil", nil),
    Case(text(["characters": "letters"]), "R2D2", "R2D2", "wrong-characters"),
    Case(text(["characters": "digits"]), "0123", "0123", nil),
    Case(text(["characters": "digits"]), "1.5", "1.5", "wrong-characters"),
    Case(text(["characters": "digits"]), "٣", "٣", "wrong-characters"),
    Case(text(["characters": "digits"]), "5\u{301}", "5\u{301}", "wrong-characters"),
    Case(text(["characters": "lettersAndDigits"]), "ß7", "ß7", nil),
    Case(text(["characters": "lettersAndDigits"]), "a5\u{301}", "a5\u{301}", "wrong-characters"),
    Case(text(["characters": "lettersAndDigits"]), "a b", "a b", "wrong-characters"),
  ]

  static let inputTypes: [Case] = [
    Case(text(["inputType": "email"]), " ada@example.org ", "ada@example.org", nil),
    Case(text(["inputType": "email"]), "ada@bücher.example", "ada@bücher.example", nil),
    Case(text(["inputType": "email"]), "ada@example", "ada@example", "invalid-email"),
    Case(text(["inputType": "email"]), "a@b@c.org", "a@b@c.org", "invalid-email"),
    Case(text(["inputType": "email"]), "@example.org", "@example.org", "invalid-email"),
    Case(text(["inputType": "email"]), "a@b..org", "a@b..org", "invalid-email"),
    Case(text(["inputType": "email"]), "a b@c.org", "a b@c.org", "invalid-email"),
    Case(text(["inputType": "email"]), "a@b-c.org", "a@b-c.org", nil),
    Case(text(["inputType": "email"]), "a@-b.org", "a@-b.org", "invalid-email"),
    Case(text(["inputType": "email"]), "a@b-.org", "a@b-.org", "invalid-email"),
    Case(text(["inputType": "url"]), "https://example.org/a?b", "https://example.org/a?b", nil),
    Case(text(["inputType": "url"]), "http://example.org:80", "http://example.org:80", nil),
    Case(text(["inputType": "url"]), "example.org", "example.org", "invalid-url"),
    Case(text(["inputType": "url"]), "ftp://example.org", "ftp://example.org", "invalid-url"),
    Case(text(["inputType": "url"]), "https://local", "https://local", nil),
    Case(text(["inputType": "url"]), "https://a@b.org", "https://a@b.org", "invalid-url"),
    Case(text(["inputType": "url"]), "https://b.org:0", "https://b.org:0", "invalid-url"),
    Case(text(["inputType": "url"]), "https://b.org/\\", "https://b.org/\\", "invalid-url"),
    Case(text(["inputType": "number"]), "-1,5", "-1,5", nil),
    Case(text(["inputType": "number"]), "1e3", "1e3", "invalid-number"),
    Case(text(["inputType": "number"]), "nan", "nan", "invalid-number"),
    Case(text(["inputType": "number"]), "0x10", "0x10", "invalid-number"),
    Case(text(["inputType": "number", "min": 2]), "1.9", "1.9", "too-small"),
    Case(text(["inputType": "number", "min": 2]), "2", "2", nil),
    Case(text(["inputType": "number", "max": 2.5]), "2,6", "2,6", "too-large"),
    Case(text(["inputType": "number", "max": 2.5]), "2.5", "2.5", nil),
  ]

  /// The longest e-mail address, and one that is longer.
  static let longAddresses: [Case] = [(248, nil), (249, "invalid-email")].map {
    (count: Int, code: Text?) in
    let entered = JSONValue.string(Text("a@\(String(repeating: "b", count: count)).org"))
    return Case(text(["inputType": "email"]), entered, entered, code)
  }

  static let phones: [Case] = [
    Case(field("phone"), "+49 (30) 90-18/20", "+4930901820", nil),
    Case(field("phone"), "0049 30 901820", "+4930901820", nil),
    Case(field("phone"), "+49 (0)30 901820", "+4930901820", nil),
    Case(field("phone"), "(+49) (0)30 901820", "+4930901820", nil),
    Case(field("phone"), "(0049) (0)30 901820", "+4930901820", nil),
    Case(field("phone"), "+49\u{A0}30 901820", "+4930901820", nil),
    Case(field("phone", ["countryCode": "49"]), "(0)30 901820", "+4930901820", nil),
    Case(field("phone"), "030 901820", "030 901820", "invalid-phone"),
    Case(field("phone", ["countryCode": "49"]), "030 901820", "+4930901820", nil),
    Case(field("phone", ["countryCode": "49"]), "901820", "901820", "invalid-phone"),
    Case(field("phone"), "+0 30 901820", "+0 30 901820", "invalid-phone"),
    Case(field("phone"), "+49 30 9O182O", "+49 30 9O182O", "invalid-phone"),
    Case(field("phone"), "+", "+", "invalid-phone"),
    Case(field("phone"), "+49 30 1", "+49 30 1", "too-short"),
    Case(field("phone"), "+1234567890123456", "+1234567890123456", "too-long"),
    Case(field("phone", ["minDigits": 5]), "+49 30 1", "+49301", nil),
    Case(field("phone", ["maxDigits": 9]), "+49 30 901820", "+49 30 901820", "too-long"),
    Case(field("phone", ["maxDigits": 10]), "+49 30 901820", "+4930901820", nil),
    Case(field("phone", ["required": true]), "", "", "required"),
  ]

  static let dates: [Case] = [
    Case(field("date"), " 2024-02-29 ", "2024-02-29", nil),
    Case(field("date"), "2023-02-29", "2023-02-29", "invalid-date"),
    Case(field("date"), "2024-2-9", "2024-2-9", "invalid-date"),
    Case(field("date"), "29.02.2024", "29.02.2024", "invalid-date"),
    Case(field("date"), "2024-02-29T00:00:00Z", "2024-02-29T00:00:00Z", "invalid-date"),
    Case(field("date", ["min": "2024-01-02"]), "2024-01-01", "2024-01-01", "too-early"),
    Case(field("date", ["min": "2024-01-02"]), "2024-01-02", "2024-01-02", nil),
    Case(field("date", ["max": "2024-01-02"]), "2024-01-03", "2024-01-03", "too-late"),
    Case(field("date", ["max": "2024-01-02"]), "2024-01-02", "2024-01-02", nil),
    Case(field("date", ["required": true]), "", "", "required"),
  ]

  static let options: JSONValue = [["id": "a", "title": "A"], ["id": "b", "title": "B"]]
  /// Marks that combine with what is before them, which Swift takes for one character with it.
  static let marks: [Case] = [
    Case(text(), " \u{301}a ", "\u{301}a", nil),
    Case(text(["required": true]), " \u{301}", "\u{301}", nil),
    Case(text(["maxLength": 1]), "e\u{301}", "e\u{301}", "too-long"),
    Case(
      text(["characters": "letters"]), "Jose\u{301} O'\u{301}", "Jose\u{301} O'\u{301}",
      "wrong-characters"),
    Case(text(["characters": "letters"]), "Jose\u{301}-हिन्दी", "Jose\u{301}-हिन्दी", nil),
    Case(text(["characters": "letters"]), "می\u{200C}خواهم", "می\u{200C}خواهم", nil),
    Case(text(["characters": "letters"]), "\u{301}a", "\u{301}a", "wrong-characters"),
    Case(text(["inputType": "email"]), "a@e\u{301}b.org", "a@e\u{301}b.org", nil),
    Case(text(["inputType": "email"]), "a@\u{301}b.org", "a@\u{301}b.org", "invalid-email"),
    Case(text(["inputType": "email"]), "a@b@\u{301}.org", "a@b@\u{301}.org", "invalid-email"),
    Case(text(["inputType": "url"]), "https://\u{301}x.org", "https://\u{301}x.org", "invalid-url"),
    Case(text(["inputType": "url"]), "https://x.org/\u{301}", "https://x.org/\u{301}", nil),
    Case(text(["inputType": "number"]), "1\u{301}", "1\u{301}", "invalid-number"),
    Case(text(["inputType": "number"]), "1,\u{301}5", "1,\u{301}5", "invalid-number"),
    Case(field("phone"), "+49 30\u{301} 901820", "+49 30\u{301} 901820", "invalid-phone"),
    Case(field("phone"), "+\u{301}49 30 901820", "+\u{301}49 30 901820", "invalid-phone"),
    Case(field("phone"), "+٤9 30 901820", "+٤9 30 901820", "invalid-phone"),
    Case(field("date"), "2024-02-2\u{301}", "2024-02-2\u{301}", "invalid-date"),
    Case(field("taxNumber"), "DE13669597\u{301}6", "DE13669597\u{301}6", "invalid-tax-number"),
    Case(field("taxNumber"), "DE13669597٦", "DE13669597٦", "invalid-tax-number"),
  ]

  static let choices: [Case] = [
    Case(field("dropdown", ["options": options]), "a", "a", nil),
    Case(field("dropdown", ["options": options, "default": "b"]), .null, .null, nil),
    Case(
      field("dropdown", ["options": options, "default": "b", "required": true]), .null, .null,
      "required"),
    Case(field("switch"), true, true, nil),
    Case(field("switch", ["default": true]), false, false, nil),
    Case(field("switch", ["required": true]), false, false, "required"),
  ]

  static let taxNumbers: [Case] = [
    Case(field("taxNumber"), "DE136695976", "DE136695976", nil),
    Case(field("taxNumber"), " de 136.695-976 ", "DE136695976", nil),
    Case(field("taxNumber"), "DE999999995", "DE999999995", nil),
    Case(field("taxNumber"), "DE136695975", "DE136695975", "wrong-check-digit"),
    Case(field("taxNumber"), "DE163695976", "DE163695976", "wrong-check-digit"),
    Case(field("taxNumber"), "DE13669597", "DE13669597", "invalid-tax-number"),
    Case(field("taxNumber"), "136695976", "136695976", "invalid-tax-number"),
    Case(field("taxNumber"), "DE036695976", "DE036695976", "invalid-tax-number"),
    Case(field("taxNumber"), "FR136695976", "FR136695976", "invalid-tax-number"),
    Case(field("taxNumber"), "", "", nil),
    Case(field("taxNumber", ["required": true]), "", "", "required"),
  ]

  @Test(
    "keeps what is entered, laid out where it is right, and says behind itself what is wrong",
    arguments: texts + longTexts + marks + inputTypes + longAddresses + phones + dates + choices
      + taxNumbers)
  func entering(_ entry: Case) async throws {
    let fixture = try FormFixture(rows: [
      entry.description, ["id": "z", "kind": "header", "text": "Z"],
    ])
    let outcome = try await fixture.change("f", entry.entered)
    #expect(outcome.isAccepted)
    #expect(fixture.value("f") == entry.shown)
    #expect(fixture.error("f") == entry.code)
    if entry.code != nil {
      #expect(fixture.rows == ["f", "f/error", "z"])
      #expect(fixture.field("field", of: "f/error") == "f")
    }
  }

  @Test(
    "begins empty if its default is nothing but spaces",
    arguments: ["text", "phone", "date", "taxNumber"] as [Text])
  func blankDefault(kind: Text) throws {
    let fixture = try FormFixture(rows: [Self.field(kind, ["default": " \u{A0} "])])
    #expect(fixture.value("f") == "")
    let form = try fixture.store.value.parent("1").resource.json
    #expect(!"\(form)".contains("default"))
  }

  @Test("of a number has the numbers of its description written in the language of the server")
  func describedNumbers() async throws {
    for (language, small, large) in [(Language.en, "1.234", "1,234.5"), (.de, "1,234", "1.234,5")]
      as [(Language, JSONValue, JSONValue)]
    {
      let fixture = try FormFixture(
        rows: [
          Self.text(["inputType": "number", "default": "1.234", "maxLength": 7]),
          [
            "id": "offer", "kind": "offer", "title": "T", "button": "B",
            "enters": ["row": "f", "value": "1,234.5"],
          ],
          [
            "id": "more", "kind": "header", "text": "M",
            "visibility": ["row": "f", "equals": "1,234.5"],
          ],
        ], language: language)
      #expect(fixture.value("f") == small && fixture.rows == ["f", "offer"])
      try await fixture.tap("offer")
      #expect(fixture.value("f") == large && fixture.rows == ["f", "more"])
      try await fixture.change("f", small)
      try await fixture.change("f", large)
      #expect(fixture.rows == ["f", "more"])
      try await fixture.send("submit")
      try fixture.wait(.seconds(3))
      #expect(
        try fixture.store.value.child("1", of: "1").resource.answers == ["f": 1234.5])
    }
  }

  @Test("says nothing of what nobody has entered yet")
  func untouched() throws {
    let fixture = try FormFixture(rows: [Self.text(["required": true])])
    #expect(fixture.rows == ["f"])
  }

  @Test("updates its error row in place, and takes it away once the value is right")
  func correcting() async throws {
    let fixture = try FormFixture(rows: [Self.text(["required": true, "minLength": 3])])
    try await fixture.change("f", "")
    let before = fixture.snapshot
    try await fixture.change("f", "ab")
    #expect(
      fixture.snapshot.difference(from: before).summary == ["update f", "update f/error"])
    #expect(fixture.error("f") == "too-short")
    try await fixture.change("f", "abc")
    #expect(fixture.rows == ["f"])
  }

  @Test("says the form's own words of what is wrong, with the same code")
  func errorText() async throws {
    let fixture = try FormFixture(
      rows: [Self.text(["required": true, "inputType": "email", "errorText": "No way."])])
    for (value, code) in [("", "required"), ("x", "invalid-email")] as [(JSONValue, Text)] {
      try await fixture.change("f", value)
      #expect(fixture.error("f") == code)
      #expect(fixture.field("text", of: "f/error") == "No way.")
    }
  }

  @Test("makes no revision where the same is entered again")
  func same() async throws {
    let fixture = try FormFixture(rows: [Self.text()])
    try await fixture.change("f", "a")
    let number = fixture.number
    #expect(try await !fixture.change("f", " a").isAccepted)
    #expect(fixture.number == number)
  }

  @Test("tells a client how to show it and what to send")
  func rows() throws {
    let fixture = try FormFixture(
      rows: [
        Self.field(
          "text",
          [
            "placeholder": "P", "required": true, "maxLength": 9, "default": " d ",
            "autocomplete": "given-name",
          ]),
        ["id": 7, "kind": "dropdown", "label": "D", "options": Self.options],
        ["id": "go", "kind": "button", "text": "Go", "does": "submit"],
      ])
    #expect(
      fixture.snapshot.sections[1].rows.map(\.description) == [
        #"{"change":{"argument":"value","command":{"row":"f","type":"didChange"}},"id":"f","input":{"autocomplete":"given-name","maxLength":9,"placeholder":"P","type":"text"},"label":"Field","required":true,"type":"textField","value":"d"}"#,
        #"{"change":{"argument":"value","command":{"row":"7","type":"didChange"}},"id":"7","input":{"options":[{"id":"a","title":"A"},{"id":"b","title":"B"}],"type":"select"},"label":"D","required":false,"type":"dropdownField","value":null}"#,
        #"{"action":{"command":{"row":"go","type":"didTap"},"title":"Go"},"id":"go","text":"Go","type":"formButton"}"#,
      ])
  }
}
