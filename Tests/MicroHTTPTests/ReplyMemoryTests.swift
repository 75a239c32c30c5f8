import HTTPTypes
import MicroHTTP
import TestSupport
import Testing

@Suite("The memory for replies that clients have not read", .serialized)
struct ReplyMemoryTests {
  /// More than the system keeps of a reply.
  private static let size = 2_000_000
  /// Room for two replies.
  private static let limit = 5_000_000

  private static func routes(_ router: inout Router) {
    let shared = Response(status: .ok, body: [UInt8](repeating: 0x78, count: size))
    router.get("/own") { _ in Response(status: .ok, body: [UInt8](repeating: 0x78, count: size)) }
    router.get("/shared") { _ in shared }
    router.get("/small") { _ in Response(status: .ok, body: Array("small".utf8)) }
    router.on(.post, "/done") { _ in
      Response(status: .ok, body: [UInt8](repeating: 0x78, count: size))
    }
  }

  /// Sends a request, and reads the head of the reply alone.
  private static func ask(
    _ path: String, method: String = "GET", _ port: UInt16
  ) throws -> (client: SocketClient, status: Int) {
    let client = try SocketClient(port: port, receiveBuffer: 4_096)
    let length = method == "GET" ? "" : "Content-Length: 0\r\n"
    try client.send("\(method) \(path) HTTP/1.1\r\nHost: t\r\n\(length)\r\n")
    return (client, try client.readHead().status)
  }

  @Test("is shared by all replies; a read that finds none gets a 503 and can retry")
  func limit() async throws {
    try await withServer({ $0.replyMemoryLimit = Self.limit }, routes: Self.routes) { port in
      var held = try (0..<2).map { _ in try Self.ask("/own", port) }
      #expect(held.map(\.status) == [200, 200])
      let refused = try SocketClient(port: port)
      let reply = try refused.get("/own")
      #expect(reply.status == 503)
      #expect(reply["retry-after"] == "1")
      #expect(reply.text.contains(#""code":"too-many-replies""#))
      #expect(try refused.get("/small").text == "small")

      // What was done is answered.
      held.append(try Self.ask("/done", method: "POST", port))
      #expect(held[2].status == 200)

      // Room comes back whether a client reads the rest or leaves.
      held[0].client.close()
      for (client, _) in held[1...] {
        _ = try client.read(Self.size)
        #expect(try client.get("/small").text == "small")
      }
      let (other, status) = try Self.ask("/own", port)
      #expect(status == 200)
      var attempts = 0
      while attempts < 1_000, try refused.get("/own").status == 503 { attempts += 1 }
      #expect(attempts < 1_000)
      other.close()
    }
  }

  @Test("has as much again for replies to what was done, and then closes connections")
  func done() async throws {
    try await withServer({ $0.replyMemoryLimit = Self.limit }, routes: Self.routes) { port in
      let held = try (0..<5).map { _ in try Self.ask("/done", method: "POST", port) }
      #expect(held.allSatisfy { $0.status == 200 })
      let last = try SocketClient(port: port)
      try last.send("POST /done HTTP/1.1\r\nHost: t\r\nContent-Length: 0\r\n\r\n")
      #expect(try last.readToEnd().isEmpty)
      #expect(try SocketClient(port: port).get("/small").text == "small")
    }
  }

  @Test("has a reply once that many clients do not read")
  func sharedReply() async throws {
    try await withServer({ $0.replyMemoryLimit = Self.limit }, routes: Self.routes) { port in
      let held = try (0..<10).map { _ in try Self.ask("/shared", port) }
      #expect(held.allSatisfy { $0.status == 200 })
      #expect(try Self.ask("/own", port).status == 200)
      for (client, _) in held { client.close() }
    }
  }

  @Test("has room again after a stream that its client has left in the middle of a piece")
  func unreadPiece() async throws {
    let lot = StreamLot<QueueSource>()
    // It stays, so that no reply has its address.
    let piece = Response(status: .ok, body: [UInt8](repeating: 0x78, count: 2 * Self.size))
    try await withServer({ $0.replyMemoryLimit = Self.limit }) { router in
      Self.routes(&router)
      router.stream(to: lot) { QueueSource($0) }
    } client: { port in
      let client = try SocketClient(port: port, receiveBuffer: 4_096)
      try client.send(streamRequest)
      let source = try lot.next()
      source.push(.send(piece))
      _ = try client.readHead()
      _ = try client.read(10_000)
      client.reset()
      try source.awaitEnd()
      #expect(try Self.ask("/own", port).status == 200)
    }
    #expect(piece.bodySize == 2 * Self.size)
  }

  @Test("has room again after each reply that was read")
  func readReplies() async throws {
    // They stay, so that none has the address of one before.
    let replies = (0..<4).map { _ in
      Response(status: .ok, body: [UInt8](repeating: 0x78, count: Self.size))
    }
    try await withServer({ $0.replyMemoryLimit = Self.limit }) { router in
      for (number, reply) in replies.enumerated() { router.get("/\(number)") { _ in reply } }
    } client: { port in
      let client = try SocketClient(port: port)
      for number in replies.indices { #expect(try client.get("/\(number)").status == 200) }
    }
  }

  @Test("ends a stream before a piece for which there is no room")
  func stream() async throws {
    let lot = StreamLot<QueueSource>()
    try await withServer({ $0.replyMemoryLimit = Self.limit }) { router in
      Self.routes(&router)
      router.stream(to: lot) { QueueSource($0) }
    } client: { port in
      let client = try SocketClient(port: port)
      try client.send(streamRequest)
      let source = try lot.next()
      _ = try client.readHead()
      source.push(.send(Response(status: .ok, body: [UInt8](repeating: 0x78, count: Self.size))))
      var rest = Self.size
      while rest > 0 { rest -= try client.readChunk().count }
      let held = try (0..<2).map { _ in try Self.ask("/own", port) }
      #expect(held.allSatisfy { $0.status == 200 })
      source.push(.send(Response(status: .ok, body: [UInt8](repeating: 0x78, count: Self.size))))
      #expect(try client.readChunk().isEmpty)
      try source.awaitEnd()
    }
  }
}
