import HTTPTypes
import MicroHTTP
import Synchronization
import TestSupport
import Testing

@Suite("A limit", .serialized)
struct LimitTests {
  @Test("of the target is the greatest length that is served")
  func target() async throws {
    try await withServer { port in
      let client = try SocketClient(port: port)
      let fits = "/users/" + String(repeating: "x", count: 8 * 1024 - 7)
      #expect(try client.get(fits).status == 200)
      let reply = try client.get(fits + "x")
      #expect(reply.status == 414)
      #expect(reply.text.contains(#""code":"target-too-long""#))
      #expect(try client.readToEnd().isEmpty)
    }
  }

  @Test("of the size and the number of header fields is the greatest that is served")
  func head() async throws {
    try await withServer { port in
      let client = try SocketClient(port: port)
      // "Host: localhost" and "X: " take 17 and 5 bytes with their line ends.
      let value = String(repeating: "x", count: 16 * 1024 - 17 - 5)
      #expect(try client.get("/hello", fields: ["X: " + value]).status == 200)
      #expect(try client.get("/hello", fields: ["X: x" + value]).status == 431)
      let other = try SocketClient(port: port)
      let fields = (1...99).map { "X\($0): y" }
      #expect(try other.get("/hello", fields: fields).status == 200)
      let reply = try other.get("/hello", fields: fields + ["X: y"])
      #expect(reply.status == 431)
      #expect(reply.text.contains(#""code":"fields-too-large""#))
    }
  }

  @Test(
    "of the memory of a connection refuses a change before it is done, not when it is answered",
    arguments: ["field", "query"])
  func memoryOfTheReply(place: String) async throws {
    let changes = Mutex(0)
    try await withServer({ $0.connectionMemory = 4096 }) { router in
      router.on(.post, "/change") { _ in
        changes.withLock { $0 += 1 }
        return Response(
          status: .ok, fields: [.location: String(repeating: "x", count: 800)], body: [])
      }
    } client: { port in
      var statuses: Set<Int> = []
      for size in stride(from: 2_000, through: 4_000, by: 10) {
        let before = changes.withLock { $0 }
        let client = try SocketClient(port: port)
        // Each argument of a query takes as much as 66 bytes of a field.
        let query = place == "query" ? "?" + String(repeating: "a&", count: size / 66) : ""
        let field = "X: " + String(repeating: "x", count: query.isEmpty ? size : 1)
        let reply = try client.request("POST", "/change" + query, fields: [field], body: "x")
        statuses.insert(reply.status)
        #expect(changes.withLock { $0 } - before == (reply.status == 200 ? 1 : 0))
      }
      #expect(statuses == [200, 431])
    }
  }

  @Test("of a declared body refuses it before it is read")
  func declaredBody() async throws {
    try await withServer({ $0.bodySizeLimit = 10 }) { port in
      let client = try SocketClient(port: port)
      #expect(try client.request("POST", "/echo", body: "0123456789").text == "0123456789")
      try client.send("POST /echo HTTP/1.1\r\nHost: t\r\nContent-Length: 11\r\n\r\n")
      let reply = try client.readReply()
      #expect(reply.status == 413)
      #expect(reply.text.contains(#""code":"body-too-large""#))
      #expect(try client.readToEnd().isEmpty)
    }
  }

  @Test("of a chunked body is enforced before its end")
  func chunkedBody() async throws {
    try await withServer({ $0.bodySizeLimit = 10 }) { port in
      let client = try SocketClient(port: port)
      try client.send(
        "POST /echo HTTP/1.1\r\nHost: t\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n01234\r\n")
      try client.send("6\r\n012345\r\n")
      let reply = try client.readReply()
      #expect(reply.status == 413)
      #expect(reply["content-type"] == "application/problem+json")
      #expect(reply["connection"] == "close")
      #expect(reply.text.contains(#""instance":"/echo""#))
      #expect(try client.readToEnd().isEmpty)
      try client.send("0\r\n\r\nGET /hello HTTP/1.1\r\nHost: t\r\n\r\n")
      #expect(try client.readToEnd().isEmpty)
    }
  }

  @Test("of a chunked body ends a client that never stops sending")
  func endlessBody() async throws {
    try await withServer { port in
      let client = try SocketClient(port: port)
      try client.send("POST /echo HTTP/1.1\r\nHost: t\r\nTransfer-Encoding: chunked\r\n\r\n")
      let chunk = "10000\r\n" + String(repeating: "x", count: 0x10000) + "\r\n"
      #expect(throws: SocketFailure.reset) { for _ in 0..<1_000 { try client.send(chunk) } }
    }
  }

  @Test("of connections makes further clients wait")
  func connections() async throws {
    try await withServer({ $0.connectionLimit = 1 }) { port in
      let first = try SocketClient(port: port)
      #expect(try first.get("/hello").status == 200)
      let second = try SocketClient(port: port)
      try second.send("GET /hello HTTP/1.1\r\nHost: t\r\n\r\n")
      first.close()
      #expect(try second.readReply().status == 200)
    }
  }

  @Test("of connections closes the one that has been idle for longest if a client waits")
  func idleConnections() async throws {
    let lot = ParkingLot()
    try await withServer({
      $0.connectionLimit = 4
      $0.idleTimeout = .seconds(3600)
    }) { router in
      router.addTestRoutes()
      router.route(.get, "/later") { _ in .later { lot.add($0) } }
    } client: { port in
      let clients = try (1...4).map { _ in try SocketClient(port: port) }
      // The first one waits for its reply, the second one has sent nothing, and the third one was idle before the fourth.
      try clients[0].send("GET /later HTTP/1.1\r\nHost: t\r\n\r\n")
      let responder = try lot.next()
      #expect(try clients[3].get("/hello").status == 200)
      #expect(try clients[2].get("/hello").status == 200)
      // The clock of the deadlines has gone on by then.
      let start = ContinuousClock.now
      repeat {
        #expect(try clients[3].get("/hello").status == 200)
      } while ContinuousClock.now - start < .milliseconds(20)
      let next = try SocketClient(port: port)
      #expect(try next.get("/hello").status == 200)
      #expect(try clients[2].readToEnd().isEmpty)
      #expect(try clients[3].get("/hello").status == 200)
      #expect(try clients[1].get("/hello").status == 200)
      responder.respond(Response(status: .ok, body: []))
      #expect(try clients[0].readReply().status == 200)
    }
  }

  @Test("of connections is that of all threads together, also if it is no multiple of theirs")
  func threads() async throws {
    try await withServer({
      $0.connectionLimit = 3
      $0.threads = 2
    }) { port in
      let clients = try (1...3).map { _ in try SocketClient(port: port) }
      for _ in 1...2 {
        for client in clients { #expect(try client.get("/hello").status == 200) }
      }
    }
  }

  @Test("of connections closes no idle one while no client waits")
  func fullServer() async throws {
    try await withServer({
      $0.connectionLimit = 2
      $0.abandonmentSweep = .milliseconds(20)
    }) { port in
      let idle = try SocketClient(port: port)
      #expect(try idle.get("/hello").status == 200)
      let busy = try SocketClient(port: port)
      let start = ContinuousClock.now
      repeat {
        #expect(try busy.get("/hello").status == 200)
      } while ContinuousClock.now - start < .milliseconds(50)
      #expect(try idle.get("/hello").status == 200)
    }
  }

  @Test("of connections closes none whose client has not received its reply")
  func unreadReply() async throws {
    let large = Response(status: .ok, body: [UInt8](repeating: 0x78, count: 32 * 1024))
    try await withServer({ $0.connectionLimit = 2 }) { router in
      router.addTestRoutes()
      router.get("/large") { _ in large }
    } client: { port in
      let slow = try SocketClient(port: port, receiveBuffer: 4_096)
      try slow.send("GET /large HTTP/1.1\r\nHost: t\r\n\r\n")
      let idle = try SocketClient(port: port)
      for _ in 1...3 { #expect(try idle.get("/hello").status == 200) }
      let next = try SocketClient(port: port)
      #expect(try next.get("/hello").status == 200)
      #expect(try idle.readToEnd().isEmpty)
      #expect(try slow.readReply().body.count == large.bodySize)
    }
  }
}
