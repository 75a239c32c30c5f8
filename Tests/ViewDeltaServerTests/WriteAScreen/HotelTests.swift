import Foundation
import HTTPTypes
import TestSupport
import Testing
import ViewDelta

@Suite("A hotel, of which the pages of the documentation show parts")
struct HotelTests {
  private static func form(
    _ language: Language = .en, rooms: JSONValue = [["id": 1, "name": "Lake"]]
  ) throws -> (TestViewModel<BookingForm>, BookingForm) {
    var screen: BookingForm?
    let form = try TestViewModel<BookingForm>(key: "new") { engine in
      let rooms = try ResourceCollection<Room>("room", reading: JSONReader(rooms))
      let form = BookingForm(
        rooms: Store("rooms", rooms, in: engine),
        bookings: Store("bookings", ResourceCollection("booking"), in: engine), language: language)
      screen = form
      return form
    }
    return (form, try #require(screen))
  }

  private func enter(
    _ values: [(ResourceID, JSONValue)], into form: TestViewModel<BookingForm>
  ) async throws {
    for (row, value) in values { try await form.send(BookingForm.State.changeCommand, row, value) }
  }

  private func errors(_ form: TestViewModel<BookingForm>) -> [JSONValue?] {
    form.rows.filter { $0.type == "fieldError" }.map { $0.fields["code"] }
  }

  @Test("is the code that the documentation shows")
  func code() throws {
    let file = try Page.text("Tests/ViewDeltaServerTests/WriteAScreen/HotelFeature.swift")
    #expect(try Page("FillInAForm").blocks.filter { file.contains($0) }.count == 4)
    let lines = Set(file.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) })
    for (path, marker) in [
      ("Forms/FormFields", "setOptions"), ("ViewState/Fields/ValueType", "struct Day"),
      ("ViewState/Resources/Resource", "check(among"),
    ] {
      for line in try Page.comment(in: "Sources/\(path).swift", with: marker) where !line.isEmpty {
        #expect(lines.contains(line))
      }
    }
  }

  @Test("has all texts of its form in one language: labels, errors, refusals and the end")
  func languages() async throws {
    for (language, label, required, booked, end) in [
      (
        Language.en, "Room", "This is needed.", "The room is booked on these days.",
        "Booked from 27 November 2026."
      ),
      (
        .de, "Zimmer", "Das wird benötigt.", "Das Zimmer ist an diesen Tagen vergeben.",
        "Gebucht ab 27. November 2026."
      ),
    ] as [(Language, JSONValue, JSONValue, JSONValue, JSONValue)] {
      let (form, screen) = try Self.form(language)
      #expect(screen.language == language && form.rows[0].fields["label"] == label)
      try await form.tap("send")
      #expect(form.rows[1].fields["text"] == required)

      let stay: [(ResourceID, JSONValue)] = [
        ("room", "1"), ("from", "2026-11-27"), ("until", "2026-11-29"),
      ]
      try await enter(stay, into: form)
      try await form.tap("send")
      #expect(form.rows(in: "end").map { $0.fields["text"] } == [end])
      #expect(form.rows[0].fields["label"] == label && form.rows[0].fields["value"] == .null)

      try await enter(stay, into: form)
      try await form.tap("send")
      #expect(form.rows.first { $0.id == "from/error" }?.fields["text"] == booked)
      try await enter([("until", "2026-11-28")], into: form)
      #expect(errors(form).isEmpty)
    }
  }

  @Test("takes days that were refused once the booking in the way is gone")
  func freed() async throws {
    let (form, screen) = try Self.form()
    let other: JSONValue = ["room": 1, "from": "2026-11-26", "until": "2026-11-28"]
    _ = try await screen.bookings.write(.create(other))
    try await enter(
      [("room", "1"), ("from", "2026-11-27"), ("until", "2026-11-29")], into: form)
    try await form.tap("send")
    #expect(errors(form) == ["booked"])
    _ = try await screen.bookings.write(.delete(1))
    try await form.tap("send")
    #expect(errors(form).isEmpty && screen.bookings.value.elements.map(\.id) == [2])
  }

  @Test("offers the rooms of its store, of which one that is gone stays chosen, with an error")
  func options() async throws {
    let (form, screen) = try Self.form()
    func options() -> JSONValue? { form.rows[0].fields["input"]?["options"] }
    let lake: JSONValue = ["id": "1", "title": "Lake"]
    #expect(options() == [lake])
    try await screen.rooms.write(.create(["name": "Garden"]))
    #expect(options() == [lake, ["id": "2", "title": "Garden"]])
    try await enter(
      [("room", "2"), ("from", "2026-11-27"), ("until", "2026-11-29")], into: form)

    let gone = try await screen.rooms.write(.delete(2)).resource
    #expect(options() == [lake] && errors(form) == ["not-offered"])
    #expect(form.rows[0].fields["value"] == "2")
    try await form.tap("send")
    #expect(screen.bookings.value.elements.isEmpty && errors(form) == ["not-offered"])
    await #expect(throws: Refusal("value", "there is no option of this id")) {
      try await form.send(BookingForm.State.changeCommand, "room", "2")
    }

    try await screen.rooms.write(.create(gone.json))
    #expect(errors(form).isEmpty)
    try await screen.rooms.write(.delete(2))
    try await enter([("room", .null)], into: form)
    #expect(errors(form) == ["required"])
    try await enter([("room", "1")], into: form)
    try await form.tap("send")
    #expect(screen.bookings.value.elements.map(\.room) == [1])
    #expect(options() == [lake])
  }

  @Test("codes a day as a text, so that a type with a day can be decoded from a form")
  func days() throws {
    struct Stay: Codable { let from: Day }
    let stay: JSONValue = ["from": "2026-02-28"]
    #expect(try JSONValue(encoding: stay.decode(Stay.self)) == stay)
    #expect(throws: (any Error).self) {
      try JSONValue.object(["from": "2026-02-29"]).decode(Stay.self)
    }
  }

  @Test("keeps an option that is gone, with its error, after rows are arranged, and in a record")
  func kept() throws {
    var state = BookingForm.State()
    state.fields.setOptions([("1", "Lake"), ("2", "Garden")], of: "room")
    try state.didChange("room", "2")
    state.fields.setOptions([], of: "room")
    try state.apply([])
    let read = try JSONValue(encoding: state).decode(BookingForm.State.self)
    #expect(read == state)
    for state in [state, read] {
      let row = try #require(state.fields.outline.row("room"))
      #expect(state.fields.answer(row) == "2" && state.fields.error(row)?.code == "not-offered")
      #expect(state.fields.answers["room"] == nil)
    }
    state.startOver()
    state.fields.setOptions([("1", "Lake")], of: "room")
    try state.didChange("room", "1")
    #expect(state.fields.answers["room"] == "1")
  }

  @Test("keeps a choice if a new description leaves the options to the screen")
  func replaced() throws {
    let listed = BookingForm.Kinds.kinds.outline([
      [
        "id": "stay", "title": "Your stay",
        "rows": [
          [
            "id": "room", "kind": "dropdown", "label": "Room",
            "options": [["id": "2", "title": "Garden"]],
          ]
        ],
      ]
    ])
    var state = BookingForm.State(fields: FormFields(listed, language: .en))
    try state.didChange("room", "2")
    state.replace(BookingForm.outline(in: .en))
    #expect(state.fields.answers["room"] == nil)
    state.fields.setOptions([("2", "Garden")], of: "room")
    #expect(state.fields.answers["room"] == "2")
  }

  @Test(
    "cannot be shown if an option has no id or that of another one, until the options are right",
    arguments: [
      ([("1", "Lake"), ("2", "Garden"), ("1", "Hill")], "2", "another option has this id"),
      ([("", "Any")], "0", "the id is empty"),
    ] as [([(Text, Text)], Text, String)])
  func wrongOptions(options: [(id: Text, title: Text)], index: Text, message: String) throws {
    let (_, screen) = try Self.form()
    var state = BookingForm.State()
    state.fields.setOptions(options, of: "room")
    #expect(throws: JSONShapeError(["room", "options", index, "id"], message)) {
      try screen.snapshot(of: state)
    }
    let read = try JSONValue(encoding: state).decode(BookingForm.State.self)
    #expect(read == state)
    state.fields.setOptions([("1", "Lake")], of: "room")
    #expect(throws: Never.self) { try screen.snapshot(of: state) }
  }

  @Test("shows the id of an option without a title")
  func untitled() throws {
    let (_, screen) = try Self.form()
    var state = BookingForm.State()
    state.fields.setOptions([("1", ""), ("2", "Garden")], of: "room")
    let row = try #require(screen.snapshot(of: state).sections[0].rows.first)
    let options: JSONValue = [["id": "1", "title": "1"], ["id": "2", "title": "Garden"]]
    #expect(row.fields["input"]?["options"] == options)
  }

  @Test("offers no rooms, or more rooms than a description can list")
  func anyRooms() async throws {
    let (empty, _) = try Self.form(rooms: [])
    #expect(empty.rows[0].fields["input"]?["options"] == [])
    try await empty.tap("send")
    #expect(errors(empty) == ["required", "required", "required"])

    let long = Text(String(repeating: "ü", count: 80))
    let rooms = (1...300).map { JSONValue.object(["id": .integer($0), "name": .string(long)]) }
    let (form, _) = try Self.form(rooms: .array(rooms))
    try await enter([("room", "300")], into: form)
    #expect(form.rows[0].fields["value"] == "300" && errors(form).isEmpty)
  }

  @Test("refuses bookings that overlap, by REST and by the form, and takes the same days otherwise")
  func overlaps() async throws {
    let backend = try FeatureTests.backend { HotelFeature() }
    func send(_ method: HTTPRequest.Method, _ path: String, _ body: JSONValue) async -> String {
      let answer = await backend.call(method, "/v1/\(path)", body: body)
      return "\(answer.status)\(answer.pointer ?? "")"
    }
    for name in ["Lake", "Garden"] as [JSONValue] {
      #expect(await send(.post, "rooms", ["name": name]) == "201")
    }
    let stay: JSONValue = ["room": 1, "from": "2026-11-27", "until": "2026-11-29"]
    for (method, path, change, expected) in [
      (.post, "bookings", [:], "201"), (.post, "bookings", [:], "422/from"),
      (.post, "bookings", ["room": 2], "201"),
      (.post, "bookings", ["from": "2026-11-29", "until": "2026-12-01"], "201"),
      (.post, "bookings", ["until": "2026-11-27"], "422/until"),
      (.post, "bookings", ["until": "2026-11-31"], "422/until"),
      (.post, "bookings", ["until": "2026-12-01T00:00:00Z"], "422/until"),
      (.put, "bookings/2", [:], "422/from"),
    ] as [(HTTPRequest.Method, String, JSONValue, String)] {
      let answer = await send(method, path, stay.mergePatched(with: change))
      #expect(answer == expected, "\(change)")
    }
    for (patch, expected) in [
      (["room": 1], "422/from"), (["until": "2026-12-24"], "200"), (["from": "2026-11-27"], "200"),
    ] as [(JSONValue, String)] {
      #expect(await send(.patch, "bookings/2", patch) == expected)
    }
    let changed: JSONValue = ["id": 2, "room": 2, "from": "2026-11-27", "until": "2026-12-24"]
    #expect(try await backend.get("/v1/bookings/2").json.value == changed)
    let form = "/v1/view-models/book/new"
    for (row, value) in [("room", "1"), ("from", "2026-11-28"), ("until", "2026-11-29")] {
      let command: JSONValue = [
        "type": "didChange", "row": .string(Text(row)), "value": .string(Text(value)),
      ]
      #expect(await backend.call(.post, "\(form)/commands", body: command).status == 200)
    }
    await backend.call(.post, "\(form)/commands", body: ["type": "didTap", "row": "send"])
    #expect(await backend.get(form).text.contains("The room is booked on these days."))
  }
}
