import CanonicalJSON
import Foundation
import Snapshots
import Synchronization
import TestSupport
import Testing
import ViewDeltaClient

/// `viewdelta serve`, of which an app in Swift follows several view models over one request.
@Suite("An app that follows a group of view models of viewdelta serve", .timeLimit(.minutes(5)))
struct GroupServeTests {
  private typealias Line = ConnectionServeTests.Line

  private static let (boards, board): (Text, Text) = ("scoreboards/all", "scoreboard/1")
  private static let commands = "/v1/view-models/scoreboard/1/commands"
  private static let address = URL(string: "http://127.0.0.1")!

  /// An app that knows only what it was told.
  private struct Follower {
    let line: Line
    var updates: ViewModelGroupUpdates.AsyncIterator
    /// Kept up to date by changes alone.
    var snapshots: [Text: Snapshot] = [:]
    var replicas: [Text: Replica] = [:]
    var refusals: [Text: ServerProblem] = [:]

    init(_ names: Set<Text>, on line: Line) {
      self.line = line
      updates = ViewModelGroup(of: names, on: address, by: line).updates().makeAsyncIterator()
    }

    /// Ends the loop, and begins another one, as when an app shows other view models.
    mutating func follow(_ names: Set<Text>) {
      updates = ViewModelGroup(of: names, on: address, by: line).updates(from: replicas)
        .makeAsyncIterator()
    }

    /// Takes one step, and checks that it fits what was there before, and is of one moment.
    ///
    /// - Returns: The names of those that have changed.
    @discardableResult
    mutating func step() async throws -> [Text] {
      guard let step = await updates.next() else { throw LawViolation("it ends") }
      try require(!step.isEmpty, "a step without news")
      var changed: [Text] = []
      for (name, update) in step {
        switch update {
        case .changed(let replica, let changes):
          snapshots[name] = try (snapshots[name] ?? .empty).applying(changes)
          try require(snapshots[name] == replica.snapshot, "\(name): not what the changes give")
          replicas[name] = replica
          changed.append(name)
        case .ended(let problem): refusals[name] = problem
        case .resumed: try require(replicas[name] != nil, "there is no \(name)")
        case .interrupted: throw LawViolation("\(name): \(update)")
        }
      }
      try require(
        row("board/1", of: boards) == row("scoreboard/header", of: board),
        "half of a change of the scoreboard")
      return changed.sorted()
    }

    /// The title of the scoreboard.
    var title: JSONValue? { row("scoreboard/header", of: board).first ?? nil }

    /// What the list of scoreboards and a scoreboard both show.
    private func row(_ id: Text, of name: Text) -> [JSONValue?] {
      let row = snapshots[name]?.sections.lazy.flatMap(\.rows).first { $0.id == id }
      return [row?.fields["title"], row?.fields["playerCount"]]
    }

    /// Checks that each copy is, byte for byte, what the server showed at its revision.
    func compare(_ client: SocketClient) throws {
      for (name, replica) in replicas where refusals[name] == nil {
        let answer = try client.get("/v1/view-models/\(name)?at=\(replica.revision)")
        try require(
          answer.body == replica.canonicalBytes(), "\(name) is another one: \(answer.text)")
      }
    }

    func states(of name: Text) -> Set<Text> { Set((snapshots[name]?.states ?? [:]).values) }
  }

  @Test("gets what one command changes in two view models in one step, also while it waits")
  func together() async throws {
    let server = try ServeProcess()
    let port = server.port
    var app = Follower([Self.boards, Self.board], on: Line(to: server.port))
    #expect(try await app.step() == [Self.board, Self.boards])
    for score in 1...3 {
      async let command: Void = SocketThread.run {
        let client = try SocketClient(port: port)
        while try !client.get("/metrics").text.contains("viewdelta_clients_waiting 1\n") {}
        try client.send(
          "POST", Self.commands, ["type": "addPlayer", "name": "Ida", "score": .integer(score)])
      }
      #expect(try await app.step() == [Self.board, Self.boards])
      try await command
    }
    try app.compare(server.client())
  }

  @Test("goes on after a crash and a start with the journal, as if nothing had happened")
  func crash() async throws {
    let place = try JournalPlace()
    let first = try place.serve()
    let line = Line(to: first.port)
    var app = Follower([Self.boards, Self.board], on: line)
    try await app.step()
    try first.client().send("POST", Self.commands, ["type": "renameBoard", "title": "Before"])
    #expect(try await app.step() == [Self.board, Self.boards])

    try first.crash()
    let interrupted = try #require(await app.updates.next())
    let second = try place.serve()
    line.port.withLock { $0 = second.port }
    let resumed = try #require(await app.updates.next())
    for name in [Self.boards, Self.board] {
      guard case .interrupted(.unreachable)? = interrupted[name], case .resumed? = resumed[name]
      else {
        Issue.record("\(name): \(interrupted), \(resumed)")
        return
      }
    }
    try app.compare(second.client())
    try second.client().send("POST", Self.commands, ["type": "renameBoard", "title": "After"])
    #expect(try await app.step() == [Self.board, Self.boards])
    try app.compare(second.client())
  }

  @Test(
    "loads those that need it, and goes on with the others when one is deleted or was not there")
  func gone() async throws {
    let server = try ServeProcess(["--latency", "20ms"])
    let names: Set<Text> = ["profile/1", "profile/2", "profile/99999", "nothing/1"]
    var app = Follower(names, on: Line(to: server.port))
    // The opening commands of both.
    while app.states(of: "profile/1") != ["loaded"] || app.states(of: "profile/2") != ["loaded"] {
      try await app.step()
    }
    #expect(
      app.refusals.mapValues(\.code) == [
        "profile/99999": "unknown-key", "nothing/1": "unknown-screen",
      ])
    _ = try server.client().request("DELETE", "/v1/users/2")
    while app.refusals["profile/2"] == nil { try await app.step() }
    #expect(app.refusals["profile/2"]?.status == 410)
    try server.client().send("PATCH", "/v1/users/1", ["website": "after.example.com"])
    #expect(try await app.step() == ["profile/1"])
    try app.compare(server.client())
    _ = try server.client().request("DELETE", "/v1/users/1")
    while app.refusals["profile/1"] == nil { try await app.step() }
    #expect(await app.updates.next() == nil, "none is left")
  }

  @Test("has what the server shows while others write and the app shows other view models")
  func history() async throws {
    let server = try ServeProcess(["--latency", "1ms"])
    let port = server.port
    try await withSeeds(3) { random in
      let always: Set<Text> = [Self.boards, Self.board]
      let others: [Text] = ["profile/1", "profile/2", "catalog/1", "scoreboard/2", "podcasts/1"]
      var app = Follower(always, on: Line(to: server.port))
      for round in 1...8 {
        app.follow(always.union(others.filter { _ in random.chance(0.5) }))
        let title: Text = "Round \(round) of \(random.next())"
        var writer = SeededGenerator(seed: random.next())
        let writes = (0..<30).map { _ in Self.write(&writer) }
        async let end: Void = SocketThread.run {
          let client = try SocketClient(port: port)
          for (method, target, body) in writes {
            let reply = try client.request(
              method, target, fields: ["Content-Type: application/json"],
              body: body.map { "\($0)" })
            try require(reply.status < 500, "\(target) is \(reply.status): \(reply.text)")
          }
          try client.send(
            "POST", Self.commands, ["type": "renameBoard", "title": .string(title)])
        }
        while app.title != .string(title) { try await app.step() }
        try await end
        try app.compare(server.client())
      }
    }
  }

  /// A random write, which may be refused.
  private static func write(
    _ random: inout SeededGenerator
  ) -> (method: String, target: String, body: JSONValue?) {
    let number = random.number(in: 1...8)
    let board = "/v1/view-models/scoreboard/\(random.number(in: 1...2))/commands"
    let user = "/v1/users/\(random.number(in: 1...2))"
    switch random.number(in: 1...6) {
    case 1:
      return (
        "POST", board, ["type": "addPlayer", "name": "P\(number)", "score": .integer(number)]
      )
    case 2: return ("POST", board, ["type": "adjustScore", "player": .integer(number), "by": 50])
    case 3: return ("DELETE", "/v1/scoreboards/1/players/\(number)", nil)
    case 4: return ("PATCH", user, ["website": "example.com/\(number)"])
    case 5:
      return (
        "POST", user + "/posts",
        ["title": "Post", "body": "\(number)", "date": "2026-03-09T08:00:00Z"]
      )
    default:
      let ids = ["knots", "alps", "atlas", "ferns"]
      return (
        "POST", "/v1/view-models/catalog/1/commands",
        [
          "type": "apply",
          "operations": [
            [
              "operation": "moveItem", "id": .string(Text(random.pick(ids))),
              "after": .string(Text(random.pick(ids))),
            ]
          ],
        ]
      )
    }
  }
}
