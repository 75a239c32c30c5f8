import HTTPTypes
import MicroHTTP
import Synchronization
import TestSupport
import Testing

@Suite("A chunked body", .serialized)
struct ChunkedBodyTests {
  /// A request whose body is one chunk of two bytes with an extension and trailers.
  private static func request(extension: String = "", trailers: String = "\r\n") -> String {
    "POST /echo HTTP/1.1\r\nHost: t\r\nTransfer-Encoding: chunked\r\n\r\n2\(`extension`)\r\nab\r\n"
      + "0\r\n\(trailers)"
  }

  @Test(
    "ends the requests on its connection, however it ends",
    arguments: [
      ("", "\r\n"), (";a=b", "T: v\r\n\r\n"),
      ("", "T: v\r\n:\r\n"), ("", ":\r\n"), ("", "T: v\r\n: x\r\n"), ("", ":\r\nT: v\r\n\r\n"),
      ("", "\0\r\n"), ("", "\0T: v\r\n"), ("", "T: v\r\n\0\r\n"), ("", "T: v\r\n\0U: w\r\n\r\n"),
      ("", "T: v\r\n w\r\n\r\n"), ("", " T: v\r\n\r\n"), ("", "T\r\n\r\n"), ("", "T: v\n\n"),
      ("", "T: v\r\r\n\r\n"), ("", "\r\r\n\r\n"), ("", "Content-Length: 9\r\n\r\n"),
      (";a\rb", "\r\n"), (";a\nb", "\r\n"), (";a\0b", "\r\n"), (";\r", "\r\n"), (";\n", "\r\n"),
      (";\n2\r\nab\r\n0\r\n\r\n", "\r\n"), (" ", "\r\n"), ("\0", "\r\n"), ("\t;a", "\r\n"),
    ])
  func last(`extension`: String, trailers: String) async throws {
    let requests = Requests()
    // For some of these the library waits for more until the body's deadline.
    try await withServer({ $0.bodyDeadline = .milliseconds(500) }) {
      requests.addRoutes(to: &$0)
    } client: { port in
      let client = try SocketClient(port: port)
      let smuggled = "GET /smuggled HTTP/1.1\r\nHost: t\r\n\r\n"
      try client.send(Self.request(extension: `extension`, trailers: trailers) + smuggled)
      do throws(SocketFailure) {
        let reply = try client.readReply()
        #expect(reply.status == 200 || reply.status == 400)
        #expect(reply["connection"]?.lowercased() == "close")
        #expect(try client.readToEnd().isEmpty)
      } catch {
        #expect(error == .closed(read: "") || error == .reset)
      }
      #expect(requests.paths.filter { $0 != "/echo" } == [])
    }
  }

  @Test("closes the connection even if its reply is late, a stream, or shared")
  func replies() async throws {
    let parked = ParkingLot()
    let streams = StreamLot<QueueSource>()
    let shared = Response(status: .ok, body: Array("shared".utf8))
    try await withServer(routes: { router in
      router.route(.post, "/parked") { _ in .later { parked.add($0) } }
      router.route(.post, "/stream") { _ in
        .stream(fields: [:]) { streams.add(QueueSource($0)) }
      }
      for method in [HTTPRequest.Method.get, .post] {
        router.route(method, "/shared") { _ in .now(shared) }
      }
    }) { port in
      let clients = try ["/parked", "/stream", "/shared"].map { path in
        let client = try SocketClient(port: port)
        try client.send(Self.request().replacing("/echo", with: path))
        try client.send("GET /shared HTTP/1.1\r\nHost: t\r\n\r\n")
        return client
      }
      try parked.next().respond(shared)
      let source = try streams.next()
      source.push(.send(shared))
      source.push(.end)
      for client in clients {
        let reply = try client.readReply()
        #expect(reply.text == "shared")
        #expect(reply["connection"]?.lowercased() == "close")
        #expect(try client.readToEnd().isEmpty)
      }
      // The shared reply does not close other connections.
      let other = try SocketClient(port: port)
      for _ in 1...2 { #expect(try other.get("/shared")["connection"] == nil) }
    }
  }

  @Test(
    "is refused with a problem if an extension or a trailer fills the connection's memory",
    arguments: [
      (request(extension: ";" + String(repeating: "a", count: 40_000)), [400, 413, 431]),
      (
        request(trailers: "T: " + String(repeating: "v", count: 40_000) + "\r\n\r\n"),
        [400, 413, 431]
      ),
    ])
  func tooLarge(request: String, statuses: [Int]) async throws {
    try await withServer({ $0.abandonmentSweep = .milliseconds(50) }) { port in
      // Long before the body's deadline, until which it would use processor time.
      let client = try SocketClient(port: port)
      try client.send(request)
      let text = String(decoding: try client.readToEnd(), as: UTF8.self)
      #expect(statuses.contains { text.hasPrefix("HTTP/1.1 \($0) ") }, "\(text)")
    }
  }

  @Test("that is too large for a HEAD is refused without a body")
  func tooLargeForHead() async throws {
    try await withServer({ $0.bodySizeLimit = 10 }) { port in
      let client = try SocketClient(port: port)
      try client.send(
        "HEAD /hello HTTP/1.1\r\nHost: t\r\nTransfer-Encoding: chunked\r\n\r\nb\r\n01234567890\r\n")
      let head = String(decoding: try client.readToEnd(), as: UTF8.self)
      #expect(head.hasPrefix("HTTP/1.1 413 ") && head.hasSuffix("\r\n\r\n"), "\(head)")
      #expect(head.ranges(of: "\r\n\r\n").count == 1)
    }
  }

  @Test("that was refused is cut off too if an extension then fills the connection's memory")
  func tooLargeAfterRefusal() async throws {
    try await withServer({
      $0.abandonmentSweep = .milliseconds(50)
      $0.bodySizeLimit = 10
      $0.replyDeadline = .seconds(600)
    }) { port in
      let client = try SocketClient(port: port, deadline: .seconds(60))
      let chunk = "14\r\n\(String(repeating: "a", count: 20))\r\n5;"
      try client.send(
        "POST /echo HTTP/1.1\r\nHost: t\r\nTransfer-Encoding: chunked\r\n\r\n\(chunk)")
      #expect(try client.readReply().status == 413)
      let end = #expect(throws: SocketFailure.self) {
        while true { try client.send(String(repeating: "a", count: 40_000)) }
      }
      #expect(end == .reset)
    }
  }
}

/// Records the paths of all requests that reach a handler.
private final class Requests: Sendable {
  private let noted = Mutex<[String]>([])

  var paths: [String] { noted.withLock { $0 } }

  func addRoutes(to router: inout Router) {
    for method in [HTTPRequest.Method.get, .post, .put, .patch, .delete] {
      router.route(method, "/{path}") { request in
        self.noted.withLock { $0.append(request.path) }
        return .now(Response(status: .ok, body: request.body))
      }
    }
  }
}
