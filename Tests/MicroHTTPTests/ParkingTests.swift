import Glibc
import HTTPTypes
import MicroHTTP
import TestSupport
import Testing

@Suite("A parked request", .serialized)
struct ParkingTests {
  @Test("is answered when its responder is used, once")
  func answered() async throws {
    let lot = ParkingLot()
    try await withServer(routes: { $0.park(on: lot) }) { port in
      let client = try SocketClient(port: port)
      try client.send("GET /park HTTP/1.1\r\nHost: t\r\n\r\n")
      let responder = try lot.next()
      #expect(responder.respond(Response(status: .ok, body: Array("first".utf8))))
      #expect(!responder.respond(Response(status: .ok, body: Array("second".utf8))))
      #expect(try client.readReply().text == "first")
      #expect(try client.request("HEAD", "/now").status == 200)
      #expect(try client.get("/now").text == "now")
    }
  }

  @Test("is answered in order among pipelined requests")
  func pipelined() async throws {
    let lot = ParkingLot()
    try await withServer(routes: { $0.park(on: lot) }) { port in
      let client = try SocketClient(port: port)
      try client.send(
        "GET /park HTTP/1.1\r\nHost: t\r\n\r\nGET /now HTTP/1.1\r\nHost: t\r\n\r\n")
      try lot.next().respond(Response(status: .accepted))
      #expect(try client.readReply().status == 202)
      #expect(try client.readReply().text == "now")
    }
  }

  @Test("is answered if its responder is released")
  func lost() async throws {
    try await withServer(routes: { router in
      router.route(.get, "/lost") { _ in .later { _ in } }
    }) { port in
      let client = try SocketClient(port: port)
      #expect(try client.get("/lost").status == 500)
      #expect(try client.get("/lost").text.contains(#""code":"unanswered""#))
    }
  }

  @Test("is answered in order if its responder is used at once")
  func atOnce() async throws {
    try await withServer(routes: { router in
      router.route(.get, "/at-once") { request in
        .later { responder in
          let text = request.query.values("n").first ?? ""
          #expect(responder.respond(Response(status: .ok, body: Array(text.utf8))))
          #expect(!responder.respond(Response(status: .accepted)))
        }
      }
    }) { port in
      let client = try SocketClient(port: port)
      let numbers = (0..<20).map(String.init)
      try client.send(
        numbers.map { "GET /at-once?n=\($0) HTTP/1.1\r\nHost: t\r\n\r\n" }.joined())
      for number in numbers { #expect(try client.readReply().text == number) }
      #expect(try client.get("/at-once?n=last").text == "last")
    }
  }

  @Test("is abandoned if its client resets or closes the connection", arguments: [true, false])
  func abandoned(reset: Bool) async throws {
    let lot = ParkingLot()
    try await withServer(
      { $0.abandonmentSweep = .milliseconds(20) }, routes: { $0.park(on: lot) }
    ) { port in
      let client = try SocketClient(port: port)
      try client.send("GET /park HTTP/1.1\r\nHost: t\r\n\r\n")
      let responder = try lot.next()
      responder.onAbandonment { lot.noteAbandonment() }
      reset ? client.reset() : client.close()
      try lot.awaitAbandonment()
      #expect(!responder.respond(Response(status: .ok)))
      let other = try SocketClient(port: port)
      #expect(try other.get("/now").text == "now")
    }
  }

  @Test("can be answered while its client disconnects")
  func race() async throws {
    let lot = ParkingLot()
    try await withServer(
      { $0.abandonmentSweep = .milliseconds(1) }, routes: { $0.park(on: lot) }
    ) { port in
      for _ in 1...20 {
        let client = try SocketClient(port: port)
        try client.send("GET /park HTTP/1.1\r\nHost: t\r\n\r\n")
        let responder = try lot.next()
        client.reset()
        responder.respond(Response(status: .ok))
        #expect(try SocketClient(port: port).get("/now").text == "now")
      }
    }
  }

  @Test("is answered together with others, on each thread", arguments: [1, 3])
  func batch(threads: Int) async throws {
    let lot = ParkingLot()
    try await withServer({ $0.threads = threads }, routes: { $0.park(on: lot) }) { port in
      let clients = try (0..<50).map { _ in try SocketClient(port: port) }
      for client in clients { try client.send("GET /park HTTP/1.1\r\nHost: t\r\n\r\n") }
      let responders = try clients.map { _ in try lot.next() }
      let batch = ResumeBatch()
      let shared = Response(status: .ok, body: Array("news".utf8))
      for responder in responders { responder.respond(shared, in: batch) }
      #expect(!responders[0].respond(Response(status: .ok)))
      batch.resume()
      for client in clients {
        #expect(try client.readReply().text == "news")
        #expect(try client.get("/now").text == "now")
      }
    }
  }

  @Test("is answered by its serving thread if it is a task that starts at once, and only then")
  func immediateTask() async throws {
    try await withServer(routes: { $0.addThreads() }) { port in
      let client = try SocketClient(port: port)
      let thread = try client.get("/thread").text
      #expect(try client.request("POST", "/thread").text == thread)
      #expect(try client.request("POST", "/thread", body: "x").text != thread)
    }
  }

  @Test("is answered by another thread than most of several that arrive at once")
  func manyImmediateTasks() async throws {
    let blocking = BlockingRoute()
    try await withServer(routes: { router in
      blocking.add(to: &router)
      router.addThreads()
    }) { port in
      let client = try SocketClient(port: port)
      let thread = try client.get("/thread").text
      let others = try (0..<6).map { _ in try SocketClient(port: port) }
      for other in others { #expect(try other.get("/thread").text == thread) }
      try blocking.hold([client]) {
        for other in others {
          try other.send("POST /thread HTTP/1.1\r\nHost: t\r\nContent-Length: 0\r\n\r\n")
        }
      }
      let served = try others.filter { try $0.readReply().text == thread }
      #expect(served.count <= 1)
      #expect(try client.get("/thread").text == thread)
    }
  }

  @Test(
    "is cancelled if it is a task, which keeps its serving thread only until it first waits",
    arguments: [true, false])
  func waitingTask(startsAtOnce: Bool) async throws {
    let lot = ParkingLot()
    try await withServer({ $0.abandonmentSweep = .milliseconds(20) }) { router in
      lot.addWaitingTask(to: &router, startsAtOnce: startsAtOnce)
      router.get("/now") { _ in Response(status: .ok, body: Array("now".utf8)) }
    } client: { port in
      let client = try SocketClient(port: port)
      try client.send("POST /slow HTTP/1.1\r\nHost: t\r\nContent-Length: 0\r\n\r\n")
      try lot.awaitArrival()
      #expect(try SocketClient(port: port).get("/now").text == "now")
      client.reset()
      try lot.awaitAbandonment()
    }
  }
}

extension Router {
  /// Adds routes, `/thread`, that answer with the thread that they are answered on. A POST without a body may be on
  /// that of the connection.
  fileprivate mutating func addThreads() {
    let here = { @Sendable in Response(status: .ok, body: Array("\(pthread_self())".utf8)) }
    get("/thread") { _ in here() }
    on(.post, "/thread", startsAtOnce: { $0.body.isEmpty }) { _ in here() }
  }
}
