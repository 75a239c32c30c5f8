import CanonicalJSON
import Glibc
import TestSupport
import Testing

/// What clients can make the server remember, each attack scaled down together with the memory that it
/// may keep.
@Suite("The memory of the server")
struct MemoryTests {
  /// How much more the process has than before, in MiB.
  struct Growth {
    private let server: ServeProcess
    private let before: Int

    init(_ server: ServeProcess) throws {
      self.server = server
      before = try server.residentMemory
    }

    var now: Int { get throws { try server.residentMemory - before } }

    /// Waits until it is below a figure.
    func falls(below limit: Int) throws {
      try awaitTrue("\((try? now) ?? 0) MiB are below \(limit)") { try now < limit }
    }
  }

  /// Users with a post each, whose view models are loaded.
  static func open(_ users: Int, _ client: SocketClient) throws {
    for id in 1...users {
      try client.send("POST", "/v1/users", ["id": .integer(100 + id), "username": "ada"])
      try client.send(
        "POST", "/v1/users/\(100 + id)/posts",
        ["id": .integer(1_000 + id), "title": "T", "body": "B"])
      let viewModel = "/v1/view-models/profile/\(100 + id)"
      try client.send("POST", viewModel + "/commands", ["type": "appear"])
      _ = try client.settled(viewModel)
    }
  }

  /// Writes so many texts of 16 KB, each of which makes a revision.
  static func write(_ count: Int, to users: Int, _ client: SocketClient) throws {
    let text = String(repeating: "x", count: 16_000)
    for number in 0..<count {
      let id = number % users + 1
      try client.send(
        "PATCH", "/v1/users/\(100 + id)/posts/\(1_000 + id)", ["body": .string("\(number)\(text)")])
    }
  }

  @Test("is bounded for the histories of all view models together: older revisions are expired")
  func histories() async throws {
    try await SocketThread.run {
      let server = try ServeProcess(["--kept-memory", "6", "--latency", "0s"])
      let client = try server.client()
      try Self.open(10, client)
      let viewModel = "/v1/view-models/profile/101"
      let revision = try client.json(viewModel).member("revision").string().string
      let growth = try Growth(server)
      try Self.write(1_200, to: 10, client)
      // The rows alone have 19 MB.
      try growth.falls(below: 12)
      let reset = try client.json(viewModel + "/diff?since=\(revision)")
      #expect(try reset.member("reason").string() == "history-expired")
    }
  }

  @Test("is given back when many connections are closed, however many threads serve them")
  func connections() async throws {
    try await SocketThread.run {
      let server = try ServeProcess(["--latency", "0s", "--threads", "4"])
      let growth = try Growth(server)
      // They are closed at the end of this.
      let most = try (1...800).map { _ in try server.client() }.reduce(0) { most, client in
        _ = try client.get("/healthz")
        return max(most, try growth.now)
      }
      #expect(most > 16, "the attack does not weigh enough")
      try growth.falls(below: 8)
    }
  }

  @Test("is given back when what view models show is deleted")
  func deleted() async throws {
    try await SocketThread.run {
      let server = try ServeProcess(["--latency", "0s"])
      let client = try server.client()
      let growth = try Growth(server)
      try Self.open(5, client)
      try Self.write(1_200, to: 5, client)
      #expect(try growth.now > 16, "the attack does not weigh enough")
      for id in 1...5 {
        #expect(try client.request("DELETE", "/v1/users/\(100 + id)").status == 204)
      }
      try growth.falls(below: 10)
    }
  }

  @Test("is bounded for view models that are only read, which come again under the same revision")
  func reading() async throws {
    try await SocketThread.run {
      let users = (1...6_000).map { JSONValue.object(["id": .integer($0), "username": "ada"]) }
      let data = try DataFile(
        JSONValue.object(["users": .array(users), "posts": []]).canonicalBytes())
      let server = try ServeProcess(["--kept-memory", "12"], data: data)
      let client = try server.client()
      let viewModel = "/v1/view-models/profile/1"
      let first = try client.get(viewModel)
      let growth = try Growth(server)
      for start in stride(from: 2, through: users.count, by: 20) {
        let ids = start...min(start + 19, users.count)
        try client.send(
          ids.map { "GET /v1/view-models/profile/\($0) HTTP/1.1\r\nHost: localhost\r\n\r\n" }
            .joined())
        for id in ids {
          let reply = try client.readReply()
          try require(reply.status == 200, "profile/\(id) is \(reply.status)")
        }
      }
      // A view model takes 6 KB, and its reply two more.
      try growth.falls(below: 16)
      #expect(try client.get(viewModel).body == first.body)
    }
  }
}
