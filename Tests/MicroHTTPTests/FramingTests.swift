import TestSupport
import Testing

@Suite("An ambiguous head", .serialized)
struct FramingTests {
  /// A second request that follows the rejected one on the connection.
  private static let smuggled = "GET /hello HTTP/1.1\r\nHost: t\r\n\r\n"

  @Test(
    "is refused, and the bytes after it are never read as a request",
    arguments: [
      ("POST /echo HTTP/1.1\r\nHost: t\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\nab", 400),
      ("POST /echo HTTP/1.1\r\nHost: t\r\nContent-Length: 2\r\nContent-Length: 9\r\n\r\nab", 400),
      (
        "POST /echo HTTP/1.1\r\nHost: t\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        400
      ),
      (
        "POST /echo HTTP/1.1\r\nHost: t\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked"
          + "\r\n\r\n0\r\n\r\n", 400
      ),
      (
        "POST /echo HTTP/1.0\r\nHost: t\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked"
          + "\r\n\r\n0\r\n\r\n", 400
      ),
      ("POST /echo HTTP/1.1\r\nHost: t\r\nTransfer-Encoding: gzip\r\n\r\n", 501),
      ("POST /echo HTTP/1.1\r\nHost: t\r\nTransfer-Encoding: xchunked\r\n\r\n", 501),
      ("POST /echo HTTP/1.1\r\nHost: t\r\nTransfer-Encoding: chunked \r\n\r\n0\r\n\r\n", 501),
      ("POST /echo HTTP/1.1\r\nHost: t\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n", 501),
      ("GET /hello HTTP/1.1\r\n\r\n", 400),
      ("GET /hello HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n", 400),
      ("GET /hello HTTP/1.1\r\nHost: a b\r\n\r\n", 400),
      ("GET /hello HTTP/1.1\r\nHost:\r\n\r\n", 400),
      ("GET /hello HTTP/1.1\r\nHost: t\r\nX-A : b\r\n\r\n", 400),
      ("GET /hello HTTP/1.1\r\nHost: t\r\nContent-Length : 5\r\n\r\n", 400),
      ("GET /hello HTTP/1.1\r\nHost: t\r\nX\u{1}: b\r\n\r\n", 400),
      ("GET /hello HTTP/1.1\r\nHost: t\r\nX: a\u{1}b\r\n\r\n", 400),
      ("GET /hello HTTP/1.1\r\nHost: t\r\n: b\r\n\r\n", 400),
      ("GET /hello HTTP/1.1\r\nHost: t\r\n: b\r\nGET /hello HTTP/1.1\r\nHost: t\r\n\r\n", 400),
      ("GET /hello HTTP/1.1\r\nHost: t\r\nX: a\r\n b\r\n\r\n", 400),
      ("GET /hello HTTP/1.1\r\nHost: t\r\nX: a\r\n\tb\r\nY: c\r\n\r\n", 400),
      ("GET /hello HTTP/1.1\r\nHost: t\r\nX: a\0b\r\n\r\n", 400),
      ("GET /hello\0 HTTP/1.1\r\nHost: t\r\n\r\n", 400),
      ("GET  /hello HTTP/1.1\r\nHost: t\r\n\r\n", 400),
      ("POST /echo HTTP/1.1\r\nHost: t\r\nExpect: tea\r\nContent-Length: 2\r\n\r\nab", 417),
      ("POST /unknown HTTP/1.1\r\nHost: t\r\nContent-Length: 2\r\n\r\nab", 404),
      ("DELETE /echo HTTP/1.1\r\nHost: t\r\nContent-Length: 2\r\n\r\nab", 405),
      ("BREW /echo HTTP/1.1\r\nHost: t\r\nContent-Length: 2\r\n\r\nab", 501),
    ])
  func refused(head: String, status: Int) async throws {
    try await withServer { port in
      let client = try SocketClient(port: port)
      try client.send(head + Self.smuggled)
      let reply = try client.readReply()
      #expect(reply.status == status)
      #expect(reply["content-type"] == "application/problem+json")
      #expect(reply["connection"]?.lowercased() == "close")
      #expect(reply.text.contains("\"status\":\(status)"))
      #expect(try client.readToEnd().isEmpty)
      let other = try SocketClient(port: port)
      #expect(try other.get("/hello").text == "hello")
    }
  }

  @Test(
    "closes the connection if libmicrohttpd itself refuses it",
    arguments: [
      "nonsense\r\n\r\n", "GET /hello HTTP/3.0\r\nHost: t\r\n\r\n",
      "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
      "POST /echo HTTP/1.1\r\nHost: t\r\nContent-Length: -1\r\n\r\n",
      "POST /echo HTTP/1.1\r\nHost: t\r\nContent-Length: 2, 2\r\n\r\nab",
      "POST /echo HTTP/1.1\r\nHost: t\r\nContent-Length: 99999999999999999999\r\n\r\n",
      "POST /echo HTTP/1.1\r\nHost: t\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    ])
  func refusedByLibrary(head: String) async throws {
    try await withServer { port in
      let client = try SocketClient(port: port)
      try client.send(head)
      let bytes = try client.readToEnd()
      let text = String(decoding: bytes, as: UTF8.self)
      #expect(text.isEmpty || text.hasPrefix("HTTP/1.1 4") || text.hasPrefix("HTTP/1.1 5"))
      let other = try SocketClient(port: port)
      #expect(try other.get("/hello").text == "hello")
    }
  }

  @Test("is not a head of HTTP/1.0 without a Host")
  func http10() async throws {
    try await withServer { port in
      let client = try SocketClient(port: port)
      try client.send("GET /hello HTTP/1.0\r\n\r\n")
      #expect(try client.readReply().text == "hello")
      #expect(try client.readToEnd().isEmpty)
    }
  }
}
