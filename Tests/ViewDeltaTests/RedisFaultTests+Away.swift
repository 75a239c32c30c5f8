import Glibc
import TestSupport
import Testing

/// Redis that is away, or takes no changes.
extension RedisFaultTests {
  @Test("shows all while Redis is away, refuses changes, and goes on when it is back")
  func away() async throws {
    try await SocketThread.run {
      let pair = try ServerPair()
      #expect(try Self.write(pair.clients[0], "Ida").status == 201)
      let since = try RedisServeTests.revision(pair.clients[0], RedisServeTests.board)
      try RedisServeTests.catchUp(pair.clients[1], RedisServeTests.board, since)
      pair.redis.kill()
      for client in pair.clients {
        try Self.wait(for: #"{"status":"degraded"}"#) { try client.get("/readyz").text }
        let reply = try Self.write(client, "Lost")
        #expect(reply.status == 503 && reply["retry-after"] == "1")
        #expect(reply.text.contains(#""code":"not-recorded""#))
        #expect(try client.get(RedisServeTests.board).text.contains("Ida"))
        #expect(try client.get("\(RedisServeTests.board)/diff?since=\(since)").status == 204)
      }
      try pair.redis.restart()
      for (client, name) in zip(pair.clients, ["Mia", "Noa"]) {
        try Self.wait(for: name) { try Self.write(client, name).text }
        try Self.wait(for: #"{"status":"ready"}"#) { try client.get("/readyz").text }
      }
      let last = try RedisServeTests.revision(pair.clients[1], RedisServeTests.board)
      try RedisServeTests.catchUp(pair.clients[0], RedisServeTests.board, last)
      try RedisServeTests.catchUp(pair.clients[0], RedisServeTests.board, since)
      let bodies = try pair.clients.map { try $0.get(RedisServeTests.board).body }
      #expect(bodies[0] == bodies[1])
      let text = String(decoding: bodies[0], as: UTF8.self)
      #expect(text.contains("Mia") && text.contains("Noa") && !text.contains("Lost"))
    }
  }

  @Test("says at once that a change is not recorded if Redis has no memory, and the log says why")
  func full() async throws {
    try await SocketThread.run {
      let redis = try RedisServer()
      let server = try ServeProcess(["--journal", redis.journal])
      let client = try server.client()
      try redis.command("config set maxmemory 1")
      for _ in 1...2 {
        let reply = try Self.write(client, "Lost")
        #expect(reply.status == 503 && reply.text.contains(#""code":"not-recorded""#))
      }
      try redis.command("config set maxmemory 0")
      try Self.wait(for: "Ida") { try Self.write(client, "Ida").text }
      #expect(try !client.get(RedisServeTests.board).text.contains("Lost"))
      var line = try server.logLine()
      while !line.contains("OOM") { line = try server.logLine() }
      #expect(line.contains("the journal fails, so each change gets a 503"), "\(line)")
      // Nothing more is told until it works again.
      #expect(try server.logLine().contains("the journal works again"))
    }
  }

  @Test("starts again until it can use Redis if it has served before")
  func awayAtRestart() async throws {
    try await SocketThread.run {
      let redis = try RedisServer()
      let server = try ServeProcess(["--journal", redis.journal])
      #expect(try Self.write(server.client(), "Ida").status == 201)
      let before = try RedisServeTests.revision(server.client(), RedisServeTests.board)
      // It has its connections, and gets no others.
      try redis.command("config set requirepass secret")
      try redis.command("-a secret flushall")
      var line = try server.logLine()
      while !line.contains("so the server starts again") { line = try server.logLine() }
      #expect(line.contains("the journal cannot be used") && line.contains("NOAUTH"), "\(line)")
      try redis.command("-a secret acl setuser default nopass")
      let reset = try Self.wait(for: "epoch-changed") {
        try server.client().get("\(RedisServeTests.board)/diff?since=\(before)").text
      }
      #expect(reset.contains("Ida"))
    }
  }

  @Test("gets no new clients while it cannot know what others have changed, and shows what it has")
  func behind() async throws {
    try await SocketThread.run {
      let pair = try ServerPair()
      kill(pair.redis.identifier, SIGSTOP)
      for client in pair.clients {
        let text = try Self.wait(for: #""code":"behind""#) { try client.get("/readyz").text }
        #expect(text.contains(#""status":503"#))
        #expect(try client.get("/metrics").text.contains("\nviewdelta_journal_current 0\n"))
        #expect(try client.get(RedisServeTests.board).status == 200)
      }
      kill(pair.redis.identifier, SIGCONT)
      for client in pair.clients {
        try Self.wait(for: #"{"status":"ready"}"#) { try client.get("/readyz").text }
      }
    }
  }
}
