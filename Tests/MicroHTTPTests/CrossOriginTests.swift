import HTTPTypes
import MicroHTTP
import TestSupport
import Testing

@Suite("A page of another origin", .serialized)
struct CrossOriginTests {
  private static let mine = "https://app.example.com"
  private static let other = "http://localhost:5173"

  /// Serves the test routes to pages of the two origins, with a reply that is kept for equal requests, a stream, and a
  /// reply that depends on another field.
  private static func serve<Result: Sendable>(
    _ origins: [String] = [mine, other], _ client: @escaping @Sendable (UInt16) throws -> Result
  ) async throws -> Result {
    let kept = Response(status: .ok, fields: [.eTag: "\"2\""], body: Array("kept".utf8))
    return try await withServer {
      $0.allowedOrigins = origins
      $0.bodySizeLimit = 10
    } routes: { router in
      router.addTestRoutes()
      router.route(.get, "/kept") { _ in .standing(kept, while: { true }) }
      router.get("/varied") { _ in Response(status: .ok, fields: [.vary: "Accept"]) }
      router.get("/any") { _ in Response(status: .ok, fields: [.vary: "*"]) }
      router.on(.get, "/later") { _ in Response(status: .noContent) }
      router.route(.get, "/stream") { _ in
        .stream(fields: [.contentType: "text/event-stream"]) { _ in EmptySource() }
      }
    } client: {
      try client($0)
    }
  }

  /// Sends a request with a host on a new connection and reads the reply.
  private static func reply(_ line: String, _ fields: [String], _ port: UInt16) throws -> HTTPReply
  {
    let client = try SocketClient(port: port)
    let hasBody = line.hasPrefix("POST")
    let lines = ["\(line) HTTP/1.1", "Host: t"] + fields + (hasBody ? ["Content-Length: 2"] : [])
    try client.send(lines.joined(separator: "\r\n") + "\r\n\r\n" + (hasBody ? "ab" : ""))
    return try client.readReply(hasBody: !line.hasPrefix("HEAD"))
  }

  /// The fields of CORS in a reply, in their order.
  private static func sharing(_ reply: HTTPReply) -> [String] {
    reply.fields.filter { $0.name.hasPrefix("access-control-") }.map { "\($0.name): \($0.value)" }
  }

  @Test(
    "reads each reply if the server allows its origin",
    arguments: [
      ("GET /hello", 200), ("HEAD /hello", 200), ("GET /kept", 200), ("GET /later", 204),
      ("GET /stream", 200), ("GET /nowhere", 404), ("DELETE /hello", 405), ("POST /echo", 200),
      ("BREW /hello", 501), ("GET /%zz", 400), ("OPTIONS /hello", 204),
    ])
  func reads(line: String, status: Int) async throws {
    try await Self.serve { port in
      for origin in [Self.mine, Self.other] {
        // The third is sent again as it is.
        for _ in 0..<3 {
          let fields = ["Origin: \(origin)", "Sec-Fetch-Site: cross-site"]
          let reply = try Self.reply(line, fields, port)
          #expect(reply.status == status)
          #expect(
            Self.sharing(reply) == [
              "access-control-allow-origin: \(origin)", "access-control-expose-headers: *",
            ])
          #expect(reply["vary"] == "Origin")
        }
      }
    }
  }

  @Test(
    "sees nothing of CORS if the server does not allow its origin, and changes nothing",
    arguments: [
      "Origin: https://evil.example", "Origin: null", "Origin: https://app.example.com.",
      "Origin: https://app.example.com:443", "Origin: http://app.example.com",
      "Origin: https://app.example.com/", "Origin: https://APP.example.com", "Origin: *",
      "Origin: http://localhost", "Origin: https://app.example.com, http://localhost:5173",
      "Origin: https://app.example.com\r\nOrigin: https://app.example.com",
    ])
  func strangers(field: String) async throws {
    try await Self.serve { port in
      for (line, status) in [
        ("GET /hello", 200), ("GET /kept", 200), ("OPTIONS /echo", 204), ("POST /echo", 403),
      ] {
        let fields = [field, "Access-Control-Request-Method: POST"]
        let reply = try Self.reply(line, fields, port)
        #expect(reply.status == status, "\(line)")
        #expect(Self.sharing(reply) == [])
        #expect(reply["vary"] == "Origin")
      }
    }
  }

  @Test("learns from its preflight what it may send, for two hours")
  func preflight() async throws {
    try await Self.serve { port in
      let fields = [
        "Origin: \(Self.mine)", "Access-Control-Request-Method: POST",
        "Access-Control-Request-Headers: content-type,idempotency-key",
      ]
      for (path, methods) in [("/echo", "POST, OPTIONS"), ("/hello", "GET, HEAD, OPTIONS")] {
        let reply = try Self.reply("OPTIONS \(path)", fields, port)
        #expect(reply.status == 204)
        #expect(
          Self.sharing(reply) == [
            "access-control-allow-origin: \(Self.mine)", "access-control-expose-headers: *",
            "access-control-allow-methods: \(methods)",
            "access-control-allow-headers: *, Authorization", "access-control-max-age: 7200",
          ])
      }
    }
  }

  @Test("gets a 304 that it can read, and the other fields of each reply as they are")
  func otherFields() async throws {
    try await Self.serve { port in
      let origin = "Origin: \(Self.mine)"
      let unchanged = try Self.reply("GET /hello", [origin, "If-None-Match: \"1\""], port)
      #expect(unchanged.status == 304)
      #expect(unchanged["etag"] == "\"1\"")
      #expect(Self.sharing(unchanged).count == 2)
      let hello = try Self.reply("GET /hello", [origin], port)
      #expect(hello.text == "hello")
      #expect(hello["content-type"] == "text/plain")
      #expect(hello["x-content-type-options"] == "nosniff")
      #expect(try Self.reply("GET /varied", [origin], port)["vary"] == "Accept, Origin")
      #expect(try Self.reply("GET /any", [origin], port)["vary"] == "*")
      // A cache must not give this reply to a page.
      #expect(try Self.reply("GET /hello", [], port)["vary"] == "Origin")
    }
  }

  @Test("reads the reply to a body that is too large, in the middle of which it comes")
  func middleOfBody() async throws {
    try await Self.serve { port in
      let client = try SocketClient(port: port)
      try client.send(
        "POST /echo HTTP/1.1\r\nHost: t\r\nOrigin: \(Self.mine)\r\nTransfer-Encoding: chunked\r\n\r\n"
          + "b\r\n01234567890\r\n")
      let reply = try client.readReply()
      #expect(reply.status == 413)
      #expect(Self.sharing(reply).count == 2)
    }
  }

  @Test("changes nothing if its head leaves no room for the head of the reply")
  func narrowHead() async throws {
    let changes = Noted<Int>()
    let origin = "https://\(String(repeating: "a.", count: 120))example"
    try await withServer {
      $0.allowedOrigins = [origin]
      $0.connectionMemory = 4_096
    } routes: { router in
      router.on(.post, "/echo") { _ in
        changes.add(1)
        return Response(
          status: .ok, fields: [.location: String(repeating: "l", count: 1_100)], body: [])
      }
    } client: { port in
      for size in stride(from: 0, to: 3_600, by: 20) {
        let before = changes.all.count
        let padding = "X: " + String(repeating: "x", count: size)
        let reply = try Self.reply("POST /echo", ["Origin: \(origin)", padding], port)
        #expect([200, 431].contains(reply.status))
        #expect(changes.all.count - before == (reply.status == 200 ? 1 : 0), "\(size)")
      }
    }
  }

  @Test(
    "is allowed only by its origin as browsers send it",
    arguments: [
      ("https://app.example.com", true), ("http://localhost:5173", true),
      ("http://[::1]:80", false), ("http://[::1]:8080", true),
      ("capacitor://localhost", true), ("https://a.b:80", true),
      ("http://a.b:443", true), ("https://a.b:443", false), ("https://a.b/", false),
      ("https://a.b:", false), ("https://", false), ("a.b", false), ("https://*.a.b", false),
      ("HTTPS://a.b", false), ("https://A.b", false), ("https://x@a.b", false), ("*", false),
      ("null", false), ("", false), ("https://a.b,https://c.d", false),
      ("https://a.b\r\nX: y", false), ("https://ä.b", false),
      ("https://a b", false), ("1s://a", false),
    ])
  func names(origin: String, isValid: Bool) {
    #expect(ServerConfiguration.isOrigin(origin) == isValid)
    var configuration = ServerConfiguration()
    configuration.allowedOrigins = [Self.mine, origin]
    let server = try? Server(configuration: configuration, router: Router(), logger: .silent)
    #expect((server != nil) == isValid)
  }
}

/// A stream without content.
private struct EmptySource: StreamSource {
  func next() -> StreamStep { .end }
  func ended() {}
}
