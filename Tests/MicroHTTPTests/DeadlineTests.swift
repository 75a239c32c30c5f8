import HTTPTypes
import MicroHTTP
import TestSupport
import Testing

@Suite("A deadline", .serialized)
struct DeadlineTests {
  @Test(
    "closes a connection whose head never ends, however often bytes come",
    arguments: [("", "x"), ("GET /hello HTTP/1.1\r\nHost: t\r\n", "X: y\r\n")])
  func header(start: String, piece: String) async throws {
    try await withServer({ $0.headerDeadline = .milliseconds(150) }) { port in
      let client = try SocketClient(port: port)
      if !start.isEmpty { try client.send(start) }
      try drip(piece, into: client)
    }
  }

  @Test("of the head counts on a kept connection, too")
  func laterHeader() async throws {
    try await withServer({ $0.headerDeadline = .milliseconds(150) }) { port in
      let client = try SocketClient(port: port)
      #expect(try client.get("/hello").status == 200)
      try client.send("GET /hello HTTP/1.1\r\nHost: t\r\n")
      try drip("X: y\r\n", into: client)
    }
  }

  @Test("closes a connection whose body never ends")
  func body() async throws {
    try await withServer({ $0.bodyDeadline = .milliseconds(150) }) { port in
      let client = try SocketClient(port: port)
      try client.send("POST /echo HTTP/1.1\r\nHost: t\r\nContent-Length: 100000\r\n\r\n")
      try drip("x", into: client)
    }
  }

  @Test("cuts a reply that its client does not read")
  func reply() async throws {
    let size = 40 * 1024 * 1024
    let large = Response(status: .ok, body: [UInt8](repeating: 0x78, count: size))
    try await withServer({
      $0.replyDeadline = .milliseconds(10)
    }) { router in
      router.get("/large") { _ in large }
    } client: { port in
      let client = try SocketClient(port: port, receiveBuffer: 4_096)
      try client.send("GET /large HTTP/1.1\r\nHost: t\r\n\r\n")
      // The end of this connection is seen by asking on another one, which must not wait.
      let other = try SocketClient(port: port, deadline: .seconds(1))
      #expect(try other.request("HEAD", "/large")["content-length"] == String(size))
      try client.awaitHangUp()
      #expect(try client.readToEnd().count < size)
    }
  }

  @Test("closes an idle connection")
  func idle() async throws {
    try await withServer({ $0.idleTimeout = .seconds(1) }) { port in
      let client = try SocketClient(port: port)
      #expect(try client.get("/hello").status == 200)
      #expect(try client.readToEnd().isEmpty)
    }
  }

  @Test("stands still while the server is held up: what came meanwhile is answered, however late")
  func heldUp() async throws {
    let route = BlockingRoute()
    try await withServer({
      $0.idleTimeout = .milliseconds(400)
      $0.headerDeadline = .milliseconds(400)
      $0.bodyDeadline = .milliseconds(400)
    }) {
      $0.addTestRoutes()
      route.add(to: &$0)
    } client: { port in
      let get = "GET /hello HTTP/1.1\r\nHost: t\r\n\r\n"
      let post = "POST /echo HTTP/1.1\r\nHost: t\r\nContent-Length: 5\r\n\r\n"
      // What is sent before and meanwhile: a new connection, one whose head or body has begun, a kept one.
      let kinds = [
        ("", get), ("GET /hello HTTP/1.1\r\n", "Host: t\r\n\r\n"), (post + "he", "llo"), (get, get),
      ]
      let requests = (1...5).flatMap { _ in kinds }
      let holder = try SocketClient(port: port)
      let clients = try requests.map { before, _ in
        let client = try SocketClient(port: port)
        try client.send(before)
        if before == get { #expect(try client.readReply().text == "hello") }
        return client
      }
      // Once this is answered, all that was sent before is read.
      #expect(try holder.get("/hello").status == 200)
      try route.hold([holder]) {
        for (client, (_, meanwhile)) in zip(clients, requests) { try client.send(meanwhile) }
        // Longer than each of the deadlines.
        clients[0].deadline = .seconds(1)
        #expect(throws: SocketFailure.deadline(read: "")) { try clients[0].readReply() }
        clients[0].deadline = .seconds(30)
      }
      for (client, (before, _)) in zip(clients, requests) {
        #expect(try client.readReply().text == "hello", "after \(before)")
      }
    }
  }
}

/// Sends a piece again and again until the server closes the connection.
private func drip(_ piece: String, into client: SocketClient) throws {
  let start = ContinuousClock.now
  client.deadline = .milliseconds(20)
  while ContinuousClock.now - start < .seconds(30) {
    do throws(SocketFailure) {
      try client.send(piece)
      #expect(try client.readToEnd().isEmpty)
      return
    } catch {
      if case .deadline = error { continue }
      #expect(error == .reset)
      return
    }
  }
  Issue.record("the connection is still open")
}
