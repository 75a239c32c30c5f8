import HTTPTypes
import MicroHTTP
import Synchronization
import TestSupport
import Testing

@Suite("A standing reply", .serialized)
struct StandingReplyTests {
  @Test("is requested from the handler twice, and then sent for every equal request")
  func repeated() async throws {
    let desk = Desk()
    try await withServer(routes: { desk.addRoute(to: &$0) }) { port in
      let client = try SocketClient(port: port)
      for _ in 1...4 { #expect(try client.get("/desk?a=1", fields: ["X: 1"]).text == "open") }
      #expect(desk.questions == 2)
      let other = try SocketClient(port: port)
      #expect(try other.get("/desk?a=1", fields: ["X: 1"]).text == "open")
      #expect(desk.questions == 2)
    }
  }

  @Test("does not answer a different request")
  func others() async throws {
    let desk = Desk()
    try await withServer(routes: { desk.addRoute(to: &$0) }) { port in
      let client = try SocketClient(port: port)
      for _ in 1...3 { _ = try client.get("/desk?a=1", fields: ["X: 1"]) }
      #expect(desk.questions == 2)
      _ = try client.get("/desk?a=2", fields: ["X: 1"])
      _ = try client.get("/desk?a&1", fields: ["X: 1"])
      _ = try client.get("/desk?a=1", fields: ["X: 2"])
      _ = try client.get("/desk?a=1", fields: ["Y: 1"])
      _ = try client.get("/desk?a=1", fields: ["X: 1", "Y: 1"])
      _ = try client.get("/desk?a=1", fields: ["x: 1"])
      _ = try client.get("/desk?a=1")
      #expect(desk.questions == 9)
      #expect(try client.request("HEAD", "/desk?a=1", fields: ["X: 1"]).body.isEmpty)
      #expect(desk.questions == 10)
    }
  }

  @Test("is not sent after its condition has ceased to hold")
  func revoked() async throws {
    let desk = Desk()
    try await withServer(routes: { desk.addRoute(to: &$0) }) { port in
      let client = try SocketClient(port: port)
      for _ in 1...3 { #expect(try client.get("/desk").text == "open") }
      desk.say("closed")
      for _ in 1...3 { #expect(try client.get("/desk").text == "closed") }
      // The place is reserved, so that the next reply is stored at once.
      #expect(desk.questions == 3)
    }
  }

  @Test("is not stored if it is large")
  func large() async throws {
    let desk = Desk(String(repeating: "x", count: 64 * 1024 + 1))
    try await withServer(routes: { desk.addRoute(to: &$0) }) { port in
      let client = try SocketClient(port: port)
      for _ in 1...4 { #expect(try client.get("/desk").body.count == 64 * 1024 + 1) }
      #expect(desk.questions == 4)
    }
  }

  @Test("is not for a request with a body, nor for one with a long head")
  func unfit() async throws {
    let desk = Desk()
    try await withServer(routes: { desk.addRoute(to: &$0) }) { port in
      let client = try SocketClient(port: port)
      for _ in 1...4 { #expect(try client.request("GET", "/desk", body: "a").text == "open") }
      #expect(desk.questions == 4)
      let chunked = "GET /desk HTTP/1.1\r\nHost: t\r\nTransfer-Encoding: chunked\r\n\r\n"
      for body in ["0\r\n\r\n", "0\r\n\r\n", "0\r\n\r\n", "1\r\na\r\n0\r\n\r\n"] {
        // A chunked request is the last one on its connection.
        let last = try SocketClient(port: port)
        try last.send(chunked + body)
        #expect(try last.readReply().text == "open")
      }
      #expect(desk.questions == 8)
      let long = "X: " + String(repeating: "x", count: 1024)
      for _ in 1...4 { #expect(try client.get("/desk", fields: [long]).text == "open") }
      #expect(desk.questions == 12)
    }
  }

  @Test(
    "does not answer an ambiguous head",
    arguments: [
      "GET /desk HTTP/1.1\r\nHost: t\r\n: b\r\n\r\n",
      "GET /desk HTTP/1.1\r\nHost: t\r\n: b\r\nGET /desk HTTP/1.1\r\nHost: t\r\n\r\n",
      "GET /desk HTTP/1.1\r\nHost: t\0X: b\r\n\r\n",
      "GET /desk HTTP/1.1\r\nHost: t\r\nHost: t\r\n\r\n",
      "GET /desk HTTP/1.1\r\n\r\n",
      "GET  /desk HTTP/1.1\r\nHost: t\r\n\r\n",
    ])
  func ambiguous(head: String) async throws {
    let desk = Desk()
    try await withServer(routes: { desk.addRoute(to: &$0) }) { port in
      let client = try SocketClient(port: port)
      for _ in 1...3 { #expect(try client.get("/desk", fields: ["Host: t"]).text == "open") }
      #expect(desk.questions == 2)
      for _ in 1...3 {
        let client = try SocketClient(port: port)
        try client.send(head + "GET /desk HTTP/1.1\r\nHost: t\r\n\r\n")
        #expect(try client.readReply().status == 400)
        #expect(try client.readToEnd().isEmpty)
      }
    }
  }
}

/// A handler with a standing reply that is valid until its text is changed. It counts its calls.
private final class Desk: Sendable {
  private let text: Mutex<String>
  private let count = Atomic(0)

  init(_ text: String = "open") {
    self.text = Mutex(text)
  }

  var questions: Int { count.load(ordering: .relaxed) }

  func say(_ text: String) { self.text.withLock { $0 = text } }

  func addRoute(to router: inout Router) {
    router.route(.get, "/desk") { _ in
      self.count.wrappingAdd(1, ordering: .relaxed)
      let text = self.text.withLock { $0 }
      return .standing(
        Response(status: .ok, body: Array(text.utf8)), while: Says(desk: self, text: text))
    }
  }

  private struct Says: ReplyCondition {
    let desk: Desk
    let text: String

    var holds: Bool { desk.text.withLock { $0 } == text }
  }
}
