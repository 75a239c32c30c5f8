import HTTPTypes
import MicroHTTP
import TestSupport
import Testing

@Suite("The memory for request bodies", .serialized)
struct BodyMemoryTests {
  private static let size = 100_000

  /// The number of incomplete bodies that fit into a memory of 1 MB.
  ///
  /// A body of unknown size has up to twice the memory that it needs. How much depends on the pieces
  /// in which it arrives, so the number differs from one attempt to the next.
  private static let fitting = 5...10

  /// The head of a request with a declared or chunked body, and the body without its last byte.
  private static func heldBack(chunked: Bool) -> String {
    let framing =
      chunked
      ? "Transfer-Encoding: chunked\r\n\r\n\(String(size, radix: 16))\r\n"
      : "Content-Length: \(size)\r\n\r\n"
    return "POST /echo HTTP/1.1\r\nHost: t\r\n\(framing)\(String(repeating: "x", count: size - 1))"
  }

  /// Sends incomplete bodies until one is refused.
  private static func fill(
    _ port: UInt16, chunked: Bool
  ) throws -> (held: [SocketClient], refused: SocketClient, reply: HTTPReply) {
    var held: [SocketClient] = []
    let other = try SocketClient(port: port)
    for _ in 0..<100 {
      let client = try SocketClient(port: port)
      try client.send(heldBack(chunked: chunked))
      // In each turn the thread reads a part of the bytes. It has read them all, or refused the request, after these.
      for _ in 1...30 { _ = try other.get("/hello") }
      guard let reply = try refusal(client) else {
        held.append(client)
        continue
      }
      // What one that was refused has given back may not be enough for one that came before it.
      return (try held.filter { try refusal($0) == nil }, client, reply)
    }
    throw LawViolation("100 bodies were taken")
  }

  /// Returns the reply to an incomplete request, nil if there is none.
  private static func refusal(_ client: SocketClient) throws(SocketFailure) -> HTTPReply? {
    client.deadline = .milliseconds(1)
    defer { client.deadline = patience }
    do throws(SocketFailure) {
      try client.awaitArrival()
    } catch .deadline {
      return nil
    }
    // The rest of it may come later than its first bytes.
    client.deadline = patience
    return try client.readReply()
  }

  @Test(
    "is shared by all requests; one that finds none gets a 503 and can retry",
    arguments: [false, true])
  func limit(chunked: Bool) async throws {
    try await withServer({ $0.bodyMemoryLimit = 1_000_000 }) { port in
      let (held, refused, reply) = try Self.fill(port, chunked: chunked)
      #expect(Self.fitting.contains(held.count))
      #expect(reply.status == 503)
      #expect(reply["retry-after"] == "1")
      #expect(reply["connection"] == "close")
      #expect(reply["content-type"] == "application/problem+json")
      #expect(reply.text.contains(#""code":"too-many-bodies""#))
      #expect(try refused.readToEnd().isEmpty)

      // Small bodies are not counted, and the held requests are served when they are complete.
      let other = try SocketClient(port: port)
      #expect(try other.request("POST", "/echo", body: "small").text == "small")
      for client in held {
        try client.send(chunked ? "x\r\n0\r\n\r\n" : "x")
        #expect(try client.readReply().body.count == Self.size)
      }
      let (again, _, _) = try Self.fill(port, chunked: chunked)
      #expect(Self.fitting.contains(again.count))
    }
  }

  @Test("refuses a body by its declared size before any of it has come")
  func declared() async throws {
    try await withServer({ $0.bodyMemoryLimit = 10_000 }) { port in
      let client = try SocketClient(port: port)
      try client.send("POST /echo HTTP/1.1\r\nHost: t\r\nContent-Length: 100000\r\n\r\n")
      let reply = try client.readReply()
      #expect(reply.status == 503)
      #expect(reply.text.contains(#""code":"too-many-bodies""#))
    }
  }

  @Test("is released when clients disconnect in the middle of a body", arguments: [false, true])
  func left(chunked: Bool) async throws {
    try await withServer({ $0.bodyMemoryLimit = 1_000_000 }) { port in
      let (held, _, _) = try Self.fill(port, chunked: chunked)
      for client in held { client.reset() }
      let (again, _, _) = try Self.fill(port, chunked: chunked)
      #expect(Self.fitting.contains(again.count))
    }
  }

  @Test("is released by a waiting request that no longer needs its body")
  func parked() async throws {
    let lot = ParkingLot()
    try await withServer {
      $0.bodyMemoryLimit = 1_000_000
    } routes: { router in
      router.addTestRoutes()
      router.route(.post, "/park") { _ in .later { lot.add($0) } }
    } client: { port in
      let body = String(repeating: "x", count: 600_000)
      let clients = try (0..<5).map { _ in
        let client = try SocketClient(port: port)
        try client.send(
          "POST /park HTTP/1.1\r\nHost: t\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
        try lot.awaitArrival()
        return client
      }
      for responder in lot.takeAll() { responder.respond(Response(status: .noContent)) }
      for client in clients { #expect(try client.readReply().status == 204) }
    }
  }
}
