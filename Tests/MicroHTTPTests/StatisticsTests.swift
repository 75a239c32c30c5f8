import Glibc
import HTTPTypes
import MicroHTTP
import TestSupport
import Testing

@Suite("The statistics of a server")
struct StatisticsTests {
  @Test("count a duration in the first range that it does not exceed, and add it up")
  func histogram() {
    var (histogram, other) = (DurationHistogram(), DurationHistogram())
    for bound in DurationHistogram.bounds { histogram.add(bound) }
    for duration: Duration in [.zero, .seconds(5) + .nanoseconds(1), .seconds(7_200)] {
      other.add(duration)
    }
    histogram.add(other)
    #expect(histogram.counts == [2] + [Int](repeating: 1, count: 10) + [2])
    #expect(histogram.sum == .microseconds(7_211_694_000) + .nanoseconds(1))
  }

  @Test("count the problems of 128 codes one by one, and of more and of other texts together")
  func problems() async throws {
    try await withSeenServer({ $0.threads = 1 }) { router in
      router.get("/problems/{code}") { request throws(ProblemDetails) in
        throw ProblemDetails(status: .conflict, code: request.parameters["code"] ?? "")
      }
    } client: { port, server in
      let client = try SocketClient(port: port)
      let long = String(repeating: "a", count: 65)
      for text in ["a%22b", "A", "a%0Ab", "%C3%A9", long] {
        #expect(try client.get("/problems/\(text)").status == 409)
      }
      #expect(server.statistics.problems == ["other": 5])
      for _ in 0..<2 {
        for number in 0..<130 {
          #expect(try client.get("/problems/code-\(number)").status == 409)
        }
      }
      // `other` is one of the 128.
      var expected = ["other": 5 + 2 * 3]
      for number in 0..<127 { expected["code-\(number)"] = 2 }
      #expect(server.statistics.problems == expected)
      client.close()
    }
  }

  @Test("count each reply once, however it is sent and whether its client reads it")
  func replies() async throws {
    let lot = StreamLot<QueueSource>()
    let large = Response(status: .ok, body: [UInt8](repeating: 0x78, count: 32 << 20))
    try await withSeenServer({
      $0.bodySizeLimit = 10
      $0.abandonmentSweep = .milliseconds(20)
    }) { router in
      router.addTestRoutes()
      router.stream(to: lot) { QueueSource($0) }
      router.get("/large") { _ in large }
    } client: { port, server in
      func growth(_ work: () throws -> Void) throws -> [Int] {
        let before = server.statistics.replies
        try work()
        let start = ContinuousClock.now
        while server.statistics.connections > 0 {
          guard ContinuousClock.now - start < patience else { throw ParkingLot.Late() }
          _ = poll(nil, 0, 5)
        }
        let after = server.statistics.replies
        return (2...5).map { (after[$0] ?? 0) - (before[$0] ?? 0) }
      }
      let answered = try growth {
        let client = try SocketClient(port: port)
        #expect(try client.get("/hello").status == 200)
        #expect(try client.get("/hello", fields: ["If-None-Match: \"1\""]).status == 304)
        #expect(try client.get("/nothing").status == 404)
        client.close()
      }
      #expect(answered == [1, 1, 1, 0])
      // In the middle of a body libmicrohttpd takes no reply, so it is written to the socket.
      let refused = try growth {
        let client = try SocketClient(port: port)
        try client.send("POST /echo HTTP/1.1\r\nHost: t\r\nTransfer-Encoding: chunked\r\n\r\n")
        try client.send("20\r\n01234567890123456789012345678901\r\n")
        #expect(try client.readReply().status == 413)
        client.close()
      }
      #expect(refused == [0, 0, 1, 0])
      let unread = try growth {
        let client = try SocketClient(port: port)
        try client.send("GET /large HTTP/1.1\r\nHost: t\r\n\r\n")
        _ = try client.readHead()
        client.reset()
      }
      #expect(unread == [1, 0, 0, 0])
      let stream = try growth {
        let client = try SocketClient(port: port)
        try client.send(streamRequest)
        _ = try client.readHead()
        _ = try lot.next()
        client.close()
      }
      #expect(stream == [1, 0, 0, 0])
    }
  }
}
