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

  @Test(
    "accepts a type without parameters by a range with some only if no other range has the type",
    arguments: [
      "application/json;v=2", "application/json;v=2;q=0, application/json",
      "application/json;v=2;q=0, */*",
      "application/json;v=2;q=0.1, application/json-patch+json;q=0.5, application/json",
    ])
  func parameters(field: String) throws {
    let request = Request(method: .get, target: "/", fields: [.accept: field])
    #expect(try request.format(among: [.json, .jsonPatch]) == .json)
  }

  @Test(
    "has ranges between its commas, and parameters between its semicolons, except for those in quotes",
    arguments: [
      (#"application/json;v="2;q=0,a""#, true), (#"application/json;v="\";q=0,\\""#, true),
      (#"text/html;v=",application/json,""#, false),
      (#"text/html;v="\\", application/json"#, true),
    ])
  func quotedParameters(field: String, isAccepted: Bool) {
    let request = Request(method: .get, target: "/", fields: [.accept: field])
    #expect(((try? request.requireJSONAccepted()) != nil) == isAccepted)
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
