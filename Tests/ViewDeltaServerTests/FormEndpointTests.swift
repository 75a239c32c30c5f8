import CanonicalJSON
import HTTPTypes
import Screens
import TestSupport
import Testing
import ViewDeltaServer
import ViewState

@Suite("The forms")
struct FormEndpointTests {
  static let forms = "/v1/forms"
  static let viewModel = "/v1/view-models/form/1"

  static func send(
    _ backend: Backend, _ body: JSONValue, to viewModel: String = viewModel, query: String = ""
  ) async -> Answer {
    await backend.call(.post, viewModel + "/commands" + query, body: body)
  }

  @Test("describe the error rows of all their parts, which send different commands")
  func errorRows() async throws {
    let types = try await (try Backend(.forms)).get("/v1/view-models/form").json.member("rowTypes")
    let error = try #require(
      try types.elements().first { try $0.member("type").string() == "contentError" })
    let schema = "\(try error.member("schema").value)"
    for command in ["didTap", "submit", "retryPage"] { #expect(schema.contains(command)) }
  }

  @Test("are filled in by each session on its own, or together by those who share one")
  func sessions() async throws {
    let backend = try Backend(.forms)
    let sessions = ["A", "b"].map { "\(Self.viewModel)@" + String(repeating: $0, count: 22) }
    func value(_ viewModel: String) async throws -> JSONValue? {
      try await backend.get(viewModel).row("name")?.member("value").value
    }
    let shared = try await value(Self.viewModel)
    for (viewModel, name) in zip(sessions, ["Ada", "Bea"]) {
      let since = try await backend.get(viewModel).string("revision")
      let change: JSONValue = ["type": "didChange", "row": "name", "value": .string(Text(name))]
      let answer = await Self.send(backend, change, to: viewModel, query: "?since=\(since)")
      #expect(try answer.json.member("diff").member("from").string().string == since)
    }
    #expect(try await value(sessions[0]) == "Ada")
    #expect(try await value(sessions[1]) == "Bea")
    #expect(try await value(Self.viewModel) == shared)

    let names = sessions.map { Text($0.dropFirst("/v1/view-models/".count)) }
    let sync = await backend.call(
      .post, "/v1/sync", body: ["screens": .object([names[0]: [:], names[1]: [:]])])
    #expect(sync.status == 200 && sync.text.contains("Ada") && sync.text.contains("Bea"))

    let short = await backend.get("\(Self.viewModel)@me")
    #expect(short.status == 404)
    #expect(try short.json.member("code").string() == "malformed-session")
    let description = try await backend.get("/v1/view-models/form").json
    #expect(try description.member("personal").value == true)
    #expect(await backend.call(.delete, "\(Self.forms)/1").status == 204)
    for viewModel in sessions { #expect(await backend.get(viewModel).status != 200) }
  }

  @Test("are written as they are described, and keep what was typed")
  func writes() async throws {
    let backend = try Backend(.forms)
    let rows: JSONValue = [
      ["id": "b", "kind": "header", "text": "B", "weight": 2],
      ["id": "a", "kind": "text", "label": "A"],
    ]
    let body: JSONValue = ["title": "New", "sections": [["id": "s", "rows": rows]]]
    let created = await backend.call(.post, Self.forms, body: body)
    let location = "\(Self.forms)/3"
    #expect(
      created.text
        == #"{"id":3,"sections":[{"id":"s","rows":[{"id":"a","kind":"text","label":"A"},{"id":"b","kind":"header","text":"B","weight":2}]}],"title":"New"}"#
    )
    let viewModel = "/v1/view-models/form/3"
    let change: JSONValue = ["type": "didChange", "row": "a", "value": "typed"]
    #expect(await Self.send(backend, change, to: viewModel).status == 200)

    #expect(await backend.call(.patch, location, body: ["title": "Newer"]).status == 200)
    let shown = await backend.get(viewModel)
    #expect(shown.text.contains("Newer") && shown.text.contains(#""value":"typed""#))
    #expect(await backend.call(.put, location, body: body).text == created.text)
    #expect(await backend.get(Self.forms).text.hasSuffix(",\(created.text)]"))
    let odd: JSONValue = [
      "title": "T", "sections": [["id": "s", "rows": [["id": "a", "kind": "odd"]]]],
    ]
    let refused = await backend.call(.put, location, body: odd)
    #expect(refused.status == 422 && refused.pointer == "/sections/0/rows/0/kind")
  }

  @Test("have entries, which the view model shows as they come and go")
  func entries() async throws {
    let backend = try Backend(.forms)
    let path = Self.forms + "/2/entries"
    let viewModel = "/v1/view-models/form/2"
    _ = await Self.send(backend, ["type": "loadActivity"], to: viewModel)
    backend.scheduler.advance(by: .zero)
    #expect(await backend.get(viewModel).text.contains("activity/empty"))
    let created = await backend.call(
      .post, path, body: ["text": "T", "date": "2026-01-01T02:00:00+02:00"])
    #expect(created.text == #"{"date":"2026-01-01T00:00:00Z","id":58,"text":"T"}"#)
    let location = try #require(created["Location"])
    #expect(await backend.get(viewModel).text.contains(#""id":"entry/58""#))
    #expect(await backend.call(.patch, location, body: ["text": "U"]).status == 200)
    #expect(await backend.get(viewModel).text.contains(#""text":"U""#))
    let dateless = await backend.call(.post, path, body: ["text": "T"])
    #expect(dateless.status == 422 && dateless.pointer == "/date")
    #expect(await backend.call(.delete, location).status == 204)
    #expect(await backend.get(viewModel).text.contains("activity/empty"))
  }

  @Test(
    "leave an entry that is no longer than those that clients write, however long their title is",
    arguments: ["x", "ß", "🌳"])
  func longTitles(character: String) async throws {
    for length in [994, 995, 1_000] {
      let backend = try Backend(.forms)
      let size = character.utf8.count
      let title = String(repeating: character, count: (length + size - 1) / size)
      if title.utf8.count > 1_000 { continue }
      let made = await backend.call(
        .post, Self.forms,
        body: [
          "title": .string(title),
          "sections": [["id": "s", "rows": [["id": "f", "kind": "text", "label": "F"]]]],
        ])
      let path = try #require(made["Location"])
      let viewModel = path.replacing("/v1/forms", with: "/v1/view-models/form")
      _ = await Self.send(backend, ["type": "submit"], to: viewModel)
      backend.scheduler.advance(by: .zero)
      let entry = try #require(await backend.get(path + "/entries").json.elements().first)
      let text = try entry.member("text").string()
      #expect(text.byteCount <= 1_000 && text.byteCount > 990 && text.string.hasSuffix(": sent"))
      #expect(text.string.contains("…") == (title.utf8.count + ": sent".utf8.count > 1_000))
      let location = path + "/entries/\(try ResourceID(entry.member("id")))"
      let patched = await backend.call(.patch, location, body: ["date": "2026-01-01"])
      #expect(patched.status == 200, "\(patched.text)")
    }
  }

  @Test("look companies up, which are resources of their own")
  func companies() async throws {
    let backend = try Backend(.forms)
    let path = "/v1/companies"
    let body: JSONValue = ["taxNumber": "de 271 828 180", "name": "N", "city": "C"]
    let created = await backend.call(.post, path, body: body)
    #expect(created.text == #"{"city":"C","id":7,"name":"N","taxNumber":"DE271828180"}"#)
    let location = try #require(created["Location"])
    _ = await Self.send(backend, ["type": "didChange", "row": "isFirm", "value": true])
    let tax: JSONValue = ["type": "didChange", "row": "taxNumber", "value": "DE271828180"]
    #expect(await Self.send(backend, tax).status == 202)
    backend.scheduler.advance(by: .zero)
    #expect(try await backend.get(Self.viewModel).row("taxNumber/company/7") != nil)
    #expect(try await backend.get(Self.viewModel).row("taxNumber/company/6") != nil)

    let since = try await backend.get(Self.viewModel).string("revision")
    #expect(await backend.call(.patch, location, body: ["city": "D"]).status == 200)
    let diff = await backend.get("\(Self.viewModel)/diff?since=\(since)")
    #expect(
      diff.text.contains(
        #""id":"taxNumber/company/7","set":{"city":"D","detail":"D · DE271828180"}"#),
      "\(diff.text)")
    let wrong = await backend.call(.patch, location, body: ["taxNumber": "DE271828181"])
    #expect(wrong.status == 422 && wrong.pointer == "/taxNumber")
    #expect(await backend.get(path).text.contains(#""id":7"#))
    #expect(await backend.call(.delete, location).status == 204)
    #expect(try await backend.get(Self.viewModel).row("taxNumber/company/7") == nil)
    #expect(
      await backend.call(
        .post, path, body: ["id": 1, "taxNumber": "DE271828180", "name": "N", "city": "C"]
      ).status == 409)
  }

  @Test(
    "fail, hang and take their time as scripted, source by source",
    arguments: [
      ("registry", "taxNumber/failed"), ("activity", "activity/error"),
      ("submission", "submission/failed"),
    ])
  func faults(source: String, row: Text) async throws {
    let backend = try Backend(.forms)
    let faults = "/v1/faults/\(source)/1"
    #expect(
      await backend.call(.put, faults, body: ["outcomes": ["fail"], "latencyMilliseconds": 1_000])
        .status == 200)
    #expect(await backend.get("/v1/faults/\(source)/9").code == "unknown-key")
    for (id, value) in FormReplicaTests.right + [
      ("isFirm", true), ("taxNumber", "DE136695976"), ("firmName", "F"),
    ] {
      _ = await Self.send(backend, ["type": "didChange", "row": .string(id), "value": value])
    }
    _ = await Self.send(backend, ["type": "loadActivity"])
    _ = await Self.send(backend, ["type": "submit"])
    backend.scheduler.advance(by: .seconds(1))
    let answer = await backend.get(Self.viewModel)
    let error = try #require(try answer.row(row))
    #expect(try error.member("code").string() == "unavailable")
    // The row's own action tries again, and this time it goes well.
    let retry = try error.member("action").member("command").value
    #expect(await Self.send(backend, retry).status == 202)
    backend.scheduler.advance(by: .seconds(1))
    let states = try await backend.get(Self.viewModel).json.member("states")
    for name: Text in ["registry", "activity", "submission"] {
      #expect(try states.member(name).string() == "loaded", "\(name)")
    }
    #expect(await backend.get(Self.forms + "/1/entries").text.contains(#""firmName":"F""#))
  }

  @Test("take bad input as a row, and refuse what is no input, naming the member")
  func input() async throws {
    let backend = try Backend(.forms)
    let email: JSONValue = ["type": "didChange", "row": "email", "value": "nobody"]
    let since = try await backend.get(Self.viewModel).string("revision")
    let answer = await Self.send(backend, email, query: "?since=\(since)")
    #expect(answer.status == 200)
    #expect(
      answer.text.contains(
        #""rows":{"inserts":[{"at":[1,3],"row":{"code":"invalid-email","field":"email","id":"email/error","text":"That is not an e-mail address.","type":"fieldError"}}],"updates":[{"from":[1,2],"id":"email","set":{"value":"nobody"},"to":[1,2]}]}"#
      ), "\(answer.text)")
    let refused = await Self.send(backend, ["type": "didChange", "row": "email", "value": 1])
    #expect(refused.status == 422 && refused.pointer == "/value")
    let unknown = await Self.send(backend, ["type": "didTap", "row": "nobody"])
    #expect(unknown.status == 422 && unknown.pointer == "/row")
  }

  @Test("are no more than the store takes, and so are entries and companies")
  func limits() async throws {
    let backend = try Backend(.forms) {
      $0.forms.data = FormData(
        limits: CollectionLimits(count: 1, byteCount: 999, childCount: 1))
      $0.forms.companies = CompanyData(limits: CollectionLimits(count: 1))
    }
    let bodies: [(String, JSONValue)] = [
      (Self.forms, ["title": "F"]),
      (Self.forms + "/1/entries", ["text": "T", "date": "2026-01-01"]),
      ("/v1/companies", ["taxNumber": "DE271828180", "name": "N", "city": "C"]),
    ]
    for (path, body) in bodies {
      #expect(await backend.call(.post, path, body: body).status == 201)
      let second = await backend.call(.post, path, body: body)
      #expect(second.status == 409 && second.code == "store-full", "\(path)")
    }
    let header: JSONValue = [
      "id": "h", "kind": "header", "text": .string(String(repeating: "x", count: 990)),
    ]
    let large: JSONValue = ["title": "F", "sections": [["id": "s", "rows": [header]]]]
    #expect(await backend.call(.put, Self.forms + "/1", body: large).code == "store-full")
  }

  @Test("show their kinds, codes and commands in the OpenAPI document")
  func document() async throws {
    let document = try await OpenAPIDocument()
    let kinds = try document.value("/components/schemas/FormRow/oneOf").elements
      .map { try document.resolved($0)["properties"]?["kind"]?["const"] }
    #expect(kinds.count == 15)
    let backend = try Backend(.forms)
    let screens = try await backend.get("/v1/view-models").json.member("screens").elements()
    let form = try #require(try screens.first { try $0.member("name").string() == "form" })
    let commands = try form.member("commands").elements()
    let apply = try #require(
      try commands.first { try $0.member("type").string() == "apply" })
    let text = String(decoding: apply.value.canonicalBytes(), as: UTF8.self)
    for kind in kinds {
      let name = try #require(kind?.text)
      #expect(text.contains(#""kind":{"const":"\#(name)"}"#), "\(name)")
    }
    #expect(text.matches(of: /"kind":\{"const":/).count % kinds.count == 0)
    let operations = try document.value("/components/schemas/FormOperation/oneOf").elements
      .flatMap { operation -> [String] in
        let name = try document.resolved(operation)["properties"]?["operation"]
        return name?["const"]?.text.map { [$0] }
          ?? (name?["enum"]?.elements ?? []).compactMap(\.text)
      }
    for name in operations { #expect(text.contains(#""operation":{"const":"\#(name)"}"#)) }
    #expect(text.matches(of: /"operation":\{"const":/).count == operations.count)
    // Other screens have rows of this type too, with the codes of their own kinds of fields.
    let errors = try document.value("/components/schemas/FieldErrorRow")
    let codes = try document.alternatives(of: errors).flatMap { row in
      try #require(row["properties"]?["code"]?["enum"]?.elements).compactMap(\.text)
    }
    #expect(Set(codes).isSuperset(of: ["required", "wrong-check-digit"]))
  }
}
