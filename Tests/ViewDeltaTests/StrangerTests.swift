import CanonicalJSON
import Glibc
import TestSupport
import Testing

@Suite("A stranger")
struct StrangerTests {
  @Test("changes nothing, reads nothing by another name, and gets a problem that says why")
  func refused() async throws {
    try await SocketThread.run {
      let server = try ServeProcess()
      let own = try server.client()
      let user = #"{"username":"stranger"}"#
      let json = "Content-Type: application/json"
      let before = try own.get("/v1/users").body
      let refusals: [([String], Int, String)] = [
        ([], 415, "unsupported-media-type"),
        (["Content-Type: text/plain"], 415, "unsupported-media-type"),
        (["Content-Type: text/plain;charset=UTF-8"], 415, "unsupported-media-type"),
        ([json, "Sec-Fetch-Site: cross-site"], 403, "cross-site"),
        ([json, "Sec-Fetch-Site: same-site"], 403, "cross-site"),
        ([json, "Origin: http://evil.example"], 403, "cross-site"),
        ([json, "Origin: http://localhost:1"], 403, "cross-site"),
        ([json, "Origin: null"], 403, "cross-site"),
        ([json, "Host: evil.example:\(server.port)"], 403, "foreign-host"),
      ]
      for (fields, status, code) in refusals {
        let reply = try server.client().request("POST", "/v1/users", fields: fields, body: user)
        #expect(reply.status == status, "\(fields)")
        #expect(reply.text.contains(#""code":"\#(code)""#), "\(fields)")
      }
      let foreign = ["Host: evil.example"]
      #expect(try server.client().get("/v1/users", fields: foreign).status == 403)
      #expect(try server.client().get("/", fields: foreign).status == 403)
      #expect(try own.get("/v1/users").body == before)
      let mine = [json, "Origin: http://localhost"]
      #expect(try own.request("POST", "/v1/users", fields: mine, body: user).status == 201)
    }
  }

  @Test("reaches the server by the names that --host-name gives it, and by no other")
  func hostName() async throws {
    try await SocketThread.run {
      let server = try ServeProcess(["--host-name", "views.example", "--host-name", "192.0.2.7"])
      for (host, status) in [
        ("views.example", 200), ("192.0.2.7:8080", 200), ("localhost", 200), ("evil.example", 403),
      ] {
        for path in ["/metrics", "/v1/view-models", "/openapi.json"] {
          let reply = try server.client().get(path, fields: ["Host: \(host)"])
          #expect(reply.status == status, "\(host)\(path)")
        }
        // A supervisor knows no name.
        for path in ["/healthz", "/readyz"] {
          #expect(try server.client().get(path, fields: ["Host: \(host)"]).status == 200)
        }
      }
    }
  }

  @Test(
    "reaches a server that listens beyond loopback by any name, of which the log warns, unless it has names"
  )
  func anyHost() async throws {
    try await SocketThread.run {
      let open = try ServeProcess(["--host", "0.0.0.0"])
      let line = try open.logLine()
      #expect(line.contains(" warning ") && line.contains("--host-name"), "\(line)")
      #expect(try open.client().get("/metrics", fields: ["Host: evil.example"]).status == 200)
      let named = try ServeProcess(["--host", "0.0.0.0", "--host-name", "views.example"])
      #expect(try named.client().get("/metrics", fields: ["Host: evil.example"]).status == 403)
      // The server takes the hosts of the requests that it prints to try.
      #expect(named.announcement[0].contains("listens on http://0.0.0.0:\(named.port)."))
      #expect(named.announcement[1].contains("http://127.0.0.1:\(named.port)/"))
    }
  }

  @Test("who fills the memory of connections with lines before chunks keeps no processor busy")
  func endlessChunkLines() async throws {
    try await SocketThread.run {
      let server = try ServeProcess()
      let clients = try (0..<8).map { _ in
        let client = try server.client()
        try client.send(
          "POST /v1/users HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            + "Transfer-Encoding: chunked\r\n\r\n2;" + String(repeating: "a", count: 40_000))
        return client
      }
      let before = try server.processorTicks()
      // Nothing comes for half a second, unless the lines are refused at once.
      for client in clients {
        client.deadline = .milliseconds(60)
        do throws(SocketFailure) {
          #expect(try client.readReply().status < 500)
        } catch {
          #expect(error != .reset)
        }
      }
      // Spinning takes some 50 of the 100 ticks of a second.
      #expect(try server.processorTicks() - before < 30)
      let other = try server.client()
      #expect(try other.get("/healthz").status == 200)
    }
  }

  @Test("who holds the ends of many large bodies back holds no more memory than there is for them")
  func heldBackBodies() async throws {
    try await SocketThread.run {
      let server = try ServeProcess()
      let own = try server.client()
      #expect(try own.get("/healthz").status == 200)
      let before = try server.residentMemory
      let megabyte = 1024 * 1024
      let head =
        "POST /v1/users HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
      let piece = String(repeating: " ", count: megabyte - 1)
      // As many as would fill 600 MiB, half of them with chunks.
      let clients = try (0..<600).map { number in
        let client = try server.client()
        let framing =
          number % 2 == 0
          ? "Content-Length: \(megabyte)\r\n\r\n" : "Transfer-Encoding: chunked\r\n\r\nfffff\r\n"
        // One that is refused early may find its connection closed.
        try? client.send(head + framing + piece)
        return client
      }
      var held = clients
      try awaitTrue("at most 70 are held, not \(held.count)") {
        held = held.filter { !Self.isRefused($0) }
        return held.count <= 70
      }
      #expect((60...70).contains(held.count), "\(held.count)")
      let limit = before + 110
      #expect(try server.residentMemory < limit)
      // Others write and read as before.
      try own.send("POST", "/v1/users", ["username": "mine"])

      for client in clients { client.reset() }
      try awaitTrue("the memory is given back") {
        #expect(try own.get("/healthz").status == 200)
        return try server.residentMemory <= before + 24
      }
      let whole = head + "Content-Length: \(megabyte)\r\n\r\n" + piece + " "
      let last = try server.client()
      try last.send(whole)
      #expect(try last.readReply().status == 400)
    }
  }

  /// Whether a client was told to come again, or found its connection closed.
  private static func isRefused(_ client: SocketClient) -> Bool {
    client.deadline = .milliseconds(1)
    do throws(SocketFailure) {
      try client.awaitArrival()
    } catch .deadline {
      return false
    } catch {
      return true
    }
    // The rest of it may come later than its first bytes.
    client.deadline = patience
    do throws(SocketFailure) {
      let reply = try client.readReply()
      #expect(reply.status == 503)
      #expect(reply["retry-after"] != nil)
    } catch {
      #expect(error != .deadline(read: ""))
    }
    return true
  }
}
