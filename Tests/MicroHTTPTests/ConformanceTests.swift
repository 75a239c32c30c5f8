import TestSupport
import Testing

/// A table of the requirements of RFC 9110 and RFC 9112 for single requests: raw bytes in, status out. Those that
/// `FramingTests` and `MessageTests` have are left out.
@Suite("A raw request", .serialized)
struct ConformanceTests {
  /// One line of the table.
  struct Line: Sendable, CustomTestStringConvertible {
    let name: String
    let request: String
    /// The accepted statuses; several if versions of libmicrohttpd differ.
    let statuses: Set<Int>
    var testDescription: String { name }

    init(_ name: String, _ request: String, _ statuses: Int...) {
      self.name = name
      self.request = request
      self.statuses = Set(statuses)
    }

    static func get(_ target: String, _ name: String? = nil, _ statuses: Int...) -> Line {
      Line(name ?? target, "GET \(target) HTTP/1.1\r\nHost: t\r\n\r\n", statuses)
    }

    static func host(_ host: String, _ statuses: Int...) -> Line {
      Line("Host: \(host)", "GET /hello HTTP/1.1\r\nHost: \(host)\r\n\r\n", statuses)
    }

    static func field(_ field: String, _ name: String? = nil, _ statuses: Int...) -> Line {
      Line(name ?? field, "GET /hello HTTP/1.1\r\nHost: t\r\n\(field)\r\n\r\n", statuses)
    }

    static func post(_ fields: String, _ body: String, _ statuses: Int...) -> Line {
      Line(
        "\(fields)\(body.prefix(40))", "POST /echo HTTP/1.1\r\nHost: t\r\n\(fields)\r\n\r\n\(body)",
        statuses)
    }

    private init(_ name: String, _ request: String, _ statuses: [Int]) {
      self.name = name
      self.request = request
      self.statuses = Set(statuses)
    }
  }

  static let requestLines: [Line] = [
    .get("/hello", nil, 200),
    .get("/hello?", nil, 200),
    .get("/hello?a=1&b", nil, 200),
    .get("http://t/hello", nil, 200),
    .get("HTTP://T:80/hello?a", nil, 200),
    .get("http://t", nil, 404),
    .get("http://t?a=/", nil, 404),
    .get("http:///hello", nil, 400),
    .get("http://t:x/hello", nil, 400),
    .get("http://a@t/hello", nil, 400),
    .get("http://[::1/hello", nil, 400),
    .get("hello", nil, 400),
    .get("*", nil, 400),
    .get("/hello#a", nil, 400),
    .get("/hel%6Co", nil, 200),
    .get("/hel%zzo", nil, 400),
    .get("/hel%6", nil, 400),
    .get("/hello%00", nil, 400),
    .get("/h\u{e9}llo", nil, 400),
    Line("an empty line first", "\r\nGET /hello HTTP/1.1\r\nHost: t\r\n\r\n", 200),
    Line("HTTP/1.2", "GET /hello HTTP/1.2\r\nHost: t\r\n\r\n", 200, 400, 505),
    Line("HTTP/2.0", "GET /hello HTTP/2.0\r\nHost: t\r\n\r\n", 505),
    Line("http/1.1", "GET /hello http/1.1\r\nHost: t\r\n\r\n", 400),
    Line("no version", "GET /hello\r\nHost: t\r\n\r\n", 400),
    Line("a method that is no token", "GE(T) /hello HTTP/1.1\r\nHost: t\r\n\r\n", 400),
  ]

  static let hosts: [Line] = [
    .host("t", 200), .host("t:80", 200), .host("t:", 200), .host("T", 200),
    .host("t ", 200), .host("t\t", 200), .host("\tt", 200),
    .host("localhost:1", 200), .host("127.0.0.1", 200), .host("[::1]", 200),
    .host("t:65535", 200), .host("t:65536", 400), .host("t:99999999999999999999", 400),
    .host("[::1]:8080", 200),
    .host("", 400), .host(":80", 400), .host("t:xx", 400), .host("t:8x", 400), .host("t:-1", 400),
    .host("t:1:2", 400), .host("::1", 400), .host("[::", 400), .host("[::]1", 400),
    .host("[]", 400), .host("[t]", 400), .host("[127.0.0.1]", 400), .host("[::1]]", 400),
    .host("a@t", 400), .host("t/", 400), .host("t,t", 400), .host("t t", 400), .host("%zz", 400),
    .host("http://t", 400),
  ]

  static let lists: [Line] = {
    let cookies = (1...450).map { "a\($0)=b" }.joined(separator: "; ")
    let pairs = (1...900).map { "a\($0)=b" }.joined(separator: "&")
    func repeated(_ text: String, _ count: Int) -> String {
      String(repeating: text, count: count)
    }
    return [
      .get("/hello?" + repeated("&", 499), "499 ampersands", 200),
      .get("/hello?" + repeated("&", 600), "600 ampersands", 200),
      .get("/hello?" + repeated("=", 8_000), "8,000 equals signs", 200),
      .get("/hello?" + pairs, "900 parameters", 200),
      .field("Cookie: " + cookies, "450 cookies", 200),
      .field("Cookie: " + repeated(";", 16_000), "16,000 semicolons", 200),
      .field("Cookie: a=" + repeated("b", 16_000), "a cookie of 16,000 bytes", 200),
      .field("Cookie: a\r\nCookie: b", "two Cookies", 200),
      .field("Cookie:", "an empty Cookie", 200),
    ]
  }()

  static let bodies: [Line] = [
    .post("Content-Length: 2", "ab", 200),
    .post("Content-Length: 002", "ab", 200),
    .post("Content-Length: 0", "", 200),
    .post("Content-Length:", "", 400),
    .post("Content-Length: +2", "ab", 400),
    .post("Content-Length: -2", "ab", 400),
    .post("Content-Length: 0x2", "ab", 400),
    .post("Content-Length: 2, 2", "ab", 400),
    // Version 0.9 of libmicrohttpd treats the space as a part of the number.
    .post("Content-Length: 2 ", "ab", 200, 400),
    .post("Content-Length: 9223372036854775807", "ab", 413),
    .post("Content-Length: 9223372036854775808", "ab", 413),
    .post("Content-Length: 99999999999999999999", "ab", 413),
    .post("Transfer-Encoding: chunked", "2\r\nab\r\n0\r\n\r\n", 200),
    .post("Transfer-Encoding: CHUNKED", "2\r\nab\r\n0\r\n\r\n", 200),
    .post("Transfer-Encoding: chunked", "2;a=\"b\"\r\nab\r\n0;c\r\nT: v\r\n\r\n", 200),
    .post("Transfer-Encoding: chunked", "2 \r\nab\r\n0\r\n\r\n", 400),
    .post("Transfer-Encoding: chunked", "0x2\r\nab\r\n0\r\n\r\n", 400),
    .post("Transfer-Encoding: chunked", "-2\r\nab\r\n0\r\n\r\n", 400),
    .post("Transfer-Encoding: chunked", "\r\n2\r\nab\r\n0\r\n\r\n", 400),
    .post("Transfer-Encoding: chunked", "2\r\nabc\r\n0\r\n\r\n", 400),
    .post("Transfer-Encoding: chunked", "fffffffffffffffff\r\n", 413),
    .post("Transfer-Encoding: chunked\r\nContent-Length: 2", "ab", 400),
    .post("Transfer-Encoding: identity", "ab", 501, 400),
  ]

  static let fields: [Line] = [
    .field("X:a", nil, 200), .field("X:", nil, 200), .field("X: \t a \t ", nil, 200),
    .field("X: \u{e9}", nil, 200), .field("!#$%&'*+-.^_`|~: a", nil, 200),
    .field(" X: a", nil, 400), .field("X", nil, 400), .field("X(: a", nil, 400),
    .field("\u{e9}: a", nil, 400), .field("X: a\u{7f}", nil, 400),
    .field("X: a\rb", "a bare CR in a value", 400),
  ]

  @Test(
    "gets the status that the RFCs demand",
    arguments: requestLines + hosts + lists + bodies + fields)
  func status(line: Line) async throws {
    try await withServer { port in
      let client = try SocketClient(port: port)
      try client.send(line.request)
      let reply = try client.readReply()
      #expect(line.statuses.contains(reply.status), "\(reply.status) \(reply.text)")
    }
  }

  @Test(
    "is answered if its head is smaller or larger than the connection's memory")
  func sizes() async throws {
    let sizes =
      Array(stride(from: 24_000, through: 34_000, by: 997))
      + Array(stride(from: 32_380, to: 32_780, by: 7)) + [100_000]
    let cases = sizes.flatMap { size -> [(head: String, statuses: [Int])] in
      let filling = String(repeating: "x", count: size)
      return [
        ("GET /\(filling) HTTP/1.1\r\nHost: t\r\n\r\n", size < 100_000 ? [414, 431] : [414]),
        ("GET /hello HTTP/1.1\r\nHost: t\r\nX: \(filling)\r\n\r\n", [431]),
      ]
    }
    try await withServer { port in
      // All are sent before an answer is read, because the answer to a head that is too large takes a while.
      let clients = try cases.map { head, _ in
        let client = try SocketClient(port: port)
        try client.send(head)
        return client
      }
      for (client, (head, statuses)) in zip(clients, cases) {
        let status = try client.readReply().status
        #expect(statuses.contains(status), "\(head.utf8.count) bytes")
      }
    }
  }
}
