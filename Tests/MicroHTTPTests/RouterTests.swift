import HTTPTypes
import MicroHTTP
import Testing

@Suite("The router")
struct RouterTests {
  private var router: Router {
    var router = Router()
    router.get("/v1/users/{id}/posts/{postID}") { request in
      let id = request.parameters["id"] ?? "none"
      let post = request.parameters["postID"] ?? "none"
      return Response(status: .ok, body: Array("\(id) \(post)".utf8))
    }
    router.get("/v1/users/me") { _ in Response(status: .ok, body: Array("me".utf8)) }
    router.get("/v1/users/{id}") { request in
      Response(status: .ok, body: Array("user \(request.parameters["id"] ?? "none")".utf8))
    }
    router.on(.put, "/v1/users/{id}") { _ in Response(status: .noContent) }
    router.get("/query") { request throws(ProblemDetails) in
      Response(status: .ok, body: Array((try request.query.single("a") ?? "absent").utf8))
    }
    return router
  }

  private func answer(_ method: HTTPRequest.Method, _ target: String) async -> Response {
    await router.respond(to: Request(method: method, target: target))
  }

  @Test(
    "finds a handler by the raw path and decodes each segment on its own",
    arguments: [
      ("/v1/users/7/posts/9", "7 9"),
      ("/v1/users/me", "me"),
      ("/v1/users/me/posts/1", "me 1"),
      ("/v1/users/you", "user you"),
      ("/v1/us%65rs/7", "user 7"),
      ("/v1/users/a%2Fb", "user a/b"),
      ("/v1/users/%C3%A9", "user é"),
      ("/v1/users/..", "user .."),
      ("/v1/users/%2e%2e", "user .."),
      ("/v1/users/a+b", "user a+b"),
      ("/v1/users/7?x=1", "user 7"),
      ("http://example.org/v1/users/7", "user 7"),
      ("HTTP://example.org:80/v1/users/7?x", "user 7"),
    ])
  func finds(target: String, text: String) async {
    let response = await answer(.get, target)
    #expect(response.status == .ok)
    #expect(response.text == text)
  }

  @Test(
    "takes an empty path of the absolute form for that of one slash",
    arguments: [
      "/", "/?a=1", "http://example.org/", "http://example.org", "http://example.org?a=1",
    ])
  func emptyPath(target: String) async {
    var router = Router()
    router.get("/") { _ in Response(status: .ok, body: Array("root".utf8)) }
    router.get("/{name}") { _ in Response(status: .ok, body: Array("name".utf8)) }
    let response = await router.respond(to: Request(method: .get, target: target))
    #expect(response.text == "root")
  }

  @Test(
    "does not know a path that only normalisation would make known",
    arguments: [
      "/", "/v1", "/v1/users/", "/v1/users/7/", "/v1//users/7", "//v1/users/7",
      "/v1/users/7/posts/",
      "/v1/./users/7", "/v1/x/../users/7", "/V1/users/7", "/v1%2fusers/7", "http://example.org",
    ])
  func doesNotFind(target: String) async {
    let response = await answer(.get, target)
    #expect(response.status == .notFound)
    #expect(response.text.contains(#""code":"not-found""#))
    #expect(response.text.contains(#""detail":"the server has nothing at this path""#))
  }

  @Test(
    "refuses a target that cannot be decoded",
    arguments: [
      "", "hello", "*/", "/%", "/%2", "/%zz", "/%00", "/v1/users/%00", "/a%c0%af", "/%ff",
      "/%ed%a0%80",
      "/%c3/%a9", "/?a=%", "/?a=%00", "/?%c0%80=1", "/a b", "/a#b", "/\u{e9}", "/a\u{7f}",
      "http://",
      "http:///x", "ftp://x/", "/a\nb",
    ])
  func refuses(target: String) async {
    let response = await answer(.get, target)
    #expect(response.status == .badRequest)
    #expect(response.text.contains(#""code":"bad-target""#))
    // It names the path alone.
    #expect(!response.text.contains("?"))
  }

  @Test("lists the methods of a path")
  func allow() async {
    let wrong = await answer(.delete, "/v1/users/7")
    #expect(wrong.status == .methodNotAllowed)
    #expect(wrong.fields[.allow] == "GET, HEAD, PUT, OPTIONS")
    let options = await answer(.options, "/v1/users/7")
    #expect(options.status == .noContent)
    #expect(options.fields[.allow] == "GET, HEAD, PUT, OPTIONS")
    #expect(await answer(.options, "*").status == .noContent)
    #expect(await answer(.options, "/unknown").status == .notFound)
    #expect(await answer(.get, "*").status == .badRequest)
  }

  @Test(
    "never routes TRACE and CONNECT", arguments: [HTTPRequest.Method.trace, .connect],
    ["/v1/users/7", "/unknown"])
  func notAllowed(method: HTTPRequest.Method, target: String) async {
    let response = await answer(method, target)
    #expect(response.status == .methodNotAllowed)
    #expect(response.fields[.allow] != nil)
  }

  @Test("does not know other methods", arguments: ["get", "Get", "BREW", "PROPFIND", "G"])
  func unknownMethod(name: String) async throws {
    let method = try #require(HTTPRequest.Method(name))
    #expect(await answer(method, "/v1/users/7").status == .notImplemented)
  }

  @Test("answers HEAD with the handler of GET, and runs asynchronous handlers")
  func otherMethods() async {
    #expect(await answer(.head, "/v1/users/7").text == "user 7")
    #expect(await answer(.put, "/v1/users/7").status == .noContent)
  }

  @Test("turns a thrown problem into a reply that names the path")
  func thrown() async {
    let response = await answer(.get, "/query?a=1&a=2")
    #expect(response.status == .badRequest)
    #expect(response.fields[.contentType] == "application/problem+json")
    #expect(response.text.contains(#""instance":"/query""#))
    #expect(response.text.contains(#""code":"bad-query""#))
  }

  @Test("answers for a handler that releases its responder")
  func unanswered() async {
    var router = Router()
    router.route(.get, "/never") { _ in .later { _ in } }
    let response = await router.respond(to: Request(method: .get, target: "/never"))
    #expect(response.status == .internalServerError)
    #expect(response.text.contains(#""code":"unanswered""#))
  }
}
