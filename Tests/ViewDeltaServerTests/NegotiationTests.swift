import CanonicalJSON
import HTTPTypes
import MicroHTTP
import Testing
import ViewDeltaServer

@Suite("Negotiation")
struct NegotiationTests {
  /// One backend for all cases, because no case changes anything.
  static let backend = Result { try Backend(.all) }

  static let readable = [
    "/v1/view-models", Backend.viewModel, Backend.viewModel + "/diff",
    Backend.viewModel + "/revisions",
    "/v1/users", "/v1/users/1", "/v1/users/1/posts", "/v1/users/1/posts/1", "/v1/faults/posts/1",
  ]

  @Test(
    "gives JSON to whoever takes it", arguments: readable,
    [
      "*/*", "application/*", "application/json", "text/html, application/json;q=0.1",
      "text/html;q=0.9, */*;q=0.1", "APPLICATION/JSON", "garbage", "application/json;charset=utf-8",
    ])
  func accepted(path: String, accept: String) async throws {
    let backend = try Self.backend.get()
    #expect(await backend.get(path, [.accept: accept]).status == 200)
  }

  @Test(
    "is 406 for whoever does not", arguments: readable,
    [
      "text/html", "application/xml, text/*", "application/json;q=0",
      "application/*;q=0, text/event-stream", "*/json, text/html",
    ])
  func notAcceptable(path: String, accept: String) async throws {
    let backend = try Self.backend.get()
    let answer = await backend.get(path, [.accept: accept])
    #expect(answer.status == 406)
    #expect(answer.code == "not-acceptable")
    #expect(answer["Content-Type"] == "application/problem+json")
  }

  static let writable: [(HTTPRequest.Method, String)] = [
    (.post, Backend.viewModel + "/commands"), (.post, "/v1/users"), (.put, "/v1/users/1"),
    (.patch, "/v1/users/1"), (.post, "/v1/users/1/posts"), (.put, "/v1/users/1/posts/1"),
    (.patch, "/v1/users/1/posts/1"), (.put, "/v1/faults/posts/1"),
  ]

  @Test(
    "is 415 for a body that is not JSON by its type", arguments: writable,
    [
      "text/plain", "application/x-www-form-urlencoded", "application/xml", "json", "",
    ])
  func mediaTypes(route: (HTTPRequest.Method, String), type: String) async throws {
    let backend = try Self.backend.get()
    let answer = await backend.call(route.0, route.1, [.contentType: type], body: [:])
    #expect(answer.status == 415)
  }

  @Test(
    "is 415 for a body without a type, or in a coding, and changes nothing", arguments: writable,
    [
      [:], [.contentType: "application/json", .contentEncoding: "gzip"],
      [.contentType: "application/json", .contentEncoding: "identity, br"],
    ] as [HTTPFields])
  func bareAndCoded(route: (HTTPRequest.Method, String), fields: HTTPFields) async throws {
    let backend = try Self.backend.get()
    let before = await backend.get("/v1/users").body
    let request = Request(
      method: route.0, target: route.1, fields: fields, body: Array(#"{"username":"eve"}"#.utf8))
    let answer = Answer(await backend.application.router.respond(to: request))
    #expect(answer.status == 415)
    if fields[.contentType] == nil {
      #expect(answer["Accept"]?.contains("application/json") == true)
      #expect(answer["Accept-Patch"] == (route.0 == .patch ? answer["Accept"] : nil))
    } else {
      #expect(answer["Accept-Encoding"] == "identity")
    }
    #expect(await backend.get("/v1/users").body == before)
  }

  @Test("is 400 for a charset other than UTF-8", arguments: writable)
  func charsets(route: (HTTPRequest.Method, String)) async throws {
    let backend = try Self.backend.get()
    let answer = await backend.call(
      route.0, route.1, [.contentType: "application/json; charset=latin1"], body: [:])
    #expect(answer.status == 400)
    #expect(answer.code == "bad-charset")
  }

  /// Bodies that are no JSON, and the place of the fault.
  static let malformed: [(String, String)] = [
    ("", ""), ("{", ""), (#"{"type""#, "/type"), (#"{"type":"appear"} x"#, ""),
    (#"{"type":"appear","type":"appear"}"#, "/type"), (#"{"a":NaN}"#, "/a"),
    (#"{"a":"\ud800"}"#, "/a"), (#"{"a":9007199254740993}"#, "/a"), ("\u{FEFF}{}", ""),
    (#"{"a":1e999}"#, "/a"), (#"{"a":01}"#, "/a"), ("{'a':1}", ""), (#"[1,]"#, "/1"),
    ("\u{0}", ""), ("{\"a\":\"\u{1}\"}", "/a"),
  ]

  @Test("is 400 for what is no JSON, with a pointer to the fault", arguments: writable, malformed)
  func json(route: (HTTPRequest.Method, String), body: (String, String)) async throws {
    let backend = try Self.backend.get()
    let before = await backend.get(Backend.viewModel).body
    let answer = await Self.send(Array(body.0.utf8), to: route, backend)
    #expect(answer.status == 400)
    #expect(answer.code == "bad-json")
    #expect(answer.pointer == body.1)
    #expect(await backend.get(Backend.viewModel).body == before)
  }

  @Test("survives JSON that is very deep, very long, or not UTF-8", arguments: writable)
  func extremes(route: (HTTPRequest.Method, String)) async throws {
    let backend = try Self.backend.get()
    let deep = [UInt8](repeating: UInt8(ascii: "["), count: 10_000)
    #expect(await Self.send(deep, to: route, backend).status == 400)
    let invalid = Array(#"{"type":""#.utf8) + [0xC0, 0x80] + Array(#""}"#.utf8)
    #expect(await Self.send(invalid, to: route, backend).status == 400)
    let long =
      Array(#"{"type":""#.utf8) + [UInt8](repeating: 97, count: 1_000_000) + Array(#""}"#.utf8)
    // A patch with an unknown member alone is a patch of nothing.
    let status = route.0 == .patch ? 200 : 422
    #expect(await Self.send(long, to: route, backend).status == status)
  }

  private static func send(
    _ body: [UInt8], to route: (HTTPRequest.Method, String), _ backend: Backend
  ) async -> Answer {
    let request = Request(
      method: route.0, target: route.1, fields: [.contentType: "application/json"], body: body)
    return Answer(await backend.application.router.respond(to: request))
  }
}
