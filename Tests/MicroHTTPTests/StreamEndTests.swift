import Glibc
import HTTPTypes
import MicroHTTP
import Synchronization
import TestSupport
import Testing

@Suite("The end of a stream", .serialized)
struct StreamEndTests {
  private static func disconnect(_ client: SocketClient, _ how: String) throws {
    switch how {
    case "reset": client.reset()
    case "close": client.close()
    default:
      client.finishSending()
      // The stream was abandoned and must not look complete.
      #expect(try client.readToEnd().isEmpty)
    }
  }

  @Test(
    "comes if its client disconnects while the source waits, also beside an older connection",
    arguments: ["reset", "close", "half"])
  func idleClient(how: String) async throws {
    let lot = StreamLot<QueueSource>()
    try await withServer({
      $0.abandonmentSweep = .milliseconds(20)
      $0.connectionLimit = 4
    }) {
      $0.stream(to: lot) { QueueSource($0) }
    } client: { port in
      let older = try SocketClient(port: port)
      #expect(try older.get("/now").text == "now")
      // More clients than there are places come and go, so each must be given back.
      for _ in 0..<20 {
        let client = try SocketClient(port: port)
        try client.send(streamRequest)
        let source = try lot.next()
        source.push("piece")
        _ = try client.readHead()
        #expect(try client.readChunk() == Array("piece".utf8))
        try Self.disconnect(client, how)
        try source.awaitEnd()
        source.push("too late")
        #expect(source.ends == 1)
      }
      #expect(try older.get("/now").text == "now")
    }
  }

  @Test("comes if its client disconnects in the middle of a piece", arguments: [true, false])
  func busyClient(reset: Bool) async throws {
    let lot = StreamLot<QueueSource>()
    try await withServer(routes: { $0.stream(to: lot) { QueueSource($0) } }) { port in
      let client = try SocketClient(port: port, receiveBuffer: 4_096)
      try client.send(streamRequest)
      let source = try lot.next()
      source.push(.send(Response(status: .ok, body: [UInt8](repeating: 0x78, count: 40 << 20))))
      _ = try client.readHead()
      _ = try client.read(10_000)
      reset ? client.reset() : client.close()
      try source.awaitEnd()
      #expect(source.ends == 1)
    }
  }

  @Test("comes at the deadline if its client does not read, without further calls to the source")
  func deadline() async throws {
    let lot = StreamLot<LatestSource>()
    let size = 64 * 1024
    try await withServer({ $0.replyDeadline = .milliseconds(200) }) {
      $0.stream(to: lot) { LatestSource($0, size: size) }
    } client: { port in
      let client = try SocketClient(port: port, receiveBuffer: 4_096)
      try client.send(streamRequest)
      let source = try lot.next()
      let isOver = Atomic(false)
      let writer = Writer {
        var number = 1
        while !isOver.load(ordering: .relaxed) {
          source.set(number)
          number += 1
        }
      }
      try source.awaitEnd()
      isOver.store(true, ordering: .relaxed)
      writer.wait()
      // The kernel's buffers hold some MB; no further piece is requested.
      #expect(source.asked < 400)
      try client.awaitHangUp()
      let other = try SocketClient(port: port)
      #expect(try other.get("/now").text == "now")
    }
  }

  @Test("has no deadline while the source waits, and one for each piece")
  func idle() async throws {
    let lot = StreamLot<QueueSource>()
    try await withServer({
      $0.replyDeadline = .milliseconds(30)
      $0.idleTimeout = .milliseconds(200)
    }) {
      $0.stream(to: lot) { QueueSource($0) }
    } client: { port in
      let client = try SocketClient(port: port)
      try client.send(streamRequest)
      _ = try client.readHead()
      let source = try lot.next()
      let idle = try SocketClient(port: port)
      // The idle timeout closes this connection, so more time passes than a piece has.
      #expect(try idle.get("/now").text == "now")
      #expect(try idle.readToEnd().isEmpty)
      source.push("piece")
      #expect(try client.readChunk() == Array("piece".utf8))
      source.push(.end)
      #expect(try client.readChunk().isEmpty)
    }
  }

  @Test("is proper if the server shuts down, for idle clients and for a slow one")
  func shutdown() async throws {
    let lot = StreamLot<QueueSource>()
    let piece = Response(status: .ok, body: [UInt8](repeating: 0x78, count: 24 << 20))
    let (server, port) = try startServer { $0.stream(to: lot) { QueueSource($0) } }
    let ready = ParkingLot()
    async let ends = SocketThread.run {
      let clients = try (0..<100).map { _ in try SocketClient(port: port) }
      let slow = try SocketClient(port: port)
      for client in clients {
        try client.send(streamRequest)
        _ = try client.readHead()
      }
      let sources = try clients.map { _ in try lot.next() }
      try slow.send(streamRequest)
      let busy = try lot.next()
      busy.push(.send(piece))
      busy.push("never")
      _ = try slow.readHead()
      var size = try slow.readChunk().count
      ready.noteArrival()
      for client in clients { #expect(try client.readChunk().isEmpty) }
      while true {
        let chunk = try slow.readChunk()
        if chunk.isEmpty { break }
        size += chunk.count
      }
      for client in clients + [slow] { #expect(try client.readToEnd().isEmpty) }
      #expect(size == piece.bodySize)
      return sources.map(\.ends) + [busy.ends]
    }
    try await SocketThread.run { try ready.awaitArrival() }
    let start = ContinuousClock.now
    await server.shutdown(grace: patience * 2)
    #expect(ContinuousClock.now - start < patience)
    #expect(try await ends == [Int](repeating: 1, count: 101))
    #expect(server.statistics.requestsParked == 0)
    #expect(server.statistics.requestsInFlight == 0)
  }

  @Test("is a cut at the end of the grace period for a client that does not read")
  func grace() async throws {
    let lot = StreamLot<QueueSource>()
    let (server, port) = try startServer { $0.stream(to: lot) { QueueSource($0) } }
    let size = 40 << 20
    let ready = ParkingLot()
    async let cut = SocketThread.run {
      let client = try SocketClient(port: port)
      try client.send(streamRequest)
      let source = try lot.next()
      source.push(.send(Response(status: .ok, body: [UInt8](repeating: 0x78, count: size))))
      _ = try client.readHead()
      _ = try client.readChunk()
      ready.noteArrival()
      try source.awaitEnd()
      return (try client.readToEnd().count, source.ends)
    }
    try await SocketThread.run { try ready.awaitArrival() }
    await server.shutdown(grace: .milliseconds(50))
    let (count, ends) = try await cut
    #expect(count < size)
    #expect(ends == 1)
    #expect(server.statistics.requestsInFlight == 0)
  }

  @Test("releases all resources, 1,000 times")
  func leaks() async throws {
    let lot = StreamLot<QueueSource>()
    let (before, after) = try await withSeenServer({ $0.abandonmentSweep = .milliseconds(20) }) {
      $0.stream(to: lot) { QueueSource($0) }
    } client: { port, server in
      _ = try SocketClient(port: port).get("/now")
      try awaitQuiet(server)
      let before = OpenDescriptors.count()
      for round in 0..<10 {
        let clients = try (0..<100).map { _ in try SocketClient(port: port) }
        for client in clients {
          try client.send(streamRequest)
          _ = try client.readHead()
        }
        let sources = try clients.map { _ in try lot.next() }
        for (index, client) in clients.enumerated() {
          switch (index + round) % 3 {
          case 0: client.reset()
          case 1: client.close()
          default:
            sources[index].push(.end)
            #expect(try client.readChunk().isEmpty)
            client.close()
          }
        }
        for source in sources { try source.awaitEnd() }
        #expect(sources.allSatisfy { $0.ends == 1 })
      }
      try awaitQuiet(server)
      return (before, OpenDescriptors.count())
    }
    #expect(after <= before + 8)
  }
}

/// Waits until a server has no request and no connection.
private func awaitQuiet(_ server: Server) throws {
  let start = ContinuousClock.now
  var numbers = server.statistics
  while numbers.connections + numbers.requestsInFlight + numbers.requestsParked > 0 {
    guard ContinuousClock.now - start < patience else { throw ParkingLot.Late() }
    _ = poll(nil, 0, 5)
    numbers = server.statistics
  }
}
