import HTTPTypes
import MicroHTTP
import Synchronization
import TestSupport
import Testing

@Suite("A connection", .serialized)
struct MessageTests {
  @Test("stays open between requests of all kinds")
  func kept() async throws {
    try await withServer { port in
      let client = try SocketClient(port: port)
      #expect(try client.get("/hello").text == "hello")
      let head = try client.request("HEAD", "/hello")
      #expect(head.status == 200)
      #expect(head["content-length"] == "5")
      #expect(head["etag"] == "\"1\"")
      #expect(try client.request("POST", "/echo", body: "abc").text == "abc")
      #expect(try client.request("POST", "/echo", body: "").text == "")
      #expect(try client.get("/unknown").status == 404)
      #expect(try client.request("HEAD", "/unknown").status == 404)
      #expect(try client.get("/%zz").status == 400)
      let wrong = try client.request("PUT", "/hello")
      #expect(wrong.status == 405)
      #expect(wrong["allow"] == "GET, HEAD, OPTIONS")
      #expect(try client.request("TRACE", "/hello").status == 405)
      #expect(try client.request("CONNECT", "example.org:80").status == 405)
      #expect(try client.request("CONNECT", "/hello").status == 405)
      #expect(try client.request("get", "/hello").status == 501)
      #expect(try client.request("OPTIONS", "*").status == 204)
      #expect(try client.request("OPTIONS", "/echo")["allow"] == "POST, OPTIONS")
      #expect(try client.get("/users/a%2Fb").text == "a/b")
      #expect(try client.get("/users/%00").status == 400)
      #expect(try client.get("http://t/hello").text == "hello")
    }
  }

  @Test("gets a 304 with the fields of the representation except those that describe content")
  func notModified() async throws {
    try await withServer { port in
      let client = try SocketClient(port: port)
      let reply = try client.get("/hello", fields: ["If-None-Match: \"1\""])
      #expect(reply.status == 304)
      #expect(reply["etag"] == "\"1\"")
      #expect(reply["content-type"] == nil)
      #expect(reply["content-encoding"] == nil)
      #expect(reply["transfer-encoding"] == nil)
      // libmicrohttpd 0.9 always writes it; then it is the length of the representation.
      #expect(reply["content-length"] == nil || reply["content-length"] == "5")
      #expect(try client.get("/hello", fields: ["if-none-match: \"2\""]).text == "hello")
    }
  }

  @Test("gets the replies to 100 pipelined requests in order, one of them bad")
  func pipelined() async throws {
    try await withServer { port in
      let client = try SocketClient(port: port)
      let requests = (0..<100).map { index in
        "GET /users/\(index == 50 ? "%zz" : String(index)) HTTP/1.1\r\nHost: t\r\n\r\n"
      }
      try client.send(requests.joined())
      for index in 0..<100 {
        let reply = try client.readReply()
        #expect(reply.status == (index == 50 ? 400 : 200))
        if index != 50 { #expect(reply.text == String(index)) }
      }
    }
  }

  @Test("accepts a request byte by byte, with a chunked body")
  func byteByByte() async throws {
    try await withServer { port in
      let client = try SocketClient(port: port)
      let request =
        "POST /echo HTTP/1.1\r\nHost: t\r\nTransfer-Encoding: chunked\r\n\r\n"
        + "3;x=y\r\nabc\r\nA\r\n0123456789\r\n0\r\nX-Trailer: y\r\n\r\n"
      for byte in request.utf8 { try client.send([byte]) }
      let reply = try client.readReply()
      #expect(reply.text == "abc0123456789")
      // Bytes after a chunked body are not read.
      #expect(reply["connection"]?.lowercased() == "close")
      #expect(try client.readToEnd().isEmpty)
    }
  }

  @Test("gets a 100 Continue before its body")
  func continuation() async throws {
    try await withServer { port in
      let client = try SocketClient(port: port)
      try client.send(
        "POST /echo HTTP/1.1\r\nHost: t\r\nExpect: 100-Continue\r\nContent-Length: 2\r\n\r\n")
      #expect(try client.readHead().status == 100)
      try client.send("ab")
      #expect(try client.readReply().text == "ab")
    }
  }

  @Test("gets a 100 Continue also without a body, and is answered before the request behind it")
  func continuationWithoutBody() async throws {
    try await withServer { port in
      for method in ["GET", "DELETE"] {
        let client = try SocketClient(port: port)
        let asking = "\(method) /users/1 HTTP/1.1\r\nHost: t\r\nExpect: 100-continue\r\n\r\n"
        try client.send(asking + "GET /users/2 HTTP/1.1\r\nHost: t\r\n\r\n")
        #expect(try client.readHead().status == 100)
        #expect(try client.readReply().status == (method == "GET" ? 200 : 405))
        #expect(try client.readReply().text == "2")
      }
    }
  }

  @Test("gets all replies before the close, also to a client that has sent more")
  func close() async throws {
    try await withServer { port in
      let client = try SocketClient(port: port)
      func requests(_ count: Int, _ fields: String = "") -> String {
        String(repeating: "GET /hello HTTP/1.1\r\nHost: t\r\n\(fields)\r\n", count: count)
      }
      try client.send(requests(50) + requests(1, "Connection: close\r\n") + requests(1_000))
      for _ in 0...50 { #expect(try client.readReply().text == "hello") }
      #expect(try client.readToEnd().isEmpty)
    }
  }

  @Test("never gets a reply that is split by a value of the client")
  func injection() async throws {
    try await withServer(routes: { router in
      router.get("/to/{place}") { request in
        Response(status: .found, fields: [.location: request.parameters["place"] ?? ""])
      }
    }) { port in
      let client = try SocketClient(port: port)
      let reply = try client.get("/to/a%0d%0aSet-Cookie:%20x=y%0d%0a%0d%0abody")
      #expect(reply.status == 302)
      #expect(reply["set-cookie"] == nil)
      #expect(reply["location"]?.hasPrefix("a") == true)
      #expect(try client.get("/to/b")["location"] == "b")
      #expect(try client.get("/to/%20")["location"] == nil)
    }
  }

  @Test("gives the handler its fields, its address and a request that can be kept")
  func keptRequest() async throws {
    let kept = KeptRequest()
    try await withServer(routes: { router in
      router.get("/keep") { request in
        kept.request = request
        return Response(status: .ok, body: Array(request.remoteAddress.utf8))
      }
    }) { port in
      let client = try SocketClient(port: port)
      let reply = try client.get("/keep?a=b", fields: ["X-One: 1", "Accept: a", "accept: b"])
      #expect(reply.text == "127.0.0.1")
      #expect(try client.get("/unknown").status == 404)
    }
    let request = try #require(kept.request)
    #expect(request.target == "/keep?a=b")
    #expect(request[.accept] == "a, b")
    #expect(request.fields.count == 4)
    #expect(request.remoteAddress == "127.0.0.1")
  }
}

/// Keeps a request after its handler has returned.
final class KeptRequest: Sendable {
  private let stored = Mutex<Request?>(nil)

  var request: Request? {
    get { stored.withLock { $0 } }
    set { stored.withLock { $0 = newValue } }
  }
}
