import CanonicalJSON
import HTTPTypes
import Testing
import ViewState

@Suite("A resource")
struct ResourceEndpointTests {
  @Test("is listed, users by age and posts newest first")
  func lists() async throws {
    let backend = try Backend()
    await backend.call(.post, "/v1/users/1/posts", body: ["title": "Two", "body": "Second."])
    #expect(
      await backend.get("/v1/users").text
        == #"[{"address":{"city":"Lagos"},"friendsCount":42,"id":1,"username":"ada","website":"ada.example.com"},{"id":2,"username":"bruno"}]"#
    )
    #expect(
      await backend.get("/v1/users/1/posts").text
        == #"[{"body":"Second.","date":"2027-01-15T08:00:00Z","id":2,"title":"Two","userId":1},{"body":"First.","date":"2026-01-01T00:00:00Z","id":1,"title":"One","userId":1}]"#
    )
    #expect(await backend.get("/v1/users/2/posts").text == "[]")
    #expect(await backend.get("/v1/users/9/posts").code == "unknown-user")
  }

  @Test(
    "is created with the next id, or with its own, and says where it is",
    arguments: [
      (["username": "chiyo"], "/v1/users/3"), (["id": 70, "username": "x"], "/v1/users/70"),
      (["id": "a ü", "username": "x"], "/v1/users/a%20%C3%BC"),
    ] as [(JSONValue, String)])
  func creation(body: JSONValue, location: String) async throws {
    let backend = try Backend()
    let answer = await backend.call(.post, "/v1/users", body: body)
    #expect(answer.status == 201)
    #expect(answer["Location"] == location)
    let read = await backend.get(location)
    #expect(read.body == answer.body)
    #expect(read["ETag"] == answer["ETag"])
    let viewModel = "/v1/view-models/profile/" + location.split(separator: "/").last!
    #expect(await backend.get(viewModel).status == 200)
  }

  @Test(
    "leaves the next id as it is unless its own is a number, as such or as it is written",
    arguments: DemoCollection.all)
  func nextIDs(collection: DemoCollection) async throws {
    let backend = try Backend(.all)
    func create(_ id: JSONValue? = nil) async throws -> JSONValue {
      let body = collection.body.mergePatched(with: id.map { ["id": $0] } ?? [:])
      let answer = await backend.call(.post, collection.path, body: body)
      #expect(answer.status == 201, "\(answer.text)")
      return try answer.json.member("id").value
    }
    guard case .integer(let first) = try await create() else {
      Issue.record("the id is no number")
      return
    }
    for id in ["+500", "00500", "500 ", "5e2", "٥٠٠", "500\u{301}", "99999999999999999999"] {
      #expect(try await create(.string(id)) == .string(id))
    }
    #expect(try await create() == .integer(first + 1))
    _ = try await create(.string("\(first + 500)"))
    #expect(try await create() == .integer(first + 501))
  }

  @Test(
    "gets the least free id once the greatest number of all was given away",
    arguments: DemoCollection.all)
  func lastIDs(collection: DemoCollection) async throws {
    let backend = try Backend(.all)
    let greatest = 1 << 53
    await backend.call(
      .post, collection.path,
      body: collection.body.mergePatched(with: ["id": .integer(greatest - 1)]))
    var ids: [Int] = []
    for _ in 0..<4 {
      let answer = await backend.call(.post, collection.path, body: collection.body)
      #expect(answer.status == 201, "\(answer.text)")
      ids.append(try answer.json.member("id").integer())
    }
    #expect(ids[0] == greatest)
    var known: Set<Int> = []
    var page: String? = collection.path + "?limit=1000"
    while let target = page {
      let answer = await backend.get(target)
      known.formUnion(try answer.json.elements().map { try $0.member("id").integer() })
      page = try answer.nextPage
    }
    let others = known.subtracting(ids)
    #expect(Array(ids[1...]) == Array((1...).lazy.filter { !others.contains($0) }.prefix(3)))
  }

  @Test("keeps its id as it was given, a number or a text, however a write spells it")
  func idForms() async throws {
    let backend = try Backend()
    let put = await backend.call(.put, "/v1/users/1", body: ["id": "1", "username": "x"])
    #expect(put.status == 200 && put.text == #"{"id":1,"username":"x"}"#)
    #expect(put["ETag"] == nil)
    let patch = await backend.call(.patch, "/v1/users/1", body: ["id": "1", "username": "y"])
    #expect(patch.text == #"{"id":1,"username":"y"}"#)
    await backend.call(.post, "/v1/users", body: ["id": "7", "username": "u"])
    let text = await backend.call(.put, "/v1/users/7", body: ["id": 7, "username": "v"])
    #expect(text.text == #"{"id":"7","username":"v"}"#)
    #expect(await backend.get("/v1/users/7").body == text.body)
    let other = await backend.call(.put, "/v1/users/7", body: ["id": "07", "username": "v"])
    #expect(other.status == 422 && other.pointer == "/id")
  }

  @Test("is not replaced by a part of it")
  func part() async throws {
    let backend = try Backend()
    let before = await backend.get("/v1/users/1")
    let put = await backend.call(
      .put, "/v1/users/1", [.contentRange: "bytes 0-15/90"], body: ["username": "lovelace"])
    #expect(put.status == 400 && put.code == "bad-field")
    #expect(await backend.get("/v1/users/1").body == before.body)
  }

  @Test("is replaced whole by PUT and in part by PATCH")
  func writing() async throws {
    let backend = try Backend()
    let put = await backend.call(.put, "/v1/users/1", body: ["username": "lovelace"])
    #expect(put.status == 200)
    #expect(put.text == #"{"id":1,"username":"lovelace"}"#)
    let patch = await backend.call(
      .patch, "/v1/users/1", [.contentType: "application/merge-patch+json"],
      body: ["website": "ada.example.com", "address": ["city": "London"]])
    #expect(
      patch.text
        == #"{"address":{"city":"London"},"id":1,"username":"lovelace","website":"ada.example.com"}"#
    )
    let cleared = await backend.call(.patch, "/v1/users/1", body: ["website": nil])
    #expect(cleared.text == #"{"address":{"city":"London"},"id":1,"username":"lovelace"}"#)
    #expect(await backend.get("/v1/users/1").body == cleared.body)
  }

  @Test("takes a patch by the other names that members may have in a file")
  func aliases() async throws {
    let backend = try Backend()
    let answer = await backend.call(
      .patch, "/v1/users/2", body: ["name": "Neo", "image": "https://example.com/n.png"])
    #expect(
      answer.text == #"{"avatarURL":"https://example.com/n.png","id":2,"username":"Neo"}"#)
    let both = await backend.call(.patch, "/v1/users/2", body: ["name": "A", "username": "B"])
    #expect(try both.string("username") == "B")
  }

  @Test("is gone after DELETE, a user with all posts")
  func deletion() async throws {
    let backend = try Backend()
    #expect(await backend.call(.delete, "/v1/users/1/posts/1").status == 204)
    #expect(await backend.get("/v1/users/1/posts/1").code == "unknown-post")
    #expect(await backend.call(.delete, "/v1/users/1/posts/1").status == 404)
    #expect(await backend.call(.delete, "/v1/users/1").status == 204)
    #expect(await backend.get("/v1/users/1").code == "unknown-user")
    #expect(await backend.get("/v1/users/1/posts").code == "unknown-user")
  }

  @Test("moves the view model that shows it before the write is answered")
  func viewModels() async throws {
    let backend = try Backend()
    await backend.load()
    let start = try await backend.revision
    await backend.call(.post, "/v1/users/1/posts", body: ["title": "Two", "body": "Second."])
    let diff = await backend.diff("since=\(start)")
    let insert = try diff.json.member("rows").member("inserts").elements()[0]
    #expect(try insert.member("at").value == [1, 1])
    #expect(try insert.member("row").member("id").string() == "post/2")
    #expect(try diff.json.optionalMember("states") == nil)
  }

  @Test(
    "is refused with the member at fault, and nothing changes",
    arguments: [
      (.post, "/v1/users", [:], 422, "invalid-member", ""),
      (.post, "/v1/users", ["username": 1], 422, "invalid-member", "/username"),
      (.post, "/v1/users", ["id": 1, "username": "x"], 409, "duplicate-id", "/id"),
      (.post, "/v1/users", ["id": "a/b", "username": "x"], 422, "invalid-member", "/id"),
      (.put, "/v1/users/1", ["id": 2, "username": "x"], 422, "invalid-member", "/id"),
      (.put, "/v1/users/9", ["username": "x"], 404, "unknown-user", nil),
      (.patch, "/v1/users/1", ["username": nil], 422, "invalid-member", ""),
      (.patch, "/v1/users/1", ["username": 7], 422, "invalid-member", "/username"),
      // Another name of the same member.
      (.patch, "/v1/users/1", ["name": 7], 422, "invalid-member", "/name"),
      (.patch, "/v1/users/1", ["name": 7, "username": nil], 422, "invalid-member", "/name"),
      (.patch, "/v1/users/1", ["friendsCount": -1], 422, "invalid-member", "/friendsCount"),
      (.patch, "/v1/users/1", [1], 422, "invalid-member", ""),
      (.post, "/v1/users/1/posts", ["title": "x"], 422, "invalid-member", "/body"),
      (
        .post, "/v1/users/1/posts", ["title": "x", "body": "x", "userId": 2], 422, "invalid-member",
        "/userId"
      ),
      (
        .post, "/v1/users/1/posts", ["title": "x", "body": "x", "date": "soon"], 422,
        "invalid-member", "/date"
      ),
      (
        .post, "/v1/users/1/posts", ["id": 1, "title": "x", "body": "x"], 409, "duplicate-id", "/id"
      ),
      (.post, "/v1/users/9/posts", ["title": "x", "body": "x"], 404, "unknown-user", nil),
      (.put, "/v1/users/1/posts/9", ["title": "x", "body": "x"], 404, "unknown-post", nil),
      (.put, "/v1/users/2/posts/1", ["title": "x", "body": "x"], 404, "unknown-post", nil),
      (.delete, "/v1/users/9", [:], 404, "unknown-user", nil),
    ] as [(HTTPRequest.Method, String, JSONValue, Int, String, String?)])
  func refusals(
    method: HTTPRequest.Method, path: String, body: JSONValue, status: Int, code: String,
    pointer: String?
  ) async throws {
    let backend = try Backend()
    await backend.load()
    let lists = ["/v1/users", "/v1/users/1/posts", "/v1/users/2/posts", Backend.viewModel]
    var before: [[UInt8]] = []
    for list in lists { before.append(await backend.get(list).body) }
    let answer = await backend.call(method, path, body: body)
    #expect(answer.status == status)
    #expect(answer.code == code)
    #expect(answer.pointer == pointer)
    for (list, body) in zip(lists, before) { #expect(await backend.get(list).body == body) }
  }

  @Test("sent twice with one idempotency key is created once", arguments: DemoCollection.all)
  func idempotency(collection: DemoCollection) async throws {
    let backend = try Backend(.all)
    let whole = collection.path + "?limit=1000"
    let before = try await backend.get(whole).json.elements().count
    let key: HTTPFields = [.idempotencyKey: "once"]
    let first = await backend.call(.post, collection.path, key, body: collection.body)
    let second = await backend.call(.post, collection.path, key, body: collection.body)
    #expect(first.status == 201 && second.status == 201)
    #expect(first.body == second.body && first["Location"] == second["Location"])
    #expect(try await backend.get(whole).json.elements().count == before + 1)
  }

  @Test(
    "is created, read, replaced, patched and deleted under its tag", arguments: DemoCollection.all)
  func lifecycle(collection: DemoCollection) async throws {
    let backend = try Backend(.all)
    let created = await backend.call(.post, collection.path, body: collection.body)
    let (location, tag) = (try #require(created["Location"]), try #require(created["ETag"]))
    #expect(try location == "\(collection.path)/\(ResourceID(created.json.member("id")))")
    let read = await backend.get(location)
    #expect(created.status == 201 && read.body == created.body && read["ETag"] == tag)
    #expect(await backend.get(location, [.ifNoneMatch: tag]).status == 304)
    let viewModel = try collection.screen.map {
      try "/v1/view-models/\($0)/" + #require(location.split(separator: "/").last)
    }
    if let viewModel { #expect(await backend.get(viewModel).status == 200) }

    let other = DemoCollection.changed(try created.json.value)
    let replaced = await backend.call(.put, location, [.ifMatch: tag], body: other)
    #expect(replaced.status == 200 && replaced.body != created.body)
    #expect(await backend.call(.put, location, [.ifMatch: tag], body: other).status == 412)
    let patch = try created.json.omitting("id").value
    let patched = await backend.call(.patch, location, body: patch)
    #expect(patched.status == 200 && patched.body == created.body && patched["ETag"] != tag)

    #expect(await backend.call(.delete, location, [.ifMatch: tag]).status == 412)
    #expect(await backend.call(.delete, location).status == 204)
    #expect(await backend.get(location).code == collection.unknown)
    if let viewModel { #expect(await backend.get(viewModel).code == "key-deleted") }
  }

  @Test("is answered as it was created to a request that is sent again, whatever became of it")
  func repeatedCreation() async throws {
    let backend = try Backend()
    let key: HTTPFields = [.idempotencyKey: "once"]
    let body: JSONValue = ["username": "x"]
    let first = await backend.call(.post, "/v1/users", key, body: body)
    let location = try #require(first["Location"])
    #expect(await backend.call(.patch, location, body: ["username": "y"]).status == 200)
    #expect(await backend.call(.delete, location).status == 204)
    let again = await backend.call(.post, "/v1/users", key, body: body)
    #expect(again.status == 201 && again.body == first.body && again.fields == first.fields)

    let taken: JSONValue = ["id": 1, "username": "x"]
    let refused = await backend.call(.post, "/v1/users", [.idempotencyKey: "l"], body: taken)
    #expect(refused.status == 409)
    #expect(await backend.call(.delete, "/v1/users/1").status == 204)
    let still = await backend.call(.post, "/v1/users", [.idempotencyKey: "l"], body: taken)
    #expect(still.body == refused.body)
    let other = await backend.call(.post, "/v1/users", [.idempotencyKey: "l"], body: body)
    #expect(other.status == 422 && other.code == "idempotency-key-reused")
    #expect(
      await backend.call(.post, "/v1/users/2/posts", key, body: ["title": "T", "body": "B"]).status
        == 201)
  }
}
