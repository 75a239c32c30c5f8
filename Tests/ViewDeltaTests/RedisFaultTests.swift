import CanonicalJSON
import Foundation
import Glibc
import TestSupport
import Testing
import ViewDeltaClient

/// What goes wrong with servers that share a journal.
@Suite("viewdelta serve on a shared journal with faults")
struct RedisFaultTests {
  private static let players = "/v1/scoreboards/1/players"

  static func write(
    _ client: SocketClient, _ name: String, key: String? = nil
  ) throws -> HTTPReply {
    let fields = key.map { ["Idempotency-Key: \($0)"] } ?? []
    return try client.request(
      "POST", players, fields: fields, json: #"{"name":"\#(name)","score":1}"#)
  }

  /// Asks until the answer has a text.
  @discardableResult
  static func wait(for text: String, _ ask: () throws -> String) throws -> String {
    try awaitAnswer(text) {
      guard let answer = try? ask(), answer.contains(text) else { return nil }
      return answer
    }
  }

  @Test(
    "takes no address of another scheme or without slashes, and does not show its password",
    arguments: ["rediss://", "redis:", "Redis://", "a/s3://"])
  func scheme(_ scheme: String) async throws {
    try await SocketThread.run {
      let result = try ServeProcess.run(
        ["serve", "--port", "0", "--journal", "\(scheme)me:secret@host/x"])
      #expect(result.code == 64)
      #expect(
        result.errors.contains("--journal does not support \"\(scheme)\": it takes a file or"))
      #expect(!result.errors.contains("secret"))
    }
  }

  @Test("takes the password of Redis from the environment, where no other user sees it")
  func password() async throws {
    try await SocketThread.run {
      let redis = try RedisServer()
      try redis.command("config set requirepass secret")
      let server = try ServeProcess(
        ["--journal", redis.journal], shell: "export VIEWDELTA_REDIS_PASSWORD=secret")
      #expect(try Self.write(server.client(), "Ida").status == 201)
      let refused = try ServeProcess.run(["serve", "--port", "0", "--journal", redis.journal])
      #expect(refused.code == 69 && refused.errors.contains("NOAUTH"))
    }
  }

  @Test("does not start with other options than the servers that run, and names the option")
  func options() async throws {
    try await SocketThread.run {
      let redis = try RedisServer()
      let server = try ServeProcess(["--journal", redis.journal])
      for (option, value, other) in [
        ("--load-timeout", "3s", "10s"), ("--state-memory", "100", "256"),
      ] {
        try ServeProcess.expectRefusal(
          ["serve", "--port", "0", "--journal", redis.journal, option, value], 69,
          "the journal: servers with \(option) \(other) use it")
      }
      try Self.wait(for: #"{"status":"ready"}"#) { try server.client().get("/readyz").text }
      server.signal(SIGKILL)
      _ = try server.exit()
      // Alone it takes the journal over.
      let next = try ServeProcess(["--journal", redis.journal, "--load-timeout", "3s"])
      #expect(try Self.write(next.client(), "Ida").status == 201)
    }
  }

  @Test(
    "does not start with another build beside servers that run; without them clients get new tokens for what they have"
  )
  func build() async throws {
    try await SocketThread.run {
      let redis = try RedisServer()
      let server = try ServeProcess(["--journal", redis.journal])
      #expect(try Self.write(server.client(), "Ida").status == 201)
      let held = try Replica(document: server.client().get(RedisServeTests.board).body)
      let directory = try TemporaryDirectory()
      let other = try ServeProcess.otherBuild(in: directory.url)
      let arguments = ["--journal", redis.journal]
      let refused = try ServeProcess.run(["serve", "--port", "0"] + arguments, binary: other)
      #expect(refused.code == 69)
      let reason =
        "servers with another build of the program use it: stop them all before, or start a newer build with --take-over"
      #expect(refused.errors == "viewdelta: the journal: \(reason)\n")
      server.signal(SIGTERM)
      _ = try server.exit()

      // Two start at once, as in an upgrade. What they have is the same, and so are their tokens.
      let next = try (1...2).map { _ in try ServeProcess(arguments, binary: other) }
      let replies = try next.map { server in
        try Self.wait(for: "epoch-changed") {
          try server.client().get("\(RedisServeTests.board)/diff?since=\(held.revision)").text
        }
      }
      #expect(replies[0].contains("Ida") && replies[0] == replies[1])
      // Who says what it has gets the new token alone, and goes on from there.
      let have = ContentHash(of: held.snapshot)
      let tokens = try next.map { server in
        let same = try server.client().get(
          "\(RedisServeTests.board)/diff?since=\(held.revision)&have=\(have)")
        #expect(same.status == 204)
        return try #require(same["view-revision"])
      }
      #expect(tokens[0] == tokens[1] && tokens[0] != "\(held.revision)")
      #expect(try Self.write(next[0].client(), "Mia").status == 201)
      let diff = try Self.wait(for: "Mia") {
        try next[1].client().get("\(RedisServeTests.board)/diff?since=\(tokens[1])").text
      }
      #expect(diff.contains(#""kind":"diff""#))
    }
  }

  @Test("answers a change once a replica of Redis has it, and says if none has it in time")
  func replicas() async throws {
    try await SocketThread.run {
      // It waits 5 s for other replicas otherwise.
      let redis = try RedisServer(RedisServer.durability + ["--repl-diskless-sync-delay", "0"])
      let replica = try RedisServer(
        RedisServer.durability + ["--replicaof", "127.0.0.1", "\(redis.port)"])
      let server = try ServeProcess(["--journal", redis.journal, "--redis-replicas", "1"])
      let client = try server.client()
      // It may have to copy all first.
      try Self.wait(for: "Ida") { try Self.write(client, "Ida", key: "first").text }
      kill(replica.identifier, SIGSTOP)
      let reply = try Self.write(client, "Mia", key: "second")
      #expect(reply.status == 503 && reply.text.contains(#""code":"unconfirmed""#))
      #expect(try client.get(RedisServeTests.board).text.contains("Mia"))
      try Self.wait(for: #"{"status":"degraded"}"#) { try client.get("/readyz").text }
      #expect(try client.get("/metrics").text.contains("\nviewdelta_journal_up 0\n"))
      kill(replica.identifier, SIGCONT)
      try Self.wait(for: #""id""#) { try Self.write(client, "Noa", key: "third").text }
      try Self.wait(for: #"{"status":"ready"}"#) { try client.get("/readyz").text }
      try Self.wait(for: #""id""#) { try Self.write(client, "Mia", key: "second").text }
      let players = try client.json(Self.players).elements().map {
        try $0.member("name").string().string
      }
      #expect(["Ida", "Mia", "Noa"].allSatisfy { name in players.count { $0 == name } == 1 })
    }
  }

  @Test("has each write that was answered, after Redis and a server were killed among many writers")
  func writers() async throws {
    try await SocketThread.run {
      let pair = try ServerPair()
      // Redis, then a server, are killed while eight write to both.
      let acknowledged = try ManyWriters.write(
        to: pair.servers.map(\.port),
        kills: [100: pair.redis.identifier, 150: pair.servers[0].identifier])
      #expect(acknowledged.count > 50)
      pair.redis.kill()
      try pair.redis.restart()
      let third = try ServeProcess(["--journal", pair.redis.journal])
      let clients = try [pair.servers[1].client(), third.client()]
      try Self.wait(for: "Ida") { try Self.write(clients[0], "Ida").text }
      let last = try RedisServeTests.revision(clients[0], RedisServeTests.board)
      try RedisServeTests.catchUp(clients[1], RedisServeTests.board, last)
      let bodies = try clients.map { try $0.get("\(ManyWriters.path)?limit=1000").body }
      #expect(bodies[0] == bodies[1])
      let posts = try JSONReader(JSONValue(parsing: bodies[0])).elements()
      let titles = try posts.map { try $0.member("title").string().string }
      #expect(acknowledged.isSubset(of: titles))
      #expect(Set(titles).count == titles.count)
    }
  }

  @Test("ends the loads of a server that was killed")
  func loads() async throws {
    try await SocketThread.run {
      let redis = try RedisServer()
      let options = ["--journal", redis.journal, "--load-timeout", "2s"]
      let first = try ServeProcess(options + ["--latency", "60s"])
      let second = try ServeProcess(options + ["--latency", "1ms"])
      let client = try second.client()
      let reply = try first.client().send(
        "POST", RedisServeTests.profile + "/commands", ["type": "appear"])
      first.signal(SIGKILL)
      let token = try JSONReader(JSONValue(parsing: reply.body)).member("revision").string()
      try RedisServeTests.catchUp(client, RedisServeTests.profile, token.string)
      let settled = try client.settled(RedisServeTests.profile)
      #expect(settled.text.contains(#""states":{"posts":"loaded","profile":"loaded""#))
    }
  }

  @Test(
    "keeps the data if another Redis is in its place, which has nothing",
    arguments: [RedisServer.durability, []])
  func replacement(options: [String]) async throws {
    try await SocketThread.run {
      let pair = try ServerPair()
      #expect(try Self.write(pair.clients[0], "Ida", key: "one").status == 201)
      let held = try Replica(document: pair.clients[0].get(RedisServeTests.board).body)
      try RedisServeTests.catchUp(pair.clients[1], RedisServeTests.board, "\(held.revision)")
      try pair.redis.replace(options)
      for server in pair.servers {
        let path = "\(RedisServeTests.board)/diff?since=\(held.revision)"
        let reset = try Self.wait(for: "epoch-changed") { try server.client().get(path).text }
        #expect(reset.contains("Ida"))
        let same = try server.client().get("\(path)&have=\(ContentHash(of: held.snapshot))")
        #expect(same.status == 204)
        // The key is remembered, too.
        let again = try Self.wait(for: "Ida") {
          try Self.write(server.client(), "Ida", key: "one").text
        }
        #expect(again.contains(#""id":8"#))
      }
    }
  }

  @Test(
    "starts anew as the same program if the file of the program is gone or another one by then",
    arguments: [nil, "#!/bin/sh\nexit 3\n"])
  func program(replacement: String?) async throws {
    try await SocketThread.run {
      let directory = try TemporaryDirectory()
      let program = directory.url.appending(path: "viewdelta")
      try FileManager.default.copyItem(at: ServeProcess.binary, to: program)
      let redis = try RedisServer()
      let server = try ServeProcess(["--journal", redis.journal], binary: program)
      #expect(try Self.write(server.client(), "Ida").status == 201)
      let before = try RedisServeTests.revision(server.client(), RedisServeTests.board)
      if let replacement {
        try Data(replacement.utf8).write(to: program, options: .atomic)
        try FileManager.default.setAttributes(
          [.posixPermissions: 0o700], ofItemAtPath: program.path)
      } else {
        try FileManager.default.removeItem(at: program)
      }
      try redis.command("flushall")
      let reset = try Self.wait(for: #""reason":"epoch-changed""#) {
        try server.client().get("\(RedisServeTests.board)/diff?since=\(before)").text
      }
      #expect(reset.contains("Ida"))
    }
  }

  @Test("says only that its port is in use, while others change what it has in the journal")
  func portInUse() async throws {
    try await SocketThread.run {
      let redis = try RedisServer()
      let server = try ServeProcess(["--journal", redis.journal])
      let command = """
        curl -sf -o /dev/null --json '{"type":"setScore","player":1,"score":'$((RANDOM % 900))'}' \
          http://127.0.0.1:\(server.port)\(RedisServeTests.board)/commands
        """
      let writers = try Background("for n in {1..6}; do while \(command); do :; done & done; wait")
      // They end with the server.
      defer {
        server.signal(SIGKILL)
        withExtendedLifetime(writers) {}
      }
      let client = try server.client()
      for _ in 0..<6 {
        // The others write before each start, or else this tests nothing.
        let before = try RedisServeTests.revision(client, RedisServeTests.board)
        let change = try client.get("\(RedisServeTests.board)/diff?since=\(before)&wait=55")
        #expect(change.status == 200)
        try ServeProcess.expectRefusal(
          ["serve", "--port", "\(server.port)", "--journal", redis.journal], 69,
          "--port: \(server.port) on 127.0.0.1 is already in use")
      }
    }
  }

  @Test("keeps the data if Redis has lost it, under other revisions")
  func loss() async throws {
    try await SocketThread.run {
      let pair = try ServerPair()
      #expect(try Self.write(pair.servers[0].client(), "Ida").status == 201)
      let before = try RedisServeTests.revision(pair.servers[0].client(), RedisServeTests.board)
      try RedisServeTests.catchUp(pair.servers[1].client(), RedisServeTests.board, before)
      try pair.redis.command("flushall")
      let replies = try pair.servers.map { server in
        try Self.wait(for: #""reason":"epoch-changed""#) {
          try server.client().get("\(RedisServeTests.board)/diff?since=\(before)").text
        }
      }
      #expect(replies[0].contains("Ida") && replies[0] == replies[1])
      #expect(try Self.write(pair.servers[1].client(), "Mia").status == 201)
      // Each reads on one connection and writes on another. Those from before it started anew would hide its end.
      try Self.wait(for: "4 connections") {
        let list = try pair.redis.command("client list").split(separator: "\n")
        return "\(list.count { $0.contains(" name=viewdelta") }) connections"
      }
      // Operators find it under the name that it had.
      for server in pair.servers {
        let name = try String(contentsOfFile: "/proc/\(server.identifier)/comm", encoding: .utf8)
        #expect(name == "viewdelta\n")
      }
    }
  }
}
