import CanonicalJSON
import HTTPTypes
import Screens
import Testing

@Suite("The catalogs")
struct CatalogEndpointTests {
  static let catalogs = "/v1/catalogs"
  private static let viewModel = "/v1/view-models/catalog/1"

  private static func apply(
    _ operations: JSONValue..., to backend: Backend, query: String = "", _ fields: HTTPFields = [:]
  ) async -> Answer {
    await backend.call(
      .post, viewModel + "/commands" + query, fields,
      body: ["type": "apply", "operations": .array(operations)])
  }

  @Test("are listed by their sizes, and the view model follows a write by the least change")
  func writes() async throws {
    let backend = try Backend(.catalogs)
    let body: JSONValue = ["sections": [["id": "s", "items": [["id": "a", "title": "A"]]]]]
    let created = await backend.call(.post, Self.catalogs, body: body)
    #expect(
      created.text
        == #"{"id":3,"sections":[{"id":"s","items":[{"id":"a","title":"A","type":"catalogItem"}]}]}"#
    )
    #expect(
      await backend.get(Self.catalogs).text
        .hasSuffix(#"{"id":3,"numberOfItems":1,"numberOfSections":1}]"#))
    let viewModel = "/v1/view-models/catalog/3"
    let start = try await backend.get(viewModel).string("revision")

    let other: JSONValue = [
      "sections": [["id": "s", "items": [["id": "b", "title": "B"], ["id": "a", "title": "A"]]]]
    ]
    let location = Self.catalogs + "/3"
    let replaced = await backend.call(.put, location, body: other)
    #expect(await backend.call(.put, location, body: other)["ETag"] == replaced["ETag"])
    let rows = try await backend.get(viewModel + "/diff?since=" + start).json.member("rows")
    #expect(try rows.memberNames == ["inserts"])
    #expect(try rows.member("inserts").elements().count == 1)
  }

  @Test("answer every question, with the entity tag of the catalog")
  func queries() async throws {
    let backend = try Backend(.catalogs)
    let path = Self.catalogs + "/1"
    let expected: [(String, String)] = [
      (
        "/sections",
        #"{"numberOfItems":7,"numberOfSections":3,"sectionIdentifiers":["featured","books","maps"]}"#
      ),
      (
        "/sections/books",
        #"{"id":"books","index":1,"itemIdentifiers":["knots","ferns","tides"],"numberOfItems":3,"#
          + #""title":"Books"}"#
      ),
      (
        "/items",
        #"{"itemIdentifiers":["atlas","knots","ferns","tides","lisbon","alps","islands"],"numberOfItems":7}"#
      ),
      (
        "/items/lisbon",
        #"{"id":"lisbon","index":4,"indexInSection":0,"isVisible":true,"item":{"id":"lisbon","#
          + #""title":"Lisbon on Foot","type":"catalogItem"},"level":0,"section":"maps"}"#
      ),
    ]
    let tag = try #require(await backend.get(path)["ETag"])
    for (query, text) in expected {
      let answer = await backend.get(path + query)
      #expect(answer.status == 200 && answer.text == text)
      #expect(answer["ETag"] == tag)
      #expect(await backend.get(path + query, [.ifNoneMatch: tag]).status == 304)
    }
    _ = await Self.apply(["operation": "deleteItems", "ids": ["atlas"]], to: backend)
    let moved = await backend.get(path + "/items/lisbon", [.ifNoneMatch: tag])
    #expect(moved.status == 200)
    #expect(try moved.json.member("index").integer() == 3)
    for (query, code) in [
      ("/items/atlas", "unknown-item"), ("/items/maps", "unknown-item"),
      ("/sections/knots", "unknown-section"),
    ] {
      let answer = await backend.get(path + query)
      #expect(answer.status == 404 && answer.code == code)
    }
    for query in ["", "/sections", "/sections/a", "/items", "/items/a"] {
      #expect(await backend.get(Self.catalogs + "/99" + query).code == "unknown-catalog")
    }
  }

  @Test("take a batch by command: the reply counts what was ignored, and carries the change")
  func command() async throws {
    let backend = try Backend(.catalogs)
    let before = try await backend.get(Self.viewModel).string("revision")
    let answer = await Self.apply(
      ["operation": "insertItems", "items": [["id": "n", "title": "N"]], "after": "knots"],
      ["operation": "deleteItems", "ids": ["gone", "alps"]], to: backend, query: "?since=" + before)
    #expect(answer.status == 200)
    #expect(try answer.json.memberNames == ["accepted", "details", "diff", "revision"])
    #expect(try answer.json.member("details").value == ["ignored": 1])
    let rows = try answer.json.member("diff").member("rows")
    #expect(try rows.memberNames == ["deletes", "inserts"])
    let idle = await Self.apply(["operation": "deleteItems", "ids": ["gone"]], to: backend)
    #expect(try idle.json.member("accepted").value == false)
    #expect(try idle.json.member("details").value == ["ignored": 1])
    let revisions = try await backend.get(Self.viewModel + "/revisions").json.member("revisions")
    #expect(try revisions.elements().count == 2)
    let stale = await Self.apply(
      ["operation": "deleteAllItems"], to: backend, [.ifMatch: "\"\(before)\""])
    #expect(stale.status == 412)
  }

  @Test("are refused with the member at fault, and nothing changes")
  func refusals() async throws {
    let backend = try Backend(.catalogs) {
      $0.catalogs.data = .demo(
        limits: CatalogLimits(catalogs: 3, sectionsPerCatalog: 3, itemsPerCatalog: 11, items: 15))
    }
    let before = await backend.get(Self.catalogs).text
    let items = { (count: Int) -> JSONValue in
      let items = (0..<count).map { number -> JSONValue in
        ["id": .integer(number), "title": "T"]
      }
      return ["sections": [["id": "s", "items": .array(items)]]]
    }
    let four: JSONValue = ["sections": [["id": 1], ["id": 2], ["id": 3], ["id": 4]]]
    for (method, path, body, status, pointer) in [
      (.post, "", ["id": 1], 409, "/id"), (.post, "", ["name": "T"], 422, "/name"),
      (.post, "", ["sections": [[:]]], 422, "/sections/0/id"),
      (.post, "", ["sections": [["id": "a"], ["id": "a"]]], 422, "/sections/1/id"),
      (.put, "/1", ["id": 2], 422, "/id"), (.put, "/2", four, 422, "/sections"),
      (.put, "/2", items(12), 422, "/sections"), (.put, "/2", items(11), 409, nil),
      (.post, "", items(11), 409, nil), (.patch, "/1", ["sections": "x"], 422, "/sections"),
      (.put, "/99", [:], 404, nil),
    ] as [(HTTPRequest.Method, String, JSONValue, Int, String?)] {
      let answer = await backend.call(method, Self.catalogs + path, body: body)
      #expect(answer.status == status, "\(method) \(path) \(body)")
      #expect(answer.pointer == pointer, "\(method) \(path) \(body)")
    }
    #expect(await backend.get(Self.catalogs).text == before)
    #expect(await backend.call(.post, Self.catalogs, body: [:]).status == 201)
    #expect(await backend.call(.post, Self.catalogs, body: [:]).code == "store-full")
  }
}
