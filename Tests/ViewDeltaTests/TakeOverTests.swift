import CanonicalJSON
import Foundation
import Glibc
import TestSupport
import Testing

/// `viewdelta serve --take-over` beside servers of another build.
@Suite("a server that takes a shared journal over")
struct TakeOverTests {
  private static let board = RedisServeTests.board

  @Test("ends the servers of an older build, and goes on from all that they have acknowledged")
  func newer() async throws {
    try await SocketThread.run {
      let redis = try RedisServer()
      let old = try (1...2).map { _ in try ServeProcess(["--journal", redis.journal]) }
      for (server, name) in zip(old, ["Ida", "Mia"]) {
        #expect(try RedisFaultTests.write(server.client(), name, key: name).status == 201)
      }
      let waiting = try old[1].client()
      let held = try RedisServeTests.revision(waiting, Self.board)
      try waiting.send(
        "GET \(Self.board)/diff?since=\(held)&wait=50 HTTP/1.1\r\nHost: localhost\r\n\r\n")
      let directory = try TemporaryDirectory()
      let binary = try ServeProcess.otherBuild(in: directory.url)
      let new = try ServeProcess(["--journal", redis.journal, "--take-over"], binary: binary)

      // A supervisor starts them again, because they have failed.
      for server in old {
        while try !server.logLine().contains("a server of a newer build takes the journal over") {}
        #expect(try server.exit().code == EX_TEMPFAIL)
      }
      #expect(try waiting.readReply().status == 204)
      let client = try new.client()
      let document = try client.get(Self.board).text
      #expect(document.contains("Ida") && document.contains("Mia"))
      let diff = try client.get("\(Self.board)/diff?since=\(held)").text
      #expect(diff.contains("epoch-changed"))
      // It also has the answers to what may be sent again.
      #expect(try RedisFaultTests.write(client, "Ida", key: "Ida").status == 201)
      #expect(try client.get(Self.board).text == document)

      // The older build can come back at once.
      new.signal(SIGTERM)
      #expect(try new.exit().code == 0)
      let last = try ServeProcess(["--journal", redis.journal])
      #expect(try last.client().get(Self.board).text.contains("Ida"))
    }
  }

  @Test("cuts no reply of an older server that SIGTERM reaches while it ends, as in a deploy")
  func terminated() async throws {
    try await SocketThread.run {
      let redis = try RedisServer()
      let old = try ServeProcess(["--journal", redis.journal])
      let client = try old.client()
      try client.send(
        "POST /v1/users HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{"
      )
      try awaitTrue("the head has come") {
        try old.client().get("/metrics").text.contains("viewdelta_http_requests_in_flight 2")
      }
      try redis.command(#"setex demo:successor 30 {"program":"9"}"#)
      while try !old.logLine().contains("shutting down") {}
      try awaitTrue("it refuses what comes") { (try? old.client()) == nil }
      old.signal(SIGTERM)
      try client.send("}")
      #expect(try client.readReply().status == 503)
      #expect(try old.exit().code == EX_TEMPFAIL)
    }
  }

  @Test("ends an older server that comes back afterwards, so that a supervisor starts another one")
  func late() async throws {
    try await SocketThread.run {
      let redis = try RedisServer()
      let old = try ServeProcess(["--journal", redis.journal])
      // As on a machine that the network has lost.
      old.signal(SIGSTOP)
      try redis.command("client kill type normal")
      let directory = try TemporaryDirectory()
      let binary = try ServeProcess.otherBuild(in: directory.url)
      let new = try ServeProcess(["--journal", redis.journal, "--take-over"], binary: binary)
      old.signal(SIGCONT)
      #expect(try old.exit().code == EX_UNAVAILABLE)
      #expect(try RedisFaultTests.write(new.client(), "Ida").status == 201)
    }
  }

  @Test("does not end servers of a newer build")
  func older() async throws {
    try await SocketThread.run {
      let redis = try RedisServer()
      let directory = try TemporaryDirectory()
      let binary = try ServeProcess.otherBuild(in: directory.url)
      let new = try ServeProcess(["--journal", redis.journal], binary: binary)
      try ServeProcess.expectRefusal(
        ["serve", "--port", "0", "--journal", redis.journal, "--take-over"], 69,
        "the journal: servers with another build of the program use it: stop them all before, or start a newer build "
          + "with --take-over")
      #expect(try RedisFaultTests.write(new.client(), "Ida").status == 201)
    }
  }

  @Test("keeps an older build out, also before it has started itself")
  func claim() async throws {
    try await SocketThread.run {
      let redis = try RedisServer()
      // What a server leaves that has asked others to end, and starts again.
      try redis.command(#"setex demo:successor 30 {"program":"9"}"#)
      try ServeProcess.expectRefusal(
        ["serve", "--port", "0", "--journal", redis.journal], 69,
        "the journal: servers with another build of the program use it: stop them all before, or start a newer build "
          + "with --take-over")
      try redis.command("del demo:successor")
      let server = try ServeProcess(["--journal", redis.journal])
      #expect(try server.client().get("/readyz").status == 200)
    }
  }
}
