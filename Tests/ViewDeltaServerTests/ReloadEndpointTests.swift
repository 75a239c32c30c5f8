import CanonicalJSON
import HTTPTypes
import TestSupport
import Testing
import ViewDeltaClient

@Suite("A reload")
struct ReloadEndpointTests {
  private static let viewModel = "/v1/view-models/catalog/1"
  private static let knots: JSONValue = [
    "id": "knots", "title": "The Book of Knots", "detail": "Paperback",
  ]

  private static func operation(_ name: Text, _ items: JSONValue...) -> JSONValue {
    ["operation": .string(name), "items": .array(items)]
  }

  private static func apply(
    _ operations: JSONValue..., to backend: Backend, query: String = "", isAnimated: Bool? = nil
  ) async -> Answer {
    var body: [Text: JSONValue] = ["type": "apply", "operations": .array(operations)]
    body["animated"] = isAnimated.map { .bool($0) }
    return await backend.call(.post, viewModel + "/commands" + query, body: .object(body))
  }

  private static func diff(
    _ backend: Backend, _ since: String, _ rest: String = ""
  ) async throws -> JSONReader {
    try await backend.get("\(viewModel)/diff?since=\(since)\(rest)").json
  }

  @Test("of equal content is a new revision of the same digest, which wakes all who wait")
  func wakes() async throws {
    let backend = try Backend(.catalogs)
    let before = await backend.get(Self.viewModel)
    let start = try before.string("revision")
    let poll = backend.open(.get, "\(Self.viewModel)/diff?since=\(start)&wait=20")
    let sync = backend.sync(["screens": ["catalog/1": ["since": .string(start)]], "wait": 20])
    let stream = try #require(backend.events("since=\(start)", of: Self.viewModel))
    _ = try stream.read()
    #expect(poll.answer == nil && sync.answer == nil)

    // What is reconfigured to what it is changes nothing, and wakes nobody.
    let nothing = await Self.apply(Self.operation("reconfigureItems", Self.knots), to: backend)
    #expect(try nothing.json.member("accepted").bool() == false && poll.answer == nil)
    let reply = await Self.apply(
      Self.operation("reloadItems", Self.knots), to: backend, query: "?since=\(start)")
    #expect(try reply.json.member("accepted").bool())
    let revision = try reply.string("revision")
    #expect(revision != start)

    let answer = try #require(poll.answer)
    #expect(answer.status == 200)
    #expect(
      answer.text.contains(#""rows":{"reloads":[{"from":[1,0],"id":"knots","to":[1,0]}]},"#))
    #expect(try answer.string("digest") == before.string("digest"))
    #expect(try reply.json.member("diff").value.canonicalBytes() == answer.body)
    let part = try #require(sync.answer).json.member("screens").member("catalog/1")
    #expect(part.value.canonicalBytes() == answer.body)
    #expect(try stream.read().map(\.data) == [answer.body])

    let after = await backend.get(Self.viewModel)
    #expect(after["ETag"] != before["ETag"])
    #expect(after.text == before.text.replacing(start, with: revision))
    let patch = await backend.get(
      "\(Self.viewModel)/diff?since=\(start)", [.accept: "application/json-patch+json"])
    #expect(
      patch.text == #"[{"op":"test","path":"/revision","value":"\#(start)"},"#
        + #"{"op":"replace","path":"/revision","value":"\#(revision)"}]"#)
    let entry = try #require(await backend.history(Self.viewModel + "/revisions").last)
    #expect(try entry.member("operations").integer() == 1)
    #expect(try entry.member("bytes").integer() == answer.body.count)
    #expect(await backend.get("\(Self.viewModel)/diff?since=\(revision)").status == 204)
  }

  @Test("is in the diff of any two revisions around it, in either direction")
  func pairs() async throws {
    let backend = try Backend(.catalogs)
    let start = try await backend.get(Self.viewModel).string("revision")
    _ = await Self.apply(Self.operation("reloadItems", Self.knots), to: backend)
    let middle = try await backend.get(Self.viewModel).string("revision")
    _ = await Self.apply(
      Self.operation("reconfigureItems", ["id": "knots", "badge": "New"]),
      ["operation": "moveItem", "id": "knots", "after": "alps"], to: backend)
    let rows = try await Self.diff(backend, start).member("rows")
    let path: [Text: JSONValue] = ["from": [1, 0], "id": "knots", "to": [2, 2]]
    #expect(try rows.member("reloads").value == [.object(path)])
    #expect(try rows.member("moves").value == [.object(path)])
    #expect(try rows.member("updates").elements().count == 1)
    #expect(try await Self.diff(backend, middle).member("rows").optionalMember("reloads") == nil)
    let end = try await backend.get(Self.viewModel).string("revision")
    let back = try await Self.diff(backend, end, "&until=\(start)")
    #expect(
      try back.member("rows").member("reloads").value
        == [["from": [2, 2], "id": "knots", "to": [1, 0]]])

    // Deleted, and of another type: no longer the row that was reloaded.
    _ = await Self.apply(["operation": "deleteItems", "ids": ["knots"]], to: backend)
    #expect(try await Self.diff(backend, start).member("rows").optionalMember("reloads") == nil)
    _ = await Self.apply(
      Self.operation("reloadItems", ["id": "ferns", "title": "F", "type": "catalogFeature"]),
      to: backend)
    #expect(try await Self.diff(backend, start).member("rows").optionalMember("reloads") == nil)
  }

  @Test("of a section is one of all rows that stay in it")
  func section() async throws {
    let backend = try Backend(.catalogs)
    let before = await backend.get(Self.viewModel)
    let start = try before.string("revision")
    let section: JSONValue = [
      "id": "books", "title": "Books", "items": [Self.knots, ["id": "new", "title": "N"]],
    ]
    _ = await Self.apply(
      ["operation": "reloadSections", "sections": [section]],
      ["operation": "moveSection", "id": "maps", "before": "featured"], to: backend)
    let answer = await backend.get("\(Self.viewModel)/diff?since=\(start)")
    #expect(
      try answer.json.member("sections").member("reloads").value
        == [["from": 1, "id": "books", "to": 2]])
    #expect(try answer.json.member("rows").memberNames == ["deletes", "inserts"])
    var replica = try Replica(document: before.body)
    try replica.apply(document: answer.body)
    #expect(replica.canonicalBytes() == (await backend.get(Self.viewModel).body))
  }

  @Test("outlives a PUT of the same catalog, which reloads nothing")
  func put() async throws {
    let backend = try Backend(.catalogs)
    let start = try await backend.get(Self.viewModel).string("revision")
    _ = await Self.apply(
      Self.operation("reloadItems", Self.knots),
      ["operation": "reloadSections", "sections": [["id": "featured"]]], to: backend)
    let reloaded = await backend.get(Self.viewModel)
    let path = "/v1/catalogs/1"
    let whole = await backend.get(path)
    #expect(!whole.text.contains("generation"))
    var catalog = try whole.json.object()
    #expect(await backend.call(.put, path, body: .object(catalog)).status == 200)
    #expect(await backend.get(Self.viewModel).body == reloaded.body)

    catalog["sections"] = .array(
      try whole.json.member("sections").elements().map(\.value).reversed())
    #expect(await backend.call(.put, path, body: .object(catalog)).status == 200)
    let news = try await Self.diff(backend, reloaded.string("revision"))
    #expect(try news.member("sections").memberNames == ["moves"])
    #expect(try news.optionalMember("rows") == nil)
    let all = try await Self.diff(backend, start).member("rows")
    #expect(try all.member("reloads").elements().map { try $0.member("id").string() } == ["knots"])
    catalog["generations"] = [:]
    #expect(await backend.call(.put, path, body: .object(catalog)).status == 422)
  }

  @Test("and what is not animated: the hint is in a diff over revisions that all have it")
  func animation() async throws {
    let backend = try Backend(.catalogs)
    func hint(_ since: String, _ until: String) async throws -> Bool? {
      try await Self.diff(backend, since, "&until=\(until)").optionalMember("animated")?.bool()
    }
    var revisions = [try await backend.get(Self.viewModel).string("revision")]
    for isAnimated in [false, false, true, nil, false] {
      let text = JSONValue.string("\(revisions.count)")
      let reply = await Self.apply(
        Self.operation("reconfigureItems", ["id": "knots", "badge": text]), to: backend,
        query: "?since=\(revisions[revisions.count - 1])", isAnimated: isAnimated)
      let diff = try reply.json.member("diff")
      #expect(try diff.optionalMember("animated")?.bool() == (isAnimated == false ? false : nil))
      revisions.append(try reply.string("revision"))
    }
    for (older, newer, expected) in [
      (0, 1, false), (0, 2, false), (1, 2, false), (0, 3, nil), (2, 3, nil), (2, 4, nil),
      (3, 4, nil), (4, 5, false), (3, 5, nil), (0, 5, nil), (1, 1, nil),
    ] as [(Int, Int, Bool?)] {
      #expect(try await hint(revisions[older], revisions[newer]) == expected, "\(older) \(newer)")
      #expect(try await hint(revisions[newer], revisions[older]) == expected, "\(newer) \(older)")
    }
    let poll = await backend.get("\(Self.viewModel)/diff?since=\(revisions[4])")
    #expect(poll.text.hasPrefix(#"{"animated":false,"digest":"#))
    let seen = await backend.get("\(Self.viewModel)/diff?since=\(revisions[4])&window=0,5")
    #expect(seen.text.hasPrefix(#"{"animated":false,"digest":"#))
    let entry = try #require(await backend.history(Self.viewModel + "/revisions").last)
    #expect(try entry.member("bytes").integer() == poll.body.count)
    #expect(!(await backend.get(Self.viewModel).text.contains("animated")))

    // One that changes nothing leaves no trace.
    let nothing = await Self.apply(
      Self.operation("reconfigureItems", ["id": "knots"]), to: backend, isAnimated: true)
    #expect(try nothing.json.member("accepted").bool() == false)
    let refused = await backend.call(
      .post, Self.viewModel + "/commands",
      body: ["type": "apply", "operations": [], "animated": "no"])
    #expect(refused.status == 422 && refused.pointer == "/animated")
  }
}
