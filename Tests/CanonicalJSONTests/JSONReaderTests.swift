import CanonicalJSON
import Testing

/// Reading documents of a known shape, and the locations in errors.
@Suite struct JSONReaderTests {
  static let document = JSONReader([
    "users": [["id": 1, "name": "Bret", "email": nil, "score": 2.5, "admin": true]],
    "a/b": [], "count": 3.0,
  ])

  @Test func `a document of the right shape is read`() throws {
    let user = try #require(try Self.document.member("users").elements().first)
    #expect(user.pointer.description == "/users/0")
    #expect(try user.member("id").integer() == 1)
    #expect(try user.member("name").string() == "Bret")
    #expect(try user.member("score").number() == 2.5)
    #expect(try user.member("id").number() == 1)
    #expect(try user.member("admin").bool())
    #expect(try user.memberNames == ["admin", "email", "id", "name", "score"])
    #expect(try Self.document.member("count").integer() == 3)
    try Self.document.rejectUnknownMembers(allowed: ["users", "count", "a/b", "more"])
  }

  @Test func `a null member is there but not nullable, an absent one is neither`() throws {
    let user = try Self.document.member("users").elements()[0]
    #expect(try user.member("email").isNull)
    #expect(try user.optionalMember("email") != nil)
    #expect(try user.nullableMember("email") == nil)
    #expect(try user.optionalMember("phone") == nil)
    #expect(try user.nullableMember("phone") == nil)
  }

  struct Mismatch: Sendable {
    let message: String
    let pointer: String
    let read: @Sendable (JSONReader) throws -> Void

    init(
      _ message: String, _ pointer: String, _ read: @escaping @Sendable (JSONReader) throws -> Void
    ) {
      self.message = message
      self.pointer = pointer
      self.read = read
    }
  }

  static let mismatches: [Mismatch] = [
    Mismatch("expected a string, found an object", "") { _ = try $0.string() },
    Mismatch("expected an object, found an array", "/users") { try $0.member("users").object() },
    Mismatch("expected an object, found an array", "/users") {
      _ = try $0.member("users").member("id")
    },
    Mismatch("expected an array, found a number", "/count") {
      _ = try $0.member("count").elements()
    },
    Mismatch("expected a string, found a number", "/users/0/id") {
      _ = try $0.member("users").elements()[0].member("id").string()
    },
    Mismatch("expected an integer, found a string", "/users/0/name") {
      _ = try $0.member("users").elements()[0].member("name").integer()
    },
    Mismatch("expected an integer, found a number with a fraction", "/users/0/score") {
      _ = try $0.member("users").elements()[0].member("score").integer()
    },
    Mismatch("expected a number, found null", "/users/0/email") {
      _ = try $0.member("users").elements()[0].member("email").number()
    },
    Mismatch("expected a boolean, found an array", "/a~1b") { _ = try $0.member("a/b").bool() },
    Mismatch("the member is missing", "/x") { _ = try $0.member("x") },
    Mismatch("the member is unknown: expected one of count, users", "/a~1b") {
      try $0.rejectUnknownMembers(allowed: ["users", "count"])
    },
  ]

  @Test(arguments: mismatches)
  func `a wrong shape is refused with its place`(_ mismatch: Mismatch) {
    let error = #expect(throws: JSONShapeError.self) { try mismatch.read(Self.document) }
    #expect(error?.message == mismatch.message)
    #expect(error?.pointer.description == mismatch.pointer)
  }

  @Test func `unknown members are passed over at every depth where that was asked for`() throws {
    let lenient = JSONReader(Self.document.value, noting: UnknownMembers())
    let user = try lenient.member("users").elements()[0]
    for reader in [lenient, user, try lenient.omitting("count")] {
      #expect(throws: Never.self) { try reader.rejectUnknownMembers(allowed: []) }
    }
    #expect(throws: JSONShapeError.self) {
      try Self.document.member("users").elements()[0].rejectUnknownMembers(allowed: [])
    }
  }

  @Test func `unknown members are noted by their kinds, with an example and their number`() throws {
    let document: JSONValue = [
      "extra": 1, "a/b": 2,
      "users": [["id": 1, "x": [:], "y": 1], ["id": 2, "x": nil], ["id": 3, "x": ["z": 1]]],
    ]
    let unknown = UnknownMembers()
    #expect(unknown.isEmpty)
    let reader = JSONReader(document, noting: unknown)
    try reader.noteUnknownMembers(besides: ["users"])
    for user in try reader.member("users").elements() {
      try user.rejectUnknownMembers(allowed: ["id"])
    }
    #expect(unknown.description == "/a~1b, /extra, /users/0/x (3 times), /users/0/y")
    #expect(!unknown.isEmpty)
    try JSONReader(document).noteUnknownMembers(besides: [])
  }

  @Test func `of unknown members beyond 20 kinds only the number is noted`() throws {
    let names = (10..<32).map { Text("m\($0)") }
    let document = JSONValue.object(Dictionary(names.map { ($0, 1) }) { $1 })
    let unknown = UnknownMembers()
    try JSONReader(document, noting: unknown).noteUnknownMembers(besides: [])
    let first = names.prefix(20).map { "/\($0)" }.joined(separator: ", ")
    #expect(unknown.description == first + ", 2 more")
  }

  @Test func `an object is read without one of its members`() throws {
    let rest = try Self.document.omitting("a/b")
    #expect(try rest.optionalMember("a/b") == nil)
    #expect(try rest.memberNames == ["count", "users"])
    #expect(throws: JSONShapeError.self) { try rest.member("count").omitting("x") }
  }
}
