import CanonicalJSON
import Foundation
import Glibc
import TestSupport
import Testing

@Suite("A signal")
struct SignalTests {
  @Test("ends the server cleanly, idle connections or not", arguments: [SIGINT, SIGTERM])
  func clean(signal: Int32) async throws {
    try await SocketThread.run {
      let server = try ServeProcess()
      let idle = try server.client()
      #expect(try idle.get("/readyz").status == 200)
      server.signal(signal)
      let end = try server.exit()
      #expect(end.code == 0 && end.reason == .exit)
    }
  }

  @Test("lets a large reply on its way be read to its end")
  func largeReply() async throws {
    try await SocketThread.run {
      let (server, reader) = try Self.serverWithSlowReader()
      server.signal(SIGTERM)
      try Self.waitUntilRefusing(server)
      let reply = try reader.readReply()
      #expect(reply.body.count > 8_000_000)
      #expect(try server.exit().code == 0)
    }
  }

  @Test("that comes a second time ends it at once")
  func second() async throws {
    try await SocketThread.run {
      let (server, reader) = try Self.serverWithSlowReader()
      server.signal(SIGTERM)
      try Self.waitUntilRefusing(server)
      #expect(server.isRunning)
      server.signal(SIGTERM)
      #expect(try server.exit().code == 128 + SIGTERM)
      reader.close()
    }
  }

  @Test(
    "that means nothing to it ends nothing: SIGHUP, SIGPIPE, or a pause",
    arguments: [
      SIGHUP, SIGPIPE, SIGSTOP,
    ])
  func harmless(signal: Int32) async throws {
    try await SocketThread.run {
      let server = try ServeProcess()
      server.signal(signal)
      server.signal(SIGCONT)
      for _ in 0..<20 {
        let client = try server.client()
        try client.send("GET /v1/view-models HTTP/1.1\r\nHost: localhost\r\n\r\n")
        client.reset()
      }
      #expect(try server.client().get("/healthz").status == 200)
    }
  }

  /// A server with a client that has asked for eight megabytes and reads none of them yet.
  private static func serverWithSlowReader() throws -> (ServeProcess, SocketClient) {
    let posts = (1...128).map { id in
      JSONValue.object([
        "id": .integer(id), "userId": 1, "title": "Long",
        "body": .string(String(repeating: "x", count: 64_000)),
      ])
    }
    let data: JSONValue = ["users": [["id": 1, "name": "A"]], "posts": .array(posts)]
    let server = try ServeProcess(["--latency", "0ms"], data: DataFile(data.canonicalBytes()))
    let client = try server.client()
    let screen = "/v1/view-models/profile/1"
    try client.send("POST", screen + "/commands", ["type": "loadPosts"])
    _ = try client.settled(screen)
    let reader = try server.client(receiveBuffer: 4_096)
    try reader.send("GET \(screen) HTTP/1.1\r\nHost: localhost\r\n\r\n")
    // Once the next request on another connection is served, this one's reply is on its way.
    _ = try client.get("/healthz")
    return (server, reader)
  }

  /// New clients are refused as the first thing.
  private static func waitUntilRefusing(_ server: ServeProcess) throws {
    let end = ContinuousClock.now + ServeProcess.deadline
    while ContinuousClock.now < end {
      do { _ = try server.client().get("/healthz") } catch { return }
    }
    throw LawViolation("the server still takes new clients")
  }
}
