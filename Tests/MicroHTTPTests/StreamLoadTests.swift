import HTTPTypes
import MicroHTTP
import Synchronization
import TestSupport
import Testing

@Suite("Streams and ordinary requests", .serialized)
struct StreamLoadTests {
  /// libmicrohttpd before 1.0.3 may skip ready connections while others are suspended and resumed.
  @Test("do not delay each other", arguments: [1, 2])
  func mixed(threads: Int) async throws {
    let lot = StreamLot<LatestSource>()
    let parking = ParkingLot()
    try await withServer({
      $0.threads = threads
      $0.abandonmentSweep = .milliseconds(20)
    }) { router in
      router.stream(to: lot) { LatestSource($0, size: 32) }
      router.route(.get, "/park") { _ in .later { parking.add($0) } }
    } client: { port in
      let isOver = Atomic(false)
      let asked = Atomic(0)
      let failures = Mutex<[any Error]>([])
      let readers = (0..<2).map { _ in
        Writer {
          do {
            let client = try SocketClient(port: port)
            while !isOver.load(ordering: .relaxed) {
              #expect(try client.get("/now").text == "now")
              asked.wrappingAdd(1, ordering: .relaxed)
            }
          } catch {
            failures.withLock { $0.append(error) }
          }
        }
      }
      let streams = try (0..<100).map { _ in
        let client = try SocketClient(port: port)
        try client.send(streamRequest)
        _ = try client.readHead()
        return (client, try lot.next())
      }
      let parked = try (0..<100).map { _ in try SocketClient(port: port) }
      let start = ContinuousClock.now
      var number = 0
      while number <= 5 || ContinuousClock.now - start < .seconds(1) {
        number += 1
        for client in parked { try client.send("GET /park HTTP/1.1\r\nHost: t\r\n\r\n") }
        for (_, source) in streams { source.set(number) }
        let responders = try parked.map { _ in try parking.next() }
        for (client, _) in streams { #expect(try client.readChunk().count == 32) }
        for responder in responders { responder.respond(Response(status: .ok)) }
        for client in parked { #expect(try client.readReply().status == 200) }
      }
      isOver.store(true, ordering: .relaxed)
      for reader in readers { reader.wait() }
      #expect(failures.withLock { $0.map { "\($0)" } } == [])
      // A machine that does other things delays both.
      #expect(asked.load(ordering: .relaxed) > number)
      for (client, _) in streams { client.reset() }
      for (_, source) in streams { try source.awaitEnd() }
    }
  }
}
