import CanonicalJSON
import Foundation
import Glibc
import TestSupport
import Testing

/// `viewdelta serve --journal redis://HOST:PORT/NAME` with two servers.
@Suite("viewdelta serve on a shared journal")
struct RedisServeTests {
  static let board = "/v1/view-models/scoreboard/1"
  static let profile = "/v1/view-models/profile/1"

  /// The name of the revision that a view model has.
  static func revision(_ client: SocketClient, _ viewModel: String) throws -> String {
    try client.json(viewModel).member("revision").string().string
  }

  /// Asks again as long as the server says by 503 that it has not applied yet what others have.
  private static func reply(_ ask: () throws -> HTTPReply) throws -> HTTPReply {
    try awaitAnswer("another answer than 503") {
      let reply = try ask()
      return reply.status == 503 ? nil : reply
    }
  }

  /// Asks a server for what a client with a revision of another one has to know, and requires that it is no reset.
  static func catchUp(_ client: SocketClient, _ viewModel: String, _ since: String) throws {
    let reply = try Self.reply {
      try client.get("\(viewModel)/diff?since=\(since)", fields: ["Prefer: return=diff"])
    }
    try require(
      reply.status == 204 || reply.text.contains(#""kind":"diff""#),
      "\(reply.status): \(reply.text)")
  }

  @Test("answers on each server with the same bytes, whichever server took the changes")
  func same() async throws {
    try await SocketThread.run {
      let pair = try ServerPair(["--latency", "1ms"])
      let before = try Self.revision(pair.clients[1], Self.board)
      for number in 1...20 {
        try pair.clients[number % 2].send(
          "POST", "/v1/scoreboards/1/players", ["name": "P\(number)", "score": .integer(number)])
      }
      try pair.clients[1].send("POST", Self.profile + "/commands", ["type": "appear"])
      _ = try pair.clients[1].settled(Self.profile)
      for viewModel in [Self.board, Self.profile] {
        for (here, there) in [(0, 1), (1, 0)] {
          try Self.catchUp(
            pair.clients[there], viewModel, Self.revision(pair.clients[here], viewModel))
        }
        #expect(
          try pair.clients[0].get(viewModel).body == pair.clients[1].get(viewModel).body,
          "\(viewModel)")
        let diffs = try pair.clients.map { try $0.get("\(Self.board)/diff?since=\(before)").body }
        #expect(diffs[0] == diffs[1])
      }
      let players = try pair.clients.map {
        try $0.json("/v1/scoreboards/1/players").elements().count
      }
      #expect(players[0] == players[1])
    }
  }

  @Test("agrees with the other server on what changes have done, whoever has read what")
  func agreement() async throws {
    try await SocketThread.run {
      let pair = try ServerPair(["--latency", "1ms"])
      let session = "form/1@abcdefghijklmnopqrstuv"
      for number in 1...1_100 {
        let client = pair.clients[number % 3 % 2]
        // Some are refused, which is an input as well.
        let (path, body): (String, JSONValue) =
          switch number % 8 {
          case 0: (Self.profile + "/commands", ["type": "appear"])
          case 1: ("/v1/users/1/posts", ["title": "Post \(number)", "body": "Text"])
          case 2: ("/v1/view-models/\(session)/commands", ["type": "reset"])
          case 3: ("/v1/view-models/podcasts/1/commands", ["type": "appear"])
          case 4: ("/v1/companies", ["name": "Firm \(number)", "city": "B", "taxNumber": "1"])
          case 5:
            ("/v1/view-models/scoreboards/1/commands", ["type": "removePlayer", "player": "1"])
          default:
            (
              "/v1/scoreboards/\(number % 2 + 1)/players",
              ["name": "P\(number)", "score": .integer(number)]
            )
          }
        _ = try client.request(
          "POST", path, json: "\(body)")
        // What is only read has a place on one server.
        let viewModels = ["scoreboard/1", "scoreboards/1", "profile/2", session, "catalog/1"]
        _ = try pair.clients[0].get("/v1/view-models/\(viewModels[number % viewModels.count])")
      }
      try awaitTrue("the servers compare themselves") { try pair.redis.digests().count >= 2 }
      let digests = try pair.redis.digests()
      #expect(digests[0] == digests[1])
    }
  }

  @Test("shows a client its own writes on the other server, by the revision that it got")
  func ownWrites() async throws {
    try await SocketThread.run {
      let pair = try ServerPair()
      for number in 1...50 {
        let (here, there) = (pair.clients[number % 2], pair.clients[(number + 1) % 2])
        let reply = try here.send(
          "POST", Self.profile + "/commands", ["type": number % 2 == 0 ? "appear" : "cancelPosts"])
        let token = try JSONReader(JSONValue(parsing: reply.body)).member("revision").string()
        // Each way in which a client names a revision.
        let other = try Self.reply {
          switch number % 3 {
          case 0: try there.get("\(Self.profile)/diff?since=\(token)")
          case 1: try there.get("\(Self.profile)?at=\(token)")
          default:
            try there.request(
              "POST", "/v1/sync", json: #"{"screens":{"profile/1":{"since":"\#(token)"}}}"#)
          }
        }
        #expect(other.status == 200 || other.status == 204, "\(other.status) \(other.text)")
        #expect(!other.text.contains(#""kind":"reset""#), "\(other.text)")
      }
      // A revision that the journal does not have is told so.
      let token = try Self.revision(pair.clients[0], Self.profile)
      let later = token.prefix { $0 != "." } + ".99999"
      let reply = try Self.reply { try pair.clients[1].get("\(Self.profile)/diff?since=\(later)") }
      #expect(reply.text.contains(#""reason":"future-revision""#))
    }
  }

  @Test("finds what another server has just created, for a command that names no revision")
  func createdElsewhere() async throws {
    try await SocketThread.run {
      let pair = try ServerPair()
      // The second server is behind until it is connected again.
      try pair.redis.cutLastReader()
      let created = try pair.clients[0].send("POST", "/v1/users", ["username": "ida"])
      let id = try JSONReader(JSONValue(parsing: created.body)).member("id").integer()
      let reply = try Self.reply {
        try pair.clients[1].request(
          "POST", "/v1/view-models/profile/\(id)/commands", json: #"{"type":"appear"}"#)
      }
      #expect(reply.status == 202, "\(reply.text)")
      // Once the command has its place in the journal, a key that does not exist is unknown.
      let unknown = try pair.clients[1].request(
        "POST", "/v1/view-models/profile/9999/commands", json: #"{"type":"appear"}"#)
      #expect(unknown.status == 404)
      #expect(unknown.text.contains(#""code":"unknown-key""#), "\(unknown.text)")
    }
  }

  @Test("wakes the polls of all servers, and remembers keys and checks revisions for all")
  func waiting() async throws {
    try await SocketThread.run {
      let pair = try ServerPair()
      let since = try Self.revision(pair.clients[1], Self.board)
      let target = "\(Self.board)/diff?since=\(since)&wait=55"
      try pair.clients[1].send("GET \(target) HTTP/1.1\r\nHost: localhost\r\n\r\n")
      let fields = ["Idempotency-Key: once"]
      let body = #"{"name":"Ida","score":7}"#
      let path = "/v1/scoreboards/1/players"
      let first = try pair.clients[0].request("POST", path, fields: fields, json: body)
      #expect(first.status == 201)
      #expect(try pair.clients[1].readReply().text.contains("Ida"))
      let again = try pair.clients[1].request("POST", path, fields: fields, json: body)
      #expect(again.status == 201 && again.body == first.body)

      let token = try Self.revision(pair.clients[0], Self.profile)
      func appear(_ client: SocketClient) throws -> HTTPReply {
        try client.request(
          "POST", Self.profile + "/commands", fields: [#"If-Match: "\#(token)""#],
          json: #"{"type":"appear"}"#)
      }
      #expect(try appear(pair.clients[0]).status == 202)
      #expect(try appear(pair.clients[1]).status == 412)
    }
  }
}
