import HTTPTypes
import Logging
import MicroHTTP
import TestSupport
import Testing

@Suite("The log of requests")
struct RequestLogTests {
  /// Sends requests of each kind to a server that logs from a level on, and returns the lines of its log.
  private static func lines(from level: Logger.Level) async throws -> [String] {
    let recorder = LogRecorder(level)
    let lot = StreamLot<QueueSource>()
    try await withServer(
      {
        $0.threads = 1
        $0.bodySizeLimit = 2
      }, logger: Logger(label: "test") { _ in recorder },
      routes: { router in
        router.addTestRoutes()
        router.stream(to: lot) { QueueSource($0) }
      },
      client: { port in
        let client = try SocketClient(port: port)
        // From the third one on the reply is a standing one, if replies may be.
        for _ in 0..<4 { #expect(try client.get("/hello?a=%20b").status == 200) }
        let known = ["If-None-Match: \"1\""]
        #expect(try client.request("HEAD", "/hello", fields: known).status == 304)
        #expect(try client.request("POST", "/echo", body: "{}").status == 200)
        #expect(try client.get("/nothing").status == 404)
        client.close()
        let malformed = try SocketClient(port: port)
        #expect(try malformed.get("/\u{1B}[31m").status == 400)
        let unknown = try SocketClient(port: port)
        #expect(try unknown.request("BREW", "/hello").status == 501)
        let large = try SocketClient(port: port)
        try large.send("POST /echo HTTP/1.1\r\nHost: t\r\nTransfer-Encoding: chunked\r\n\r\n")
        try large.send("3\r\n012\r\n")
        #expect(try large.readReply().status == 413)
        let streaming = try SocketClient(port: port)
        try streaming.send(streamRequest)
        #expect(try streaming.readHead().status == 200)
        try lot.next().push(.end)
        #expect(try streaming.readChunk().isEmpty)
      })
    return recorder.lines.all
  }

  @Test("names each request without control characters, its status, and the code of its problem")
  func requests() async throws {
    let read = "debug GET /hello?a=%20b: 200 [:]"
    let lines = try await Self.lines(from: .debug).filter { !$0.contains("libmicrohttpd") }
    #expect(
      lines == [
        read, read, read, read,
        "debug HEAD /hello: 304 [:]",
        "debug POST /echo: 200 [:]",
        "debug GET /nothing: 404 [\"code\": not-found]",
        "debug GET a malformed target: 400 [\"code\": bad-target]",
        "debug a request with another method /hello: 501 [\"code\": not-implemented]",
        "debug POST /echo: 413 [\"code\": body-too-large]",
        "debug GET /stream: 200 [:]",
      ])
  }

  @Test("has no session, neither of a target nor of a reply that libmicrohttpd cannot send")
  func sessions() async throws {
    let recorder = LogRecorder(.debug)
    let lot = StreamLot<QueueSource>()
    try await withServer(
      logger: Logger(label: "test") { _ in recorder },
      routes: { router in
        router.stream(to: lot, at: "/streams/{key}") { QueueSource($0) }
        router.get("/faults/{key}") { _ in
          Response(status: .internalServerError, fields: [:], body: [], fault: "a fault")
        }
      },
      client: { port in
        let client = try SocketClient(port: port)
        #expect(try client.get("/faults/1@secret").status == 500)
        #expect(try client.get("/now?screen=form/1%40secret&since=1").status == 200)
        #expect(try client.get("/form/1%2540secret").status == 404)
        // A piece that is pushed as the client leaves is mostly sent before the server notices that.
        for _ in 0..<100 where !recorder.lines.all.contains(where: Self.isOfLibrary) {
          let client = try SocketClient(port: port)
          try client.send("GET /streams/1@secret HTTP/1.1\r\nHost: localhost\r\n\r\n")
          #expect(try client.readHead().status == 200)
          let source = try lot.next()
          client.reset()
          source.push("a piece")
          try source.awaitEnd()
        }
      })
    let lines = recorder.lines.all
    #expect(lines.contains("debug GET /faults/1@…: 500 [:]"), "\(lines)")
    #expect(lines.contains { $0.hasPrefix("error") && $0.contains("/faults/1@…") }, "\(lines)")
    #expect(lines.contains("debug GET /now?screen=form/1@…: 200 [:]"), "\(lines)")
    #expect(lines.contains(where: Self.isOfLibrary), "\(lines)")
    #expect(!lines.contains { $0.contains("secret") }, "\(lines)")
  }

  /// Whether a line is what libmicrohttpd says of a request whose path has a session.
  private static func isOfLibrary(_ line: String) -> Bool {
    line.contains("libmicrohttpd") && line.contains("@…")
  }

  @Test("has nothing above the level debug")
  func level() async throws {
    #expect(try await Self.lines(from: .info) == [])
  }
}
