import HTTPTypes
import MicroHTTP
import TestSupport
import Testing

@Suite("A stream", .serialized)
struct StreamTests {
  /// Serves streams of pushed pieces while a client talks to the server.
  private func withStreams(
    _ configure: (inout ServerConfiguration) -> Void = { _ in },
    client: @escaping @Sendable (UInt16, StreamLot<QueueSource>) throws -> Void
  ) async throws {
    let lot = StreamLot<QueueSource>()
    try await withServer(configure) {
      $0.stream(to: lot) { QueueSource($0) }
    } client: { port in
      try client(port, lot)
    }
  }

  @Test("sends its head before the first piece, and each piece before the next")
  func order() async throws {
    try await withStreams { port, lot in
      let client = try SocketClient(port: port)
      try client.send(streamRequest)
      let head = try client.readHead()
      #expect(head.status == 200)
      #expect(head["content-type"] == "text/event-stream")
      #expect(head["cache-control"] == "no-store")
      #expect(head["transfer-encoding"] == "chunked")
      #expect(head["content-length"] == nil)
      let source = try lot.next()
      for number in 0..<100 {
        source.push("piece \(number)")
        #expect(try client.readChunk() == Array("piece \(number)".utf8))
      }
      for number in 0..<100 { source.push("more \(number)") }
      for number in 0..<100 { #expect(try client.readChunk() == Array("more \(number)".utf8)) }
      source.push(.end)
      #expect(try client.readChunk().isEmpty)
      try source.awaitEnd()
      #expect(source.ends == 1)
    }
  }

  @Test(
    "sends a piece of any size byte for byte",
    arguments: [0, 1, 2_000, 32 * 1024, 5 << 20], [4 * 1024, 32 * 1024])
  func size(size: Int, memory: Int) async throws {
    let block = (0..<65_536).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 8) }
    let bytes = Array(
      Array(repeating: block, count: size / block.count + 1).reduce(into: [], +=).prefix(size))
    try await withStreams({ $0.connectionMemory = memory }) { port, lot in
      let client = try SocketClient(port: port)
      try client.send(streamRequest)
      let source = try lot.next()
      let shared = Response(status: .accepted, body: bytes)
      for _ in 0..<2 { source.push(.send(shared)) }
      source.push("the rest")
      source.push(.end)
      #expect(try client.readReply().body == bytes + bytes + Array("the rest".utf8))
    }
  }

  @Test("gets a reply, if only 431, to a head of any size", arguments: ["/stream", "/now"])
  func largeHead(path: String) async throws {
    try await withStreams({ $0.connectionMemory = 4096 }) { port, _ in
      var statuses: [Int] = []
      for size in stride(from: 3_000, through: 4_200, by: 20) {
        let client = try SocketClient(port: port)
        let start = "GET \(path) HTTP/1.1\r\nHost: t\r\nX: "
        let value = String(repeating: "a", count: size - start.utf8.count - 4)
        try client.send(start + value + "\r\n\r\n")
        statuses.append(try client.readHead().status)
        client.close()
      }
      #expect(Set(statuses) == [200, 431])
      #expect(statuses == statuses.sorted())
    }
  }

  @Test("leaves the connection open for further requests, also pipelined ones")
  func keptAlive() async throws {
    try await withStreams { port, lot in
      let client = try SocketClient(port: port)
      for _ in 0..<3 {
        try client.send(streamRequest + "GET /now HTTP/1.1\r\nHost: t\r\n\r\n" + streamRequest)
        let first = try lot.next()
        #expect(lot.isEmpty)
        first.push("first")
        first.push(.end)
        #expect(try client.readReply().text == "first")
        #expect(try client.readReply().text == "now")
        let second = try lot.next()
        second.push(.end)
        #expect(try client.readReply().body.isEmpty)
        #expect(try client.get("/now").text == "now")
      }
    }
  }

  @Test("can end before its first piece, and be signalled after its end")
  func empty() async throws {
    let over = StreamLot<QueueSource>()
    try await withServer(routes: {
      $0.stream(to: over) { signal in
        let source = QueueSource(signal)
        source.push(.end)
        return source
      }
    }) { port in
      let client = try SocketClient(port: port)
      try client.send(streamRequest)
      #expect(try client.readReply().body.isEmpty)
      let source = try over.next()
      try source.awaitEnd()
      let asked = source.asked
      for _ in 0..<1_000 { source.signal.raise() }
      #expect(try client.get("/now").text == "now")
      #expect(source.asked == asked)
      #expect(source.ends == 1)
    }
  }

  @Test("answers HEAD with its fields without being opened")
  func head() async throws {
    try await withStreams { port, lot in
      let client = try SocketClient(port: port)
      for _ in 0..<2 {
        let reply = try client.request("HEAD", "/stream")
        #expect(reply.status == 200)
        #expect(reply["content-type"] == "text/event-stream")
        #expect(reply["cache-control"] == "no-store")
        #expect(try client.get("/now").text == "now")
      }
      #expect(lot.isEmpty)
    }
  }

  @Test("ends with the connection for a client that speaks HTTP/1.0")
  func oldClient() async throws {
    let bytes = [UInt8](repeating: 0x78, count: 1 << 20)
    try await withStreams { port, lot in
      let client = try SocketClient(port: port)
      try client.send("GET /stream HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
      let head = try client.readHead()
      #expect(head.status == 200)
      #expect(head["transfer-encoding"] == nil)
      #expect(head["connection"] == "close")
      let source = try lot.next()
      source.push("first")
      #expect(try client.read(5) == Array("first".utf8))
      source.push(.send(Response(status: .ok, body: bytes)))
      source.push(.end)
      #expect(try client.readToEnd() == bytes)
      try source.awaitEnd()
      #expect(source.ends == 1)
    }
  }

  @Test("becomes a problem, without being opened, if its fields are too large")
  func largeFields() async throws {
    try await withServer(routes: { router in
      router.route(.get, "/stream") { _ in
        .stream(fields: [.eTag: String(repeating: "x", count: 9_000)]) { signal in
          Issue.record("the stream was opened")
          return QueueSource(signal)
        }
      }
    }) { port in
      let client = try SocketClient(port: port)
      #expect(try client.get("/stream").text.contains(#""code":"reply-fields-too-large""#))
    }
  }

  @Test("is collected up to the first wait by a router without a connection")
  func router() async throws {
    let lot = StreamLot<QueueSource>()
    var router = Router()
    router.stream(to: lot) { signal in
      let source = QueueSource(signal)
      for text in ["one ", "two"] { source.push(text) }
      return source
    }
    let reply = await router.respond(to: Request(method: .get, target: "/stream"))
    #expect(reply.status == .ok)
    #expect(reply.fields[.contentType] == "text/event-stream")
    #expect(reply.text == "one two")
    let source = try lot.next()
    #expect(source.ends == 1)
    source.signal.raise()
    guard case .stream = router.reply(to: Request(method: .get, target: "/stream")) else {
      Issue.record("the reply is no stream")
      return
    }
    #expect(lot.isEmpty)
  }
}
