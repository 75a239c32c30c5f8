import HTTPTypes
import MicroHTTP
import Testing

@Suite("A request")
struct RequestTests {
  private func query(_ text: String) -> Query {
    Request(method: .get, target: "/x?\(text)").query
  }

  @Test(
    "has the values of a query parameter",
    arguments: [
      ("a=1", ["1"]), ("a=1&a=2", ["1", "2"]), ("b=1", []), ("", []), ("a", [""]), ("a=", [""]),
      ("a=b=c", ["b=c"]), ("&&a=1&", ["1"]), ("a=+%2B+", [" + "]), ("%61=1", ["1"]),
      ("a=%C3%A9", ["é"]), ("A=1", []), ("aa=1", []), ("a%3D=1", []),
    ])
  func queryValues(text: String, values: [String]) {
    #expect(query(text).values("a") == values)
  }

  @Test(
    "refuses a single query parameter that is repeated or empty", arguments: ["a=1&a=1", "a=", "a"])
  func single(text: String) {
    let problem = #expect(throws: ProblemDetails.self) { try query(text).single("a") }
    #expect(problem?.code == "bad-query")
    #expect(problem?.detail?.hasPrefix("a ") == true)
  }

  @Test("has the parameters of its query and no others")
  func present() throws {
    #expect(query("b=2&a=+1&a=&c").values("a") == [" 1", ""])
    #expect(try query("b=2").single("a") == nil)
    #expect(try query("b=2").single("b") == "2")
    let parameters = query("b=2&c&a=+1&%62=%26&ab=3").parameters(["a", "b"])
    #expect(parameters.map(\.name) == ["b", "a", "b"])
    #expect(parameters.map(\.value) == ["2", " 1", "&"])
  }

  @Test("has a method, a target, fields and a body")
  func parts() throws {
    let accept = try #require(HTTPField.Name("Accept"))
    let request = Request(
      method: .post, target: "/a%20b?c=d",
      fields: [.contentType: "Application/JSON; Charset=\"UTF-8\"", accept: "a"], body: [1, 2])
    #expect(request.method == .post)
    #expect(request.target == "/a%20b?c=d")
    #expect(request.path == "/a%20b")
    #expect(request[.accept] == "a")
    #expect(request[.acceptLanguage] == nil)
    #expect(request.values(for: .accept) == ["a"])
    #expect(request.fields[.accept] == "a")
    #expect(request.body == [1, 2])
    #expect(request.remoteAddress == "")
    #expect(request.mediaType?.essence == "application/json")
    #expect(request.mediaType?.charset == "utf-8")
  }

  @Test("joins the values of a repeated field")
  func joined() {
    var fields = HTTPFields()
    fields.append(HTTPField(name: .ifNoneMatch, value: "\"1\""))
    fields.append(HTTPField(name: .ifNoneMatch, value: "\"2\""))
    let request = Request(method: .get, target: "/", fields: fields)
    #expect(request[.ifNoneMatch] == "\"1\", \"2\"")
    #expect(request.values(for: .ifNoneMatch) == ["\"1\"", "\"2\""])
  }

  @Test(
    "has no media type if Content-Type is malformed",
    arguments: [
      "", "json", "application/", "/json", "a/b/c", "a b/c", "text/plain; charset",
      "text/plain; charset=a; charset=b", "text/plain; charset=\"a b\"", "text/plain; =x",
      "text/plain\u{37E} charset=a", "text/plain;\u{301} charset=a", "text/\u{301}plain",
      "text/plain; x=\"a; charset=b", "text/plain; x=\"a\\\"",
    ])
  func noMediaType(value: String) {
    #expect(MediaType(value) == nil)
  }

  @Test(
    "reads media types",
    arguments: [
      "text/plain", "TEXT/Plain ;x=\"a b\"", "text/plain;", "text/plain;x=\"a;b\"",
      "text/plain;x=\"a\\\";charset=b\";y=z",
    ])
  func mediaType(value: String) {
    #expect(MediaType(value)?.essence == "text/plain")
    #expect(MediaType(value)?.charset == nil)
  }
}
