import HTTPTypes
import MicroHTTP
import TestSupport
import Testing

@Suite("A request from a browser", .serialized)
struct SiteGuardTests {
  /// Sends a request with these fields on a new connection and reads the reply.
  private static func reply(
    _ method: String = "GET", _ fields: String..., port: UInt16
  ) throws -> HTTPReply {
    let client = try SocketClient(port: port)
    let path = method == "POST" ? "/echo" : "/hello"
    let lines =
      ["\(method) \(path) HTTP/1.1"] + fields + (method == "POST" ? ["Content-Length: 2"] : [])
    try client.send(lines.joined(separator: "\r\n") + "\r\n\r\n" + (method == "POST" ? "ab" : ""))
    return try client.readReply(hasBody: method != "HEAD")
  }

  @Test(
    "is served on loopback if its host is a loopback host or a host name of the server",
    arguments: [
      ("localhost", true), ("localhost:1", true), ("LocalHost", true), ("a.localhost", true),
      ("127.0.0.1:65535", true), ("127.1.2.3", true), ("[::1]", true), ("[0:0::1]:9", true),
      ("[::ffff:127.0.0.1]", true), ("views.example", true), ("VIEWS.example:81", true),
      ("192.0.2.7", true), ("[2001:DB8::7]:80", true),
      ("evil.example", false), ("views.example.evil.example", false), ("a.views.example", false),
      ("localhost.evil.example", false), ("notlocalhost", false), ("127.0.0.1.evil.example", false),
      ("128.0.0.1", false), ("192.0.2.8", false), ("0.0.0.0", false), ("[::]", false),
      ("[::2]", false), ("[2001:db8::8]", false), ("%6cocalhost", false),
      ("views.example.", true), ("Views.example.:81", true), ("localhost.", true),
      ("dotted.example", true), ("views.example..", false), (".", false), ("example.", false),
    ])
  func hosts(host: String, isServed: Bool) async throws {
    try await withServer({ configuration in
      configuration.hostNames = ["views.example", "dotted.example.", "192.0.2.7", "2001:db8::7"]
    }) { port in
      for method in ["GET", "HEAD", "POST", "OPTIONS", "DELETE"] {
        let reply = try Self.reply(method, "Host: \(host)", port: port)
        #expect((reply.status == 403) == !isServed, "\(method) \(reply.status)")
        if reply.status == 403, method != "HEAD" {
          #expect(reply.text.contains(#""code":"foreign-host""#))
          let name = host.firstMatch(of: /^(\[.*?\]|[^:]*)/)?.output.0 ?? ""
          #expect(reply.text.contains("the host \(name) is not among"), "\(reply.text)")
          #expect(reply["connection"] == "close")
        }
      }
      let client = try SocketClient(port: port)
      try client.send("GET http://\(host)/hello HTTP/1.1\r\nHost: localhost\r\n\r\n")
      let reply = try client.readReply()
      #expect(reply.status == (isServed ? 200 : 403))
      #expect(isServed || reply.text.contains("the host of the target is not among"))
    }
  }

  @Test(
    "is served with any host on another address, unless the server has host names",
    arguments: [([], 200), (["views.example"], 403)] as [([String], Int)])
  func otherAddress(names: [String], status: Int) async throws {
    try await withServer({ configuration in
      configuration.host = "0.0.0.0"
      configuration.hostNames = names
    }) { port in
      let statuses = try ["evil.example", "views.example", "localhost"].map {
        try Self.reply("GET", "Host: \($0)", port: port).status
      }
      #expect(statuses == [status, 200, 200])
    }
  }

  @Test("is served with any host by GET and HEAD of a route that says so, and by nothing else")
  func anyHostRoute() async throws {
    let body = Array("ok".utf8)
    try await withServer({ $0.hostNames = ["views.example"] }) { router in
      router.get("/open", servesAnyHost: true) { _ in Response(status: .ok, body: body) }
      router.on(.post, "/open") { _ in Response(status: .ok) }
      router.get("/closed") { _ in Response(status: .ok) }
      router.get("/{name}/x") { _ in Response(status: .ok) }
    } client: { port in
      for (line, status) in [
        ("GET /open", 200), ("GET /open?a", 200), ("GET /%6fpen", 200), ("HEAD /open", 200),
        ("GET http://192.0.2.9/open", 200), ("POST /open", 403), ("OPTIONS /open", 403),
        ("DELETE /open", 403), ("BREW /open", 403), ("GET /open/", 403), ("GET /open/x", 403),
        ("GET /closed", 403), ("GET /nowhere", 403), ("OPTIONS *", 403), ("GET /op%en", 403),
        ("GET http://192.0.2.9/closed", 403),
      ] {
        let client = try SocketClient(port: port)
        try client.send("\(line) HTTP/1.1\r\nHost: 192.0.2.9:\(port)\r\n\r\n")
        let reply = try client.readReply(hasBody: !line.hasPrefix("HEAD"))
        #expect(reply.status == status, "\(line)")
      }
    }
  }

  @Test(
    "is refused if it writes and comes from a page of another origin",
    arguments: [
      ("X: none", true), ("Origin: http://t", true), ("Origin: http://t:80", true),
      ("Origin: https://T", true), ("Sec-Fetch-Site: same-origin", true),
      ("Sec-Fetch-Site: none", true), ("Sec-Fetch-Site: new-value", true),
      ("Sec-Fetch-Site: cross-site", false), ("Sec-Fetch-Site: Cross-Site", false),
      ("Sec-Fetch-Site: same-site", false), ("Origin: http://evil.example", false),
      ("Origin: http://t:81", false), ("Origin: https://t:80", false), ("Origin: null", false),
      ("Origin:", false), ("Origin: t", false), ("Origin: ftp://t", false),
      ("Origin: http://t/", false), ("Origin: http://a@t", false), ("Origin: http://a.t", false),
      ("Origin: http://t\r\nOrigin: http://t", false),
      ("Origin: http://t\r\nSec-Fetch-Site: cross-site", false),
      ("Sec-Fetch-Site: cross-site\r\nSec-Fetch-Site: same-origin", false),
    ])
  func origins(fields: String, mayWrite: Bool) async throws {
    try await withServer { port in
      for method in ["POST", "DELETE", "BREW"] {
        let reply = try Self.reply(method, "Host: t", fields, port: port)
        #expect((reply.status == 403) == !mayWrite, "\(method) \(reply.status)")
        if !mayWrite { #expect(reply.text.contains(#""code":"cross-site""#)) }
      }
      for method in ["GET", "HEAD"] {
        #expect(try Self.reply(method, "Host: t", fields, port: port).status == 200)
      }
      let preflight = try Self.reply(
        "OPTIONS", "Host: t", fields, "Access-Control-Request-Method: POST", port: port)
      #expect(preflight.status == 204)
      #expect(!preflight.fields.contains { $0.name.hasPrefix("access-control-") })
    }
  }

  @Test("is refused if it writes and names an origin but no host, as only HTTP/1.0 may")
  func originWithoutHost() async throws {
    try await withServer { port in
      for (fields, status) in [("Origin: http://t\r\n", 403), ("", 200)] {
        let client = try SocketClient(port: port)
        try client.send("POST /echo HTTP/1.0\r\n\(fields)Content-Length: 2\r\n\r\nab")
        #expect(try client.readReply().status == status)
      }
    }
  }

  @Test("has an origin that includes the port")
  func ports() async throws {
    try await withServer { port in
      let host = "Host: localhost:\(port)"
      let own = try Self.reply("POST", host, "Origin: http://localhost:\(port)", port: port)
      #expect(own.status == 200)
      let other = try Self.reply("POST", host, "Origin: http://localhost", port: port)
      #expect(other.status == 403)
      let address = try Self.reply("POST", host, "Origin: http://127.0.0.1:\(port)", port: port)
      #expect(address.status == 403)
    }
  }

  @Test("gets nosniff and same-origin in every reply")
  func fields() async throws {
    let policy = HTTPField.Name.crossOriginResourcePolicy
    try await withServer({ $0.bodySizeLimit = 10 }) { router in
      router.addTestRoutes()
      router.get("/open") { _ in Response(status: .ok, fields: [policy: "cross-origin"]) }
    } client: { port in
      var replies = [
        try Self.reply(port: port), try Self.reply("GET", "Host: a", port: port),
        try Self.reply("GET", "Host: t", "If-None-Match: \"1\"", port: port),
        try Self.reply("HEAD", "Host: t", port: port),
        try Self.reply("OPTIONS", "Host: t", port: port),
        try Self.reply("DELETE", "Host: t", port: port),
      ]
      // A reply in the middle of a body.
      let client = try SocketClient(port: port)
      try client.send(
        "POST /echo HTTP/1.1\r\nHost: t\r\nTransfer-Encoding: chunked\r\n\r\nb\r\n01234567890\r\n")
      replies.append(try client.readReply())
      #expect(replies.map(\.status) == [400, 403, 304, 200, 204, 405, 413])
      for reply in replies {
        #expect(reply["x-content-type-options"] == "nosniff")
        #expect(reply["cross-origin-resource-policy"] == "same-origin")
        #expect(reply["date"] != nil)
      }
      let open = try SocketClient(port: port).get("/open")
      #expect(open["cross-origin-resource-policy"] == "cross-origin")
    }
  }

  @Test(
    "needs host names without ports", arguments: ["", "a:80", "a b", "[::1", "a/b", "a@b", "*.a"])
  func names(name: String) {
    var configuration = ServerConfiguration()
    configuration.hostNames = ["localhost", name]
    #expect(!ServerConfiguration.isHostName(name))
    #expect(throws: ServerError.self) {
      try Server(configuration: configuration, router: Router(), logger: .silent)
    }
  }
}
