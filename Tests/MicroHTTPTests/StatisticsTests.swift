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
    var configuration = ServerConfiguration()
    configuration.hostNames = ["t"]
    configuration.threads = 1
    var router = Router()
    router.get("/problems/{code}") { request throws(ProblemDetails) in
      let code = request.parameters["code"] ?? ""
      throw ProblemDetails(status: .conflict, code: code)
    }
    let server = try Server(configuration: configuration, router: router, logger: .silent)
    let port = try server.start().port
    try await SocketThread.run {
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
    await server.shutdown(grace: .seconds(2))
  }

  @Test("count each reply once, however it is sent and whether its client reads it")
  func replies() async throws {
    let lot = StreamLot<QueueSource>()
    var configuration = ServerConfiguration()
    configuration.bodySizeLimit = 10
    configuration.hostNames = ["t"]
    configuration.abandonmentSweep = .milliseconds(20)
    var router = Router()
    router.addTestRoutes()
    router.stream(to: lot) { QueueSource($0) }
    let large = Response(status: .ok, body: [UInt8](repeating: 0x78, count: 32 << 20))
    router.get("/large") { _ in large }
    let server = try Server(configuration: configuration, router: router, logger: .silent)
    let port = try server.start().port
    try await SocketThread.run {
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
    await server.shutdown(grace: .seconds(2))
  }
}
