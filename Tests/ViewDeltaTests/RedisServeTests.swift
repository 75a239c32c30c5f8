import CanonicalJSON
import Foundation
import Glibc
import TestSupport
import Testing
import ViewDeltaClient

/// `viewdelta serve --journal redis://HOST:PORT/NAME` with two servers.
@Suite("viewdelta serve on a shared journal")
struct RedisServeTests {
  static let board = "/v1/view-models/scoreboard/1"
  static let profile = "/v1/view-models/profile/1"

  /// The name of the revision that a view model has.
  static func revision(_ client: SocketClient, _ screen: String) throws -> String {
    try client.json(screen).member("revision").string().string
  }

  /// Asks a server for what a client with a revision of another one has to know, and requires that it is no reset.
  static func catchUp(_ client: SocketClient, _ screen: String, _ since: String) throws {
    let reply = try client.get("\(screen)/diff?since=\(since)", fields: ["Prefer: return=diff"])
    try require(
      reply.status == 204 || reply.text.contains(#""kind":"diff""#),
      "\(reply.status): \(reply.text)")
  }

  @Test("answers on each server with the same bytes, whichever server took the changes")
  func same() async throws {
    try await SocketThread.run {
      let redis = try RedisServer()
      let servers = try (1...2).map { _ in
        try ServeProcess(["--journal", redis.journal, "--latency", "1ms"])
      }
      let clients = try servers.map { try $0.client() }
      let before = try Self.revision(clients[1], Self.board)
      for number in 1...20 {
        try clients[number % 2].send(
          "POST", "/v1/scoreboards/1/players", ["name": "P\(number)", "score": .integer(number)])
      }
      try clients[1].send("POST", Self.profile + "/commands", ["type": "appear"])
      _ = try clients[1].settled(Self.profile)
      for screen in [Self.board, Self.profile] {
        for (here, there) in [(0, 1), (1, 0)] {
          try Self.catchUp(clients[there], screen, Self.revision(clients[here], screen))
        }
        #expect(try clients[0].get(screen).body == clients[1].get(screen).body, "\(screen)")
        let diffs = try clients.map { try $0.get("\(Self.board)/diff?since=\(before)").body }
        #expect(diffs[0] == diffs[1])
      }
      let players = try clients.map { try $0.json("/v1/scoreboards/1/players").elements().count }
      #expect(players[0] == players[1])
    }
  }

  @Test("shows a client its own writes on the other server, by the revision that it got")
  func ownWrites() async throws {
    try await SocketThread.run {
      let redis = try RedisServer()
      let servers = try (1...2).map { _ in try ServeProcess(["--journal", redis.journal]) }
      let clients = try servers.map { try $0.client() }
      for number in 1...50 {
        let (here, there) = (clients[number % 2], clients[(number + 1) % 2])
        let reply = try here.send(
          "POST", Self.profile + "/commands", ["type": number % 2 == 0 ? "appear" : "cancelPosts"])
        let token = try JSONReader(JSONValue(parsing: reply.body)).member("revision").string()
        // Each way in which a client names a revision.
        let other: HTTPReply
        switch number % 3 {
        case 0: other = try there.get("\(Self.profile)/diff?since=\(token)")
        case 1: other = try there.get("\(Self.profile)?at=\(token)")
        default:
          other = try there.request(
            "POST", "/v1/sync", fields: ["Content-Type: application/json"],
            body: #"{"screens":{"profile/1":{"since":"\#(token)"}}}"#)
        }
        #expect(other.status == 200 || other.status == 204, "\(other.status) \(other.text)")
        #expect(!other.text.contains(#""kind":"reset""#), "\(other.text)")
      }
      // A revision that the journal does not have is told so.
      let token = try Self.revision(clients[0], Self.profile)
      let later = token.prefix { $0 != "." } + ".99999"
      let reply = try clients[1].get("\(Self.profile)/diff?since=\(later)")
      #expect(reply.text.contains(#""reason":"future-revision""#))
    }
  }

  @Test("wakes the polls of all servers, and remembers keys and checks revisions for all")
  func waiting() async throws {
    try await SocketThread.run {
      let redis = try RedisServer()
      let servers = try (1...2).map { _ in try ServeProcess(["--journal", redis.journal]) }
      let clients = try servers.map { try $0.client() }
      let since = try Self.revision(clients[1], Self.board)
      let target = "\(Self.board)/diff?since=\(since)&wait=30"
      try clients[1].send("GET \(target) HTTP/1.1\r\nHost: localhost\r\n\r\n")
      let fields = ["Content-Type: application/json", "Idempotency-Key: once"]
      let body = #"{"name":"Ida","score":7}"#
      let path = "/v1/scoreboards/1/players"
      let first = try clients[0].request("POST", path, fields: fields, body: body)
      #expect(first.status == 201)
      #expect(try clients[1].readReply().text.contains("Ida"))
      let again = try clients[1].request("POST", path, fields: fields, body: body)
      #expect(again.status == 201 && again.body == first.body)

      let token = try Self.revision(clients[0], Self.profile)
      func appear(_ client: SocketClient) throws -> HTTPReply {
        try client.request(
          "POST", Self.profile + "/commands",
          fields: ["Content-Type: application/json", #"If-Match: "\#(token)""#],
          body: #"{"type":"appear"}"#)
      }
      #expect(try appear(clients[0]).status == 202)
      #expect(try appear(clients[1]).status == 412)
    }
  }
}

/// What goes wrong with servers that share a journal.
@Suite("viewdelta serve on a shared journal with faults")
struct RedisFaultTests {
  private static let players = "/v1/scoreboards/1/players"

  private static func write(_ client: SocketClient, _ name: String) throws -> HTTPReply {
    try client.request(
      "POST", players, fields: ["Content-Type: application/json"],
      body: #"{"name":"\#(name)","score":1}"#)
  }

  /// Asks until the answer has a text.
  @discardableResult
  private static func wait(for text: String, _ ask: () throws -> String) throws -> String {
    let end = ContinuousClock.now + ServeProcess.deadline
    while true {
      if let answer = try? ask(), answer.contains(text) { return answer }
      guard ContinuousClock.now < end else { throw LawViolation("\(text) does not come") }
    }
  }

  @Test("does not start with other options than the servers that run, and names the option")
  func options() async throws {
    try await SocketThread.run {
      let redis = try RedisServer()
      let server = try ServeProcess(["--journal", redis.journal])
      for (option, value) in [("--load-timeout", "3s"), ("--state-memory", "100")] {
        try ServeProcess.expectRefusal(
          ["serve", "--port", "0", "--journal", redis.journal, option, value], 69,
          "the journal: servers with another \(option) use it")
      }
      #expect(try server.client().get("/readyz").text == #"{"status":"ready"}"#)
      server.signal(SIGKILL)
      _ = try server.exit()
      // Alone it takes the journal over.
      let next = try ServeProcess(["--journal", redis.journal, "--load-timeout", "3s"])
      #expect(try Self.write(next.client(), "Ida").status == 201)
    }
  }

  @Test("shows all while Redis is away, refuses changes, and goes on when it is back")
  func away() async throws {
    try await SocketThread.run {
      let redis = try RedisServer()
      let servers = try (1...2).map { _ in try ServeProcess(["--journal", redis.journal]) }
      let clients = try servers.map { try $0.client() }
      #expect(try Self.write(clients[0], "Ida").status == 201)
      let since = try RedisServeTests.revision(clients[0], RedisServeTests.board)
      try RedisServeTests.catchUp(clients[1], RedisServeTests.board, since)
      redis.kill()
      for client in clients {
        try Self.wait(for: "degraded") { try client.get("/readyz").text }
        let reply = try Self.write(client, "Lost")
        #expect(reply.status == 503 && reply["retry-after"] == "1")
        #expect(reply.text.contains(#""code":"not-recorded""#))
        #expect(try client.get(RedisServeTests.board).text.contains("Ida"))
        #expect(try client.get("\(RedisServeTests.board)/diff?since=\(since)").status == 204)
      }
      try redis.restart()
      for (client, name) in zip(clients, ["Mia", "Noa"]) {
        try Self.wait(for: name) { try Self.write(client, name).text }
        #expect(try client.get("/readyz").text == #"{"status":"ready"}"#)
      }
      let last = try RedisServeTests.revision(clients[1], RedisServeTests.board)
      try RedisServeTests.catchUp(clients[0], RedisServeTests.board, last)
      try RedisServeTests.catchUp(clients[0], RedisServeTests.board, since)
      let bodies = try clients.map { try $0.get(RedisServeTests.board).body }
      #expect(bodies[0] == bodies[1])
      let text = String(decoding: bodies[0], as: UTF8.self)
      #expect(text.contains("Mia") && text.contains("Noa") && !text.contains("Lost"))
    }
  }

  @Test("has each write that was answered, after Redis and a server were killed among many writers")
  func writers() async throws {
    try await SocketThread.run {
      let redis = try RedisServer()
      let servers = try (1...2).map { _ in try ServeProcess(["--journal", redis.journal]) }
      let path = "/v1/users/1/posts"
      // Redis, then a server, are killed while eight write to both.
      let write = """
        [ {} != 100 ] || kill -9 \(redis.identifier)
        [ {} != 200 ] || kill -9 \(servers[0].identifier)
        curl -sf -o /dev/null --json '{"title":"Number {}","body":"Text"}' \
          http://127.0.0.1:$(( {} % 2 == 0 ? \(servers[0].port) : \(servers[1].port) ))\(path) \
          && echo 'Number {}' || true
        """
      let script = "seq 300 | xargs -P 8 -I{} sh -c '\(write.replacing("'", with: "'\\''"))'"
      let acknowledged = Set(try Shell.run(script).output.split(separator: "\n").map(String.init))
      #expect(acknowledged.count > 50)
      redis.kill()
      try redis.restart()
      let third = try ServeProcess(["--journal", redis.journal])
      let clients = try [servers[1].client(), third.client()]
      try Self.wait(for: "Ida") { try Self.write(clients[0], "Ida").text }
      let last = try RedisServeTests.revision(clients[0], RedisServeTests.board)
      try RedisServeTests.catchUp(clients[1], RedisServeTests.board, last)
      let bodies = try clients.map { try $0.get("\(path)?limit=1000").body }
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

  @Test("keeps the data if Redis has lost it, under other revisions")
  func loss() async throws {
    try await SocketThread.run {
      let redis = try RedisServer()
      let servers = try (1...2).map { _ in try ServeProcess(["--journal", redis.journal]) }
      #expect(try Self.write(servers[0].client(), "Ida").status == 201)
      let before = try RedisServeTests.revision(servers[0].client(), RedisServeTests.board)
      try RedisServeTests.catchUp(servers[1].client(), RedisServeTests.board, before)
      try redis.command("flushall")
      let replies = try servers.map { server in
        try Self.wait(for: #""reason":"epoch-changed""#) {
          try server.client().get("\(RedisServeTests.board)/diff?since=\(before)").text
        }
      }
      #expect(replies[0].contains("Ida") && replies[0] == replies[1])
      #expect(try Self.write(servers[1].client(), "Mia").status == 201)
    }
  }
}
