import Glibc
import HTTPTypes
import MicroHTTP
import TestSupport
import Testing

@Suite("Starting and shutting down", .serialized)
struct ShutdownTests {
  private func makeServer(_ configuration: ServerConfiguration) throws -> Server {
    var router = Router()
    router.addTestRoutes()
    return try Server(configuration: configuration, router: router, logger: .silent)
  }

  @Test("completes a large reply in flight, and refuses new clients meanwhile")
  func largeReply() async throws {
    let size = 40 * 1024 * 1024
    let (server, port) = try startServer { router in
      let large = Response(status: .ok, body: [UInt8](repeating: 0x78, count: size))
      router.get("/large") { _ in large }
    }
    let lot = ParkingLot()
    async let read = SocketThread.run {
      let client = try SocketClient(port: port)
      try client.send("GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n")
      let head = try client.readHead()
      lot.noteArrival()
      try awaitRefusal(port)
      return (head.status, try client.read(size).count)
    }
    try await SocketThread.run { try lot.awaitArrival() }
    await server.shutdown(grace: patience)
    let (status, count) = try await read
    #expect(status == 200)
    #expect(count == size)
  }

  @Test("cuts a reply that outlasts the grace period")
  func grace() async throws {
    let (server, port) = try startServer { router in
      let large = Response(status: .ok, body: [UInt8](repeating: 0x78, count: 40 << 20))
      router.get("/large") { _ in large }
    }
    let client = try await SocketThread.run { () throws -> UncheckedClient in
      let client = try SocketClient(port: port)
      try client.send("GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n")
      _ = try client.readHead()
      return UncheckedClient(client)
    }
    await server.shutdown(grace: .milliseconds(50))
    let count = try await SocketThread.run { try client.value.readToEnd().count }
    #expect(count < 40 << 20)
  }

  @Test("answers parked requests with 503, and cancels their tasks")
  func parked() async throws {
    let lot = ParkingLot()
    let (server, port) = try startServer { router in
      router.park(on: lot)
      router.on(.get, "/task") { _ in
        lot.noteArrival()
        await lot.waitForCancellation()
        return Response(status: .ok)
      }
    }
    async let replies = SocketThread.run {
      let clients = try (0..<2).map { _ in try SocketClient(port: port) }
      try clients[0].send("GET /park HTTP/1.1\r\nHost: localhost\r\n\r\n")
      try clients[1].send("GET /task HTTP/1.1\r\nHost: localhost\r\n\r\n")
      return try clients.map { try $0.readReply() }
    }
    try await SocketThread.run {
      try lot.awaitArrival()
      try lot.awaitArrival()
    }
    await server.shutdown(grace: patience)
    for reply in try await replies {
      #expect(reply.status == 503)
      #expect(reply["retry-after"] == "1")
      #expect(reply.text.contains(#""code":"shutting-down""#))
    }
    #expect(server.statistics.requestsParked == 0)
    let responder = try #require(lot.takeAll().first)
    #expect(!responder.respond(Response(status: .ok)))
  }

  @Test("closes a connection after the reply that was in flight when it began")
  func openConnection() async throws {
    let size = 8 * 1024 * 1024
    let (server, port) = try startServer { router in
      let large = Response(status: .ok, body: [UInt8](repeating: 0x78, count: size))
      router.get("/large") { _ in large }
    }
    try await SocketThread.run {
      let client = try SocketClient(port: port)
      try client.send("GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n")
      #expect(try client.readHead()["connection"] == nil)
      server.beginDraining()
      #expect(try client.readToEnd().count == size)
    }
    await server.shutdown(grace: .seconds(2))
  }

  @Test("answers a request with 503 at once that ends only after it has begun")
  func endsLate() async throws {
    let lot = ParkingLot()
    let (server, port) = try startServer { router in
      router.park(on: lot)
      router.route(.post, "/park") { _ in .later { lot.add($0) } }
    }
    async let late = SocketThread.run {
      let client = try SocketClient(port: port)
      try client.send("POST /park HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\n\r\n")
      let parked = try SocketClient(port: port)
      try parked.send("GET /park HTTP/1.1\r\nHost: localhost\r\n\r\n")
      #expect(try parked.readReply().status == 503)
      // All that were parked are answered by now.
      try client.send("x")
      return try client.readReply()
    }
    try await SocketThread.run { try lot.awaitArrival() }
    await server.shutdown(grace: patience)
    let reply = try await late
    #expect(reply.status == 503)
    #expect(reply.text.contains(#""code":"shutting-down""#))
  }

  @Test("completes a parked request that may have changed something, and begins no other")
  func parkedChange() async throws {
    let lot = ParkingLot()
    let ready = ParkingLot()
    let (server, port) = try startServer { router in
      router.park(on: lot)
      router.route(.post, "/change") { _ in .later { lot.add($0) } }
    }
    async let statuses = SocketThread.run {
      let clients = try (0..<3).map { _ in try SocketClient(port: port) }
      let head = "POST /change HTTP/1.1\r\nHost: localhost\r\nContent-Length:"
      try clients[0].send("\(head) 0\r\n\r\n")
      let change = try lot.next()
      try clients[1].send("\(head) 1\r\n\r\n")
      try clients[2].send("GET /park HTTP/1.1\r\nHost: localhost\r\n\r\n")
      let read = try lot.next()
      ready.noteArrival()
      // All that change nothing are answered by then.
      let refused = try clients[2].readReply().status
      try clients[1].send("x")
      let late = try clients[1].readReply().status
      #expect(lot.takeAll().isEmpty)
      #expect(change.respond(Response(status: .created)))
      return withExtendedLifetime(read) { [refused, late] } + [try clients[0].readReply().status]
    }
    try await SocketThread.run { try ready.awaitArrival() }
    await server.shutdown(grace: .seconds(30))
    #expect(try await statuses == [503, 503, 201])
  }

  @Test("opens no stream for a request that ends only after it has begun")
  func streamLate() async throws {
    let lot = StreamLot<QueueSource>()
    let (server, port) = try startServer { router in
      router.addTestRoutes()
      router.route(.post, "/stream") { _ in .stream(fields: [:]) { lot.add(QueueSource($0)) } }
    }
    try await SocketThread.run {
      let client = try SocketClient(port: port)
      let accept = "Accept: text/event-stream\r\n"
      try client.send(
        "POST /stream HTTP/1.1\r\nHost: localhost\r\n\(accept)Content-Length: 1\r\n\r\n")
      #expect(try SocketClient(port: port).get("/hello").status == 200)
      server.beginDraining()
      try client.send("x")
      #expect(try client.readToEnd().isEmpty)
    }
    await server.shutdown(grace: .seconds(2))
    #expect(lot.isEmpty)
  }

  @Test("leaves no descriptor behind, 200 times")
  func descriptors() async throws {
    func cycle() async throws {
      let (server, port) = try startServer()
      let text = try await SocketThread.run { try SocketClient(port: port).get("/hello").text }
      #expect(text == "hello")
      await server.shutdown(grace: .seconds(1))
      await server.shutdown(grace: .seconds(1))
    }
    try await cycle()
    let before = OpenDescriptors.count()
    for _ in 0..<200 { try await cycle() }
    #expect(OpenDescriptors.count() <= before + 8)
  }

  @Test("can start again at once on the same port")
  func restart() async throws {
    // Keeps the port from other processes.
    let socket = try BoundSocket()
    defer { close(socket.descriptor) }
    let first = try makeServer(ServerConfiguration(host: "127.0.0.1", port: socket.port))
    let address = try first.start()
    #expect(address.url == "http://127.0.0.1:\(socket.port)")
    let client = try await SocketThread.run { () throws -> UncheckedClient in
      let client = try SocketClient(port: address.port)
      _ = try client.get("/hello")
      return UncheckedClient(client)
    }
    await first.shutdown(grace: .seconds(1))
    let second = try makeServer(ServerConfiguration(host: address.host, port: address.port))
    #expect(try second.start() == address)
    await second.shutdown(grace: .seconds(1))
    let rest = try await SocketThread.run { try client.value.readToEnd() }
    #expect(rest.isEmpty)
  }

  @Test("reports a port in use and a second start")
  func portInUse() async throws {
    // Keeps the port from other processes.
    let socket = try BoundSocket()
    defer { close(socket.descriptor) }
    let first = try makeServer(ServerConfiguration(host: "127.0.0.1", port: socket.port))
    let address = try first.start()
    #expect(throws: ServerError.alreadyStarted) { try first.start() }
    let configuration = ServerConfiguration(host: address.host, port: address.port)
    let second = try makeServer(configuration)
    let error = ServerError.addressInUse(host: "127.0.0.1", port: address.port)
    #expect(throws: error) { try second.start() }
    #expect(throws: error) { try configuration.checkAddress() }
    #expect(error.description == "port: \(address.port) on 127.0.0.1 is already in use")
    await second.shutdown(grace: .seconds(1))
    await first.shutdown(grace: .seconds(1))
    // The check leaves the address free.
    for _ in 1...2 { try configuration.checkAddress() }
    let third = try makeServer(configuration)
    #expect(try third.start() == address)
    await third.shutdown(grace: .seconds(1))
  }

  @Test(
    "refuses bad addresses and options", arguments: ["", "example.org", "1.2.3", "127.0.0.1:80"])
  func badAddress(host: String) throws {
    #expect(throws: ServerError.invalidAddress(host)) {
      try makeServer(ServerConfiguration(host: host, port: 0))
    }
    var configuration = ServerConfiguration()
    configuration.threads = 0
    #expect(throws: ServerError.self) { try makeServer(configuration) }
    configuration = ServerConfiguration()
    let day = Duration.seconds(24 * 3_600)
    for timeout in [.zero, .microseconds(999), day + .nanoseconds(1)] {
      configuration.idleTimeout = timeout
      #expect(throws: ServerError.self) { try makeServer(configuration) }
    }
    configuration.idleTimeout = day
    _ = try makeServer(configuration)
    #expect(throws: ServerError.invalidAddress(host)) {
      try ServerConfiguration(host: host, port: 0).checkAddress()
    }
    let foreign = try makeServer(ServerConfiguration(host: "192.0.2.1", port: 0))
    #expect(throws: ServerError.addressNotAvailable(host: "192.0.2.1")) { try foreign.start() }
  }

  @Test("happens by itself when the last reference is released")
  func released() async throws {
    // Keeps the port from other processes.
    let socket = try BoundSocket()
    defer { close(socket.descriptor) }
    let configuration = ServerConfiguration(host: "127.0.0.1", port: socket.port)
    let port = try makeServer(configuration).start().port
    try await SocketThread.run { try awaitRefusal(port) }
  }
}

/// A client that is used by one thread at a time.
private struct UncheckedClient: @unchecked Sendable {
  let value: SocketClient

  init(_ value: SocketClient) { self.value = value }
}

/// Connects until it is refused.
private func awaitRefusal(_ port: UInt16) throws {
  let start = ContinuousClock.now
  while ContinuousClock.now - start < patience {
    do throws(SocketFailure) {
      _ = try SocketClient(port: port)
    } catch {
      return
    }
  }
  Issue.record("the server still accepts")
}
