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

extension StandingReplyTests {
  @Test("is sent to no request with other separators that would get another reply without it")
  func separators() async throws {
    let head = Array("GET /desk?a=1&b HTTP/1.1\r\nHost: t\r\nX:b\r\n\r\n".utf8)
    // The bytes at which the parser separates the parts of a head, and the one that it leaves there.
    let separators = Array("\0\r\n\t :?&".utf8)
    let places = head.indices.filter { separators.contains(head[$0]) }
    var heads: Set<[UInt8]> = []
    // One or two that follow each other are any others.
    for place in places.dropLast() {
      for (first, second) in separators.flatMap({ first in separators.map { (first, $0) } }) {
        var other = head
        other[place] = first
        heads.insert(other)
        other[place + 1] = second
        heads.insert(other)
      }
    }
    // Up to three are those that the parser leaves: so many hide a field.
    for (a, b, c) in places.flatMap({ a in places.flatMap { b in places.map { (a, b, $0) } } }) {
      var other = head
      for place in [a, b, c] { other[place] = 0 }
      heads.insert(other)
    }
    // As many fields are found, of which one is another.
    for fields in ["\n:Host\n t\r\nX:b\r\n\r\n", "\r\nHost: t\0\0X\nb:\n\0\n"] {
      heads.insert(Array("GET /desk?a=1&b HTTP/1.1\(fields)".utf8))
    }
    let others = heads.subtracting([head]).sorted { $0.lexicographicallyPrecedes($1) }
    let plain = try await replies(to: others, after: head, areStanding: false)
    let standing = try await replies(to: others, after: head, areStanding: true)
    for (other, (plain, standing)) in zip(others, zip(plain, standing)) {
      #expect(standing == plain, "\(String(decoding: other, as: UTF8.self).debugDescription)")
    }
  }

  /// Returns what a server sends for each of some heads and a last request on a connection, after another head came
  /// often enough to have a standing reply, without the dates.
  private func replies(
    to others: [[UInt8]], after head: [UInt8], areStanding: Bool
  ) async throws -> [String] {
    try await withServer(routes: { router in
      router.route(.get, "/desk") { request in
        let text = "\(request.target) \(request.fields.map { "\($0)" })"
        let response = Response(status: .ok, body: Array(text.utf8))
        return areStanding ? .standing(response, while: { true }) : .now(response)
      }
    }) { port in
      let usual = try SocketClient(port: port)
      return try others.map { other in
        // The standing reply to one of the others may have taken the place.
        for _ in 1...3 {
          try usual.send(head)
          #expect(try usual.readReply().status == 200)
        }
        let client = try SocketClient(port: port)
        let last = Array("GET /desk HTTP/1.1\r\nHost: t\r\nConnection: close\r\n\r\n".utf8)
        try client.send(other + last)
        let lines = String(decoding: try client.readToEnd(), as: UTF8.self).split(separator: "\r\n")
        return lines.filter { !$0.hasPrefix("Date: ") }.joined(separator: "\n")
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
      return .standing(Response(status: .ok, body: Array(text.utf8))) {
        self.text.withLock { $0 } == text
      }
    }
  }
}
