import CanonicalJSON
import Forms
import Snapshots
import TestSupport
import Testing

@testable import Screens
@testable import ViewState

@Suite("Sending a form")
struct FormSubmissionTests {
  static let rows: JSONValue = [
    ["id": "name", "kind": "text", "label": "Name", "required": true],
    ["id": "agree", "kind": "switch", "label": "Agree", "required": true],
    ["id": "send", "kind": "button", "text": "Send", "does": "submit"],
    ["id": "again", "kind": "button", "text": "Again", "does": "reset"],
  ]

  static func filled() async throws -> FormFixture {
    let fixture = try FormFixture(rows: rows)
    try await fixture.change("name", "Ada")
    try await fixture.change("agree", true)
    return fixture
  }

  @Test("checks every field, and says of each what is wrong, without a failed request")
  func checking() async throws {
    let fixture = try FormFixture(rows: Self.rows)
    let outcome = try await fixture.tap("send")
    #expect(outcome.isAccepted && !outcome.isPending)
    #expect(fixture.rows == ["name", "name/error", "agree", "agree/error", "send", "again"])
    #expect(fixture.rows(of: "submission") == [] && fixture.state(.submission) == "notRequested")
    // Nothing is new to say.
    #expect(try await !fixture.tap("send").isAccepted)
  }

  @Test("takes its time, and leaves an entry with the answers")
  func sending() async throws {
    let fixture = try await Self.filled()
    #expect(try await fixture.tap("send").isPending)
    #expect(fixture.rows(of: "submission") == ["submission/loading"])
    #expect(try fixture.store.children(of: "1") == [])
    // A second tap does not send it twice.
    #expect(try await !fixture.tap("send").isAccepted)
    try fixture.wait(.seconds(3))
    #expect(fixture.rows(of: "submission") == ["submission/sent"])
    let entries = try fixture.store.children(of: "1")
    #expect(entries.map(\.answers) == [["name": "Ada", "agree": true]])
    #expect(entries.map(\.text) == ["Form: sent"])
    // Nor does one with the same answers.
    #expect(try await !fixture.tap("send").isAccepted)
    #expect(fixture.scheduler.pendingCount == 0)
  }

  @Test("has numbers as numbers of JSON, and null for a number that is not entered")
  func numbers() async throws {
    func number(_ id: Text, _ more: JSONValue = [:]) -> JSONValue {
      more.mergePatched(with: [
        "id": .string(id), "kind": "text", "label": "L", "inputType": "number",
      ])
    }
    let fixture = try FormFixture(rows: [
      number("whole"), number("point"), number("comma"), number("none"), number("given"),
      number("carried", ["default": "7", "visibility": "hidden"]),
      ["id": "text", "kind": "text", "label": "L"],
    ])
    for (row, entered) in [
      ("whole", " +40 "), ("point", "0.50"), ("comma", "-1.234,5"), ("given", "0"), ("text", "40"),
    ] as [(Text, JSONValue)] {
      try await fixture.change(row, entered)
    }
    try await fixture.send("submit")
    try fixture.wait(.seconds(3))
    #expect(
      try fixture.store.children(of: "1").map(\.answers) == [
        [
          "whole": 40, "point": 0.5, "comma": -1234.5, "none": nil, "given": 0, "carried": 7,
          "text": "40",
        ]
      ])
  }

  @Test("has null for what is empty, so that optional members of a type read it")
  func empty() async throws {
    struct Person: Decodable, Equatable {
      let name: Text
      let birthday: Timestamp?
      let phone: Text?
      let isMember: Bool
      var aim: Text?
    }
    func field(_ id: Text, _ kind: Text, _ more: JSONValue = [:]) -> JSONValue {
      more.mergePatched(with: ["id": .string(id), "kind": .string(kind), "label": "L"])
    }
    let fixture = try FormFixture(rows: [
      field("name", "text"), field("birthday", "date"), field("phone", "phone"),
      field("mail", "text", ["inputType": "email"]), field("page", "text", ["inputType": "url"]),
      field("picture", "avatar"), field("tax", "taxNumber"), field("isMember", "switch"),
      field("size", "dropdown", ["options": [["id": "a", "title": "A"]]]),
      field("aim", "text", ["visibility": ["row": "isMember", "equals": true]]),
    ])
    func sent(_ entry: ResourceID) async throws -> JSONValue {
      try await fixture.send("submit")
      try fixture.wait(.seconds(3))
      return try fixture.store.value.child(entry, of: "1").resource.answers ?? .null
    }
    let none = try await sent("1")
    let expected: JSONValue = [
      "name": "", "birthday": nil, "phone": nil, "mail": nil, "page": nil, "picture": nil,
      "tax": nil, "isMember": false, "size": nil,
    ]
    #expect(none == expected)
    #expect(
      try none.decode(Person.self)
        == Person(name: "", birthday: nil, phone: nil, isMember: false))
    // Spaces alone count as empty.
    for row in ["name", "birthday", "mail"] as [Text] { try await fixture.change(row, "  ") }
    #expect(fixture.value("birthday") == "")
    try await fixture.change("birthday", " 1990-02-28 ")
    try await fixture.change("isMember", true)
    #expect(
      try await sent("2").decode(Person.self)
        == Person(
          name: "", birthday: Timestamp("1990-02-28"), phone: nil, isMember: true, aim: ""))
  }

  @Test("is not done where it is called off")
  func cancelling() async throws {
    let fixture = try await Self.filled()
    try await fixture.send("submit")
    try await fixture.send("cancelSubmit")
    #expect(fixture.field("code", of: "submission/failed") == "cancelled")
    try fixture.wait(.seconds(60))
    #expect(try fixture.store.children(of: "1") == [] && fixture.scheduler.pendingCount == 0)
    #expect(try await !fixture.send("cancelSubmit").isAccepted)
  }

  @Test("is not said to be done any more once something else is entered")
  func editing() async throws {
    let fixture = try await Self.filled()
    try await fixture.tap("send")
    try fixture.wait(.seconds(3))
    try await fixture.change("name", "Ada ")
    #expect(fixture.rows(of: "submission") == ["submission/sent"])
    try await fixture.change("name", "Bea")
    #expect(fixture.rows(of: "submission") == [])
    try await fixture.tap("send")
    try fixture.wait(.seconds(3))
    #expect(try fixture.store.children(of: "1").count == 2)
  }

  @Test("fails where the store takes no more")
  func full() async throws {
    let fixture = try FormFixture(
      [["id": "s", "rows": [["id": "b", "kind": "button", "text": "B", "does": "submit"]]]],
      limits: CollectionLimits(count: 1, byteCount: 10_000, childCount: 0))
    try await fixture.tap("b")
    try fixture.wait(.seconds(3))
    #expect(fixture.field("code", of: "submission/failed") == "store-full")
    #expect(fixture.instance.current.cause == .failed(source: "submission", code: "store-full"))
  }

  @Test("leaves an entry that is read back, whatever was entered into 200 rows")
  func readBack() throws {
    let rows = (1...200).map { number -> JSONValue in
      ["id": .integer(number), "kind": "text", "label": "L"]
    }
    let form = try Form(JSONReader(FormDescriptionTests.form(.array(rows))))
    for (character, isRight) in [("\u{1}", false), ("🌳", true), ("\"", true)] {
      let text = String(repeating: character, count: 1_000)
      var state = FormScreen.State(form: form)
      for number in 1...200 {
        try state.didChange(ResourceID(number), .string(Text(text)))
      }
      state.submit(as: "")
      let sent = state.submission.running.map(\.query)
      #expect(sent.count == (isRight ? 1 : 0))
      for answers in sent {
        var entry = ActivityEntry(id: "1")
        (entry.text, entry.answers) = ("Sent", answers)
        #expect(try ActivityEntry(JSONReader(entry.json)) == entry)
      }
    }
  }

  @Test("fails if the answers are larger than an entry can be, and changes nothing")
  func tooLarge() throws {
    let fixture = try FormFixture([])
    var transaction = Transaction(
      fixture.companies.engine.stores, at: 1, Timestamp(secondsSince1970: 0))
    let answers: JSONValue = ["a": .string(Text(String(repeating: "a", count: 1024 * 1024)))]
    let failure = #expect(throws: LoadFailure.self) {
      try fixture.store.send(answers, to: "1", in: .en, &transaction)
    }
    #expect(failure?.code == "store-full" && transaction.changes.isEmpty)
  }

  @Test("ends with what is sent where it starts over")
  func resetting() async throws {
    let fixture = try await Self.filled()
    let start = fixture.snapshot
    try await fixture.tap("send")
    try await fixture.tap("again")
    #expect(fixture.value("name") == "" && fixture.value("agree") == false)
    #expect(fixture.rows(of: "submission") == [] && fixture.scheduler.pendingCount == 0)
    #expect(start != fixture.snapshot && fixture.instance.kept[0].snapshot == fixture.snapshot)
    #expect(try await !fixture.send("reset").isAccepted)
  }
}
