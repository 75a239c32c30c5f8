import HTTPTypes
import MicroHTTP
import Testing

@testable import ViewDeltaServer

@Suite("A field of a request")
struct RequestFieldTests {
  @Test(
    "has preferences between its commas, except for those in quotes",
    arguments: [
      ("return=diff", true), (#"x="a, return=diff""#, false), (#"x="a\", return=diff""#, false),
      (#"x="a\\", return=diff"#, true),
    ])
  func preferences(field: String, wantsDiff: Bool) {
    #expect(Preferences(field).wantsDiff == wantsDiff)
  }

  @Test(
    "has entity tags without spaces and control characters, and at least one",
    arguments: [#""a b""#, "\"a\u{1}\"", "\"a\u{7F}\"", ",", ""])
  func entityTags(field: String) {
    #expect(EntityTagCondition(field) == nil)
  }

  @Test(
    "accepts a type by the range that is closest to it, wherever it is in the list",
    arguments: ["application/*;q=0, */*", "*/*, application/*;q=0"])
  func ranges(field: String) {
    let request = Request(method: .get, target: "/", fields: [.accept: field])
    #expect(throws: ProblemDetails.self) { try request.requireJSONAccepted() }
  }

  @Test("gives a request a key that counts for its method and its path alone")
  func keys() throws {
    let keys = try [
      (HTTPRequest.Method.post, "/a"), (.put, "/a"), (.post, "/b"), (.post, "/a"),
    ].map { method, path in
      try Request(method: method, target: path, fields: [.idempotencyKey: "k"]).idempotencyKey
    }
    #expect(Set(keys).count == 3 && keys[0] == keys[3])
  }
}
