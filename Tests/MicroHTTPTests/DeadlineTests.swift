import HTTPTypes
import MicroHTTP
import TestSupport
import Testing

@Suite("A deadline", .serialized)
struct DeadlineTests {
  @Test(
    "closes a connection whose head never ends, even if bytes keep coming",
    arguments: [("", "x"), ("GET /hello HTTP/1.1\r\nHost: t\r\n", "X: y\r\n")])
  func header(start: String, piece: String) async throws {
    try await withServer({ $0.headDeadline = .milliseconds(150) }) { port in
      try drip(piece, after: start, into: SocketClient(port: port))
    }
  }

  @Test("of the head applies to a kept-alive connection, too")
  func laterHeader() async throws {
    try await withServer({ $0.headDeadline = .milliseconds(150) }) { port in
      try drip("X: y\r\n", after: "GET /hello HTTP/1.1\r\nHost: t\r\n", into: kept(port))
    }
  }

  @Test("closes a connection whose body never ends")
  func body() async throws {
    try await withServer({ $0.bodyDeadline = .milliseconds(150) }) { port in
      let head = "POST /echo HTTP/1.1\r\nHost: t\r\nContent-Length: 100000\r\n\r\n"
      try drip("x", after: head, into: SocketClient(port: port))
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
      // The deadline passes before a request on another connection is answered, which must not wait.
      let other = try SocketClient(port: port)
      #expect(try other.request("HEAD", "/large")["content-length"] == String(size))
      try client.awaitHangUp()
      #expect(try client.readToEnd().count < size)
    }
  }

  @Test("closes an idle connection")
  func idle() async throws {
    try await withServer({ $0.idleTimeout = .milliseconds(100) }) { port in
      let client = try SocketClient(port: port)
      #expect(try client.get("/hello").status == 200)
      #expect(try client.readToEnd().isEmpty)
    }
  }

  @Test("does not keep an idle connection whose client has sent its end together with a request")
  func endWithRequest() async throws {
    try await withServer({
      $0.idleTimeout = .seconds(3600)
      $0.abandonmentSweep = .milliseconds(40)
    }) { port in
      // The thread may read some of the requests before the end comes.
      let clients = try (0..<20).map { _ in
        let client = try SocketClient(port: port)
        try client.send("GET /hello HTTP/1.1\r\nHost: t\r\n\r\n")
        client.finishSending()
        return client
      }
      for client in clients {
        #expect(try client.readReply().text == "hello")
        #expect(try client.readToEnd().isEmpty)
      }
    }
  }

  @Test(
    "does not keep a connection whose client has sent its end together with a part of a request",
    arguments: ["Content-Length: 5\r\n\r\n", "Content-Length: 5\r\n\r\nhe", "Content-Length: "])
  func endWithPart(rest: String) async throws {
    try await withServer({ $0.abandonmentSweep = .milliseconds(40) }) { port in
      // The thread may read some of the parts before the end comes.
      let clients = try (0..<20).map { _ in
        let client = try SocketClient(port: port)
        try client.send("POST /echo HTTP/1.1\r\nHost: t\r\n\(rest)")
        client.finishSending()
        return client
      }
      for client in clients { #expect(try client.readToEnd().isEmpty) }
    }
  }

  @Test("is extended while the server is blocked: requests received meanwhile are answered")
  func heldUp() async throws {
    // A machine that is so slow that a deadline may be over before the block tries again with longer ones.
    for exponent in 0...7 {
      if try await Self.isExtended(.milliseconds(400 << exponent)) { return }
    }
    Issue.record("the block always comes too late")
  }

  /// Returns `false` if the block came too late.
  private static func isExtended(_ deadline: Duration) async throws -> Bool {
    let route = BlockingRoute()
    return try await withServer({
      $0.idleTimeout = deadline
      $0.headDeadline = deadline
      $0.bodyDeadline = deadline
      // In each turn of the thread the clock of the deadlines goes on by no more than a quarter of this.
      $0.abandonmentSweep = .milliseconds(40)
    }) {
      $0.addTestRoutes()
      route.add(to: &$0)
    } client: { port in
      let get = "GET /hello HTTP/1.1\r\nHost: t\r\n\r\n"
      let post = "POST /echo HTTP/1.1\r\nHost: t\r\nContent-Length: 5\r\n\r\n"
      let long = String(repeating: "x", count: 200_000)
      let longPost = post.replacing("5", with: "200000")
      // The bytes sent before and during the block, and the reply: for a new connection, for one in
      // the middle of a head or body whose rest takes one turn of the thread or several, and for a
      // kept one.
      let kinds = [
        ("", get, "hello"), ("GET /hello HTTP/1.1\r\n", "Host: t\r\n\r\n", "hello"),
        (post + "he", "llo", "hello"), (longPost + "x", String(long.dropLast()), long),
        (get, get, "hello"),
      ]
      let requests = (1...5).flatMap { _ in kinds }
      let start = ContinuousClock.now
      var isBlocked = false
      do {
        let holder = try SocketClient(port: port)
        // All begin at once, so that no deadline is over before the last of them has begun.
        let clients = try route.hold([holder]) {
          try requests.map { before, _, _ in
            let client = try SocketClient(port: port)
            try client.send(before)
            return client
          }
        }
        for (client, (before, _, _)) in zip(clients, requests) where before == get {
          #expect(try client.readReply().text == "hello")
        }
        // When this is answered, all earlier bytes were read.
        #expect(try holder.get("/hello").status == 200)
        try route.hold([holder]) {
          isBlocked = ContinuousClock.now - start < deadline / 2
          guard isBlocked else { throw ParkingLot.Late() }
          for (client, (_, meanwhile, _)) in zip(clients, requests) { try client.send(meanwhile) }
          // Longer than every deadline.
          clients[0].deadline = deadline * 5 / 4
          #expect(throws: SocketFailure.deadline(read: "")) { try clients[0].readReply() }
          clients[0].deadline = patience
        }
        for (client, (before, _, text)) in zip(clients, requests) {
          #expect(try client.readReply().text == text, "after \(before)")
        }
        return true
      } catch {
        if isBlocked || ContinuousClock.now - start < deadline / 2 { throw error }
        return false
      }
    }
  }
}

/// Connects, and gets one reply. If this comes too late for the deadline of the head, tries again.
private func kept(_ port: UInt16) throws -> SocketClient {
  let end = ContinuousClock.now + patience
  while true {
    do {
      let client = try SocketClient(port: port)
      let reply = try client.get("/hello")
      #expect(reply.status == 200)
      return client
    } catch {
      if ContinuousClock.now > end { throw error }
    }
  }
}

/// Sends a start, and then a piece again and again until the server closes the connection.
private func drip(_ piece: String, after start: String, into client: SocketClient) throws {
  let end = ContinuousClock.now + patience
  client.deadline = .milliseconds(20)
  var next = start
  while ContinuousClock.now < end {
    do throws(SocketFailure) {
      try client.send(next)
      next = piece
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
