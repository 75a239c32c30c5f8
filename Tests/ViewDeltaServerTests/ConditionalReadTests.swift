import CanonicalJSON
import HTTPTypes
import Testing

@Suite("A conditional read")
struct ConditionalReadTests {
  /// Whatever has an entity tag.
  static let tagged = [
    "/v1/users", "/v1/users/1", "/v1/users/1/posts", "/v1/users/1/posts/1", "/v1/scoreboards/1",
    "/v1/catalogs", "/v1/catalogs/1", "/v1/catalogs/1/items", "/v1/view-models", Backend.viewModel,
    "/openapi.json",
  ]

  @Test("ignores If-Match for a JSON Patch of a whole view model, which has no entity tag")
  func untagged() async throws {
    let fields: HTTPFields = [.accept: "application/json-patch+json", .ifMatch: "\"other\""]
    let answer = await (try Backend()).get("\(Backend.viewModel)/diff", fields)
    #expect(answer.status == 200 && answer["ETag"] == nil)
  }

  @Test("honours If-Match, and If-None-Match only after it")
  func ifMatch() async throws {
    let backend = try Backend(.all)
    for path in Self.tagged {
      let tag = try #require(await backend.get(path)["ETag"])
      for method in [HTTPRequest.Method.get, .head] {
        for (condition, status) in [
          (tag, 200), ("\"other\", \(tag)", 200), ("*", 200), ("\"other\"", 412),
          ("W/\(tag)", 412), ("other", 400), ("", 400),
        ] {
          let answer = await backend.call(method, path, [.ifMatch: condition])
          #expect(answer.status == status, "\(method) \(path) If-Match: \(condition)")
          if status == 412 { #expect(answer.code == "precondition-failed") }
        }
        let both: HTTPFields = [.ifMatch: "\"other\"", .ifNoneMatch: tag]
        #expect(await backend.call(method, path, both).status == 412, "\(path)")
        let neither: HTTPFields = [.ifMatch: tag, .ifNoneMatch: tag]
        #expect(await backend.call(method, path, neither).status == 304, "\(path)")
      }
    }
  }

  @Test("knows a representation by the tag of either coding")
  func codings() async throws {
    let backend = try Backend(.all)
    for path in ["/openapi.json", "/v1/forms"] {
      let plain = try #require(await backend.get(path)["ETag"])
      let coded = await backend.get(path, [.acceptEncoding: "gzip"])
      #expect(coded["Content-Encoding"] == "gzip")
      for tag in [plain, try #require(coded["ETag"])] {
        let fields: HTTPFields = [.acceptEncoding: "gzip", .ifMatch: tag]
        #expect(await backend.get(path, fields).status == 200)
      }
      #expect(await backend.get(path, [.ifMatch: try #require(coded["ETag"])]).status == 412)
    }
  }

  @Test("gives a tag that ties a write to what was read, also if it was compressed")
  func writing() async throws {
    let backend = try Backend(.scoreboards)
    let path = "/v1/scoreboards/50"
    let players = (1...50).map { id -> JSONValue in
      ["id": .integer(id), "name": .string("Player \(id)")]
    }
    let board: JSONValue = ["id": 50, "title": "T", "players": .array(players)]
    await backend.call(.post, "/v1/scoreboards", body: board)
    let read = await backend.get(path, [.acceptEncoding: "gzip"])
    let tag = try #require(read["ETag"])
    #expect(read["Content-Encoding"] == "gzip" && tag.hasSuffix("-gzip\""))
    let patch: JSONValue = ["title": "U"]
    #expect(await backend.call(.patch, path, [.ifNoneMatch: tag], body: patch).status == 412)
    #expect(await backend.call(.patch, path, [.ifMatch: tag], body: patch).status == 200)
    #expect(await backend.call(.patch, path, [.ifMatch: tag], body: patch).status == 412)
  }

  @Test("is told by Vary whatever Accept can refuse, the refusal included")
  func vary() async throws {
    let backend = try Backend(.all)
    await backend.send("appear")
    let revision = try await backend.revision
    let readable =
      Self.tagged + [
        Backend.viewModel + "/revisions", "\(Backend.viewModel)/diff?since=\(revision)",
        "/v1/faults/posts/1", "/v1/catalogs/1/items/alps", Backend.viewModel + "/events",
      ]
    for path in readable {
      let isStream = path.hasSuffix("/events")
      let good = await backend.call(isStream ? .head : .get, path)
      #expect(good.status < 300, "\(path)")
      #expect(good["Vary"]?.contains(/\bAccept(,|$)/) == true, "\(path): \(good.fields)")
      let refused = await backend.get(path, [.accept: "text/html"])
      #expect(refused.status == 406 && refused["Vary"] == "Accept", "\(path)")
    }
    let writes: [(HTTPRequest.Method, String, JSONValue)] = [
      (.post, "/v1/users", ["username": "x"]), (.put, "/v1/users/2", ["username": "y"]),
      (.patch, "/v1/users/2", [:]), (.put, "/v1/faults/posts/1", [:]),
      (.post, Backend.viewModel + "/commands", ["type": "loadPosts"]),
      (.post, "/v1/sync", ["screens": ["profile/1": [:]]]),
    ]
    for (method, path, body) in writes {
      let good = await backend.call(method, path, body: body)
      #expect(good.status < 300 && good["Vary"]?.hasPrefix("Accept") == true, "\(path)")
      let refused = await backend.call(method, path, [.accept: "text/html"], body: body)
      #expect(refused.status == 406 && refused["Vary"] == "Accept", "\(path)")
    }
    // A supervisor gets an answer whatever it accepts.
    let health = await backend.get("/healthz", [.accept: "text/html"])
    #expect(health.status == 200 && health["Vary"] == nil)
  }

  @Test("follows a PUT with a tag only if what was sent is what is kept, byte for byte")
  func put() async throws {
    let backend = try Backend(.all)
    for (path, body, isVerbatim) in [
      ("/v1/users/2", ["id": 2, "username": "x"], true),
      ("/v1/users/2", ["id": .number(2.0), "username": "x"], true),
      ("/v1/users/2", ["username": "x"], false),
      ("/v1/users/2", ["id": 2, "name": "x"], false),
      ("/v1/users/2", ["id": 2, "username": "x", "phone": "1"], false),
      ("/v1/users/2", ["id": 2, "username": "x", "email": nil], false),
      (
        "/v1/users/1/posts/1",
        ["id": 1, "userId": 1, "title": "x", "body": "x", "date": "2026-01-01T00:00:00Z"], true
      ),
      (
        "/v1/users/1/posts/1",
        ["id": 1, "userId": 1, "title": "x", "body": "x", "date": "2026-01-01"], false
      ),
      ("/v1/scoreboards/1/players/1", ["id": 1, "name": "x", "score": 5], true),
      ("/v1/scoreboards/1/players/1", ["id": 1, "name": "x"], false),
      ("/v1/scoreboards/4", ["id": 4, "title": "x", "players": []], true),
      ("/v1/catalogs/1", ["id": 1, "sections": [["id": "a", "items": []]]], true),
      ("/v1/catalogs/1", ["id": 1, "sections": [["id": "a"]]], false),
    ] as [(String, JSONValue, Bool)] {
      let answer = await backend.call(.put, path, body: body)
      #expect(answer.status == 200, "\(answer.text)")
      #expect((answer["ETag"] != nil) == isVerbatim, "\(body)")
      let read = await backend.get(path)
      #expect(read.body == answer.body)
      if isVerbatim { #expect(answer["ETag"] == read["ETag"]) }
    }
  }
}
