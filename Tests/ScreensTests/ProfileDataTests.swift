import CanonicalJSON
import Screens
import TestSupport
import Testing
import ViewState

@Suite("A json-server file")
struct ProfileDataTests {
  static func load(
    _ text: String, limiting: (inout CollectionLimits) -> Void = { _ in }
  ) throws -> ProfileData {
    var limits = Post.limits
    limiting(&limits)
    return try ProfileData(
      reading: JSONReader(JSONValue(parsing: Array(text.utf8))), limits: limits)
  }

  @Test(
    "is taken with unknown members, absent and null optional ones, and empty lists",
    arguments: [
      #"{"users":[],"posts":[]}"#,
      #"{"users":[]}"#, "{}",
      #"{"users":[],"posts":[],"comments":[{"anything":true}]}"#,
      #"{"users":[{"id":1,"name":"A","phone":"1","company":{"name":"C"}}],"posts":[]}"#,
      #"{"users":[{"id":"a-b","username":"A","email":null,"website":null,"address":null,"image":null}],"posts":[]}"#,
      #"{"users":[{"id":1,"username":null,"name":"A"}],"posts":[{"id":"x","userId":"1","title":"","body":"","date":null}]}"#,
      #"{"users":[{"id":1,"username":"A"}],"posts":[{"id":1,"userId":1,"title":"t","body":"b","date":"2026-02-28T23:59:59+01:00"}]}"#,
    ])
  func accepted(text: String) throws {
    _ = try Self.load(text)
  }

  @Test(
    "is refused with the place and the reason of its first fault",
    arguments: [
      ("[]", "", "object"),
      (#"{"users":{},"posts":[]}"#, "/users", "array"),
      (#"{"users":[1],"posts":[]}"#, "/users/0", "object"),
      (#"{"users":[{"username":"A"}],"posts":[]}"#, "/users/0/id", "missing"),
      (#"{"users":[{"id":true,"username":"A"}],"posts":[]}"#, "/users/0/id", "id"),
      (#"{"users":[{"id":-1,"username":"A"}],"posts":[]}"#, "/users/0/id", "id"),
      (#"{"users":[{"id":1.5,"username":"A"}],"posts":[]}"#, "/users/0/id", "id"),
      (#"{"users":[{"id":"a/b","username":"A"}],"posts":[]}"#, "/users/0/id", "id"),
      (#"{"users":[{"id":"","username":"A"}],"posts":[]}"#, "/users/0/id", "id"),
      (#"{"users":[{"id":"a\u0000","username":"A"}],"posts":[]}"#, "/users/0/id", "id"),
      (#"{"users":[{"id":1}],"posts":[]}"#, "/users/0", "username"),
      (#"{"users":[{"id":1,"username":7}],"posts":[]}"#, "/users/0/username", "string"),
      (
        #"{"users":[{"id":1,"username":"A","address":"x"}],"posts":[]}"#, "/users/0/address",
        "object"
      ),
      (
        #"{"users":[{"id":1,"username":"A","address":{"city":1}}],"posts":[]}"#,
        "/users/0/address/city", "string"
      ),
      (
        #"{"users":[{"id":1,"username":"A","friendsCount":"3"}],"posts":[]}"#,
        "/users/0/friendsCount", "integer"
      ),
      (
        #"{"users":[{"id":1,"username":"A","friendsCount":-3}],"posts":[]}"#,
        "/users/0/friendsCount", "from 0"
      ),
      (
        #"{"users":[{"id":1,"username":"A"},{"id":"1","username":"B"}],"posts":[]}"#, "/users/1/id",
        "twice"
      ),
      (
        #"{"users":[],"posts":[{"id":1,"userId":1,"title":"t","body":"b"}]}"#, "/posts/0/userId",
        "no user"
      ),
      (
        #"{"users":[{"id":1,"username":"A"}],"posts":[{"id":1,"userId":1,"body":"b"}]}"#,
        "/posts/0/title", "missing"
      ),
      (
        #"{"users":[{"id":1,"username":"A"}],"posts":[{"id":1,"userId":1,"title":"t","body":[]}]}"#,
        "/posts/0/body", "string"
      ),
      (
        #"{"users":[{"id":1,"username":"A"}],"posts":[{"id":1,"userId":1,"title":"t","body":"b","date":"yesterday"}]}"#,
        "/posts/0/date", "ISO 8601"
      ),
      (
        #"{"users":[{"id":1,"username":"A"},{"id":2,"username":"B"}],"posts":[{"id":1,"userId":1,"title":"t","body":"b"},{"id":1,"userId":2,"title":"t","body":"b"}]}"#,
        "/posts/1/id", "twice"
      ),
    ])
  func refused(text: String, pointer: String, reason: String) throws {
    let error = try #require(throws: JSONShapeError.self) { _ = try Self.load(text) }
    #expect(error.pointer.description == pointer)
    #expect(error.message.contains(reason), "\(error.message)")
  }

  @Test("has ids that can stand in a path and are compared by their bytes")
  func ids() throws {
    for id in [".", "..", "", "a/b"] {
      #expect(throws: JSONShapeError.self) { try ResourceID(JSONReader(.string(id))) }
    }
    #expect(try ResourceID(JSONReader(.number(1.0))) == "1")
    #expect(try ResourceID(JSONReader("1")) == ResourceID(1))
    let (composed, decomposed): (JSONValue, JSONValue) = ("\u{E9}", "e\u{301}")
    #expect(try ResourceID(JSONReader(composed)) != ResourceID(JSONReader(decomposed)))
    let text = #"{"users":[{"id":"\u00e9","name":"A"},{"id":"e\u0301","name":"B"}],"posts":[]}"#
    _ = try Self.load(text)
  }

  @Test("is refused where its texts are larger than the store takes")
  func bytes() throws {
    let text = #"{"users":[{"id":1,"username":"A"},{"id":2,"username":"BCDE"}],"posts":[]}"#
    _ = try Self.load(text) { $0.byteCount = 7 }
    let error = try #require(throws: JSONShapeError.self) {
      _ = try Self.load(text) { $0.byteCount = 6 }
    }
    #expect(error.pointer.description == "/users/1")
  }

  @Test("is refused where it holds more than the store takes")
  func limits() throws {
    let text = #"{"users":[{"id":1,"username":"A"},{"id":2,"username":"B"}],"posts":[]}"#
    let error = try #require(throws: JSONShapeError.self) {
      _ = try Self.load(text) { $0.count = 1 }
    }
    #expect(error.pointer.description == "/users/1")
  }

  @Test("gives the posts newest first: by date, then by place, the undated last")
  func order() async throws {
    let fixture = try ProfileFixture(data: [
      "users": [["id": 1, "username": "A"]],
      "posts": .array(
        [
          ("1", nil), ("2", "2026-01-01"), ("3", "2026-02-01T00:00:00Z"), ("4", nil),
          ("5", "2026-02-01T01:00:00+01:00"),
        ].map { id, date in
          .object([
            "id": .string(id), "userId": 1, "title": "t", "body": "b",
            "date": date.map { .string($0) } ?? .null,
          ])
        }),
    ])
    #expect(try fixture.store.children(of: "1").map(\.id.text) == ["5", "3", "2", "4", "1"])
  }

  @Test("of the product's own has users with and without each optional part")
  func demo() throws {
    let store = ProfileStore(.demo(), in: .still())
    let users = store.value.parents
    let parts: [(User) -> Bool] = [
      { $0.city != nil }, { $0.website != nil }, { $0.avatarURL != nil },
      { $0.friendsCount != nil },
    ]
    for hasPart in parts {
      #expect(users.contains(where: hasPart))
      #expect(!users.allSatisfy(hasPart))
    }
    let counts = try users.map { try store.children(of: $0.id).count }
    #expect(counts.contains(0) && counts.contains { $0 > 1 })
  }
}
