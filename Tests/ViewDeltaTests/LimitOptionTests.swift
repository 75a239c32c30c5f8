import CanonicalJSON
import Glibc
import TestSupport
import Testing

@Suite("The limits on the command line")
struct LimitOptionTests {
  private static let viewModel = "/v1/view-models/profile/1"

  /// The answer to a poll that would wait.
  private static func poll(_ client: SocketClient) throws -> HTTPReply {
    let revision = try client.json(viewModel).member("revision").string().string
    return try client.get(viewModel + "/diff?since=\(revision)&wait=20")
  }

  @Test(
    "let nobody wait where none may, and say so by 503 in all and 429 for one address",
    arguments: [
      (["--waiter-limit", "0"], 503, "too-many-waiting"),
      (["--waiter-limit-per-address", "0"], 429, "too-many-waiting-here"),
    ])
  func waiters(options: [String], status: Int, code: String) async throws {
    try await SocketThread.run {
      let server = try ServeProcess(options)
      let reply = try Self.poll(try server.client())
      #expect(reply.status == status)
      #expect(reply.text.contains(#""code":"\#(code)""#))
    }
  }

  @Test(
    "give a head the memory that they say",
    arguments: [([], 200), (["--connection-memory", "4"], 431)] as [([String], Int)])
  func memory(options: [String], status: Int) async throws {
    try await SocketThread.run {
      let server = try ServeProcess(options)
      let field = "X-Long: " + String(repeating: "a", count: 6000)
      let reply = try server.client().request("GET", Self.viewModel, fields: [field], body: "")
      #expect(reply.status == status)
    }
  }

  @Test("raise the limit of open files to what connections, threads and sources need")
  func openFiles() async throws {
    try await SocketThread.run {
      let options = ["--connection-limit", "100", "--threads", "1"]
      let server = try ServeProcess(options, shell: "ulimit -Sn 64")
      #expect(try server.client().get("/metrics").text.contains("process_max_fds 390\n"))
      // No further than the process may.
      let limited = try ServeProcess(options, shell: "ulimit -Sn 64; ulimit -Hn 100")
      #expect(try limited.client().get("/metrics").text.contains("process_max_fds 100\n"))
    }
  }

  @Test(
    "leave open files for the loads of many sources, whatever clients take and however few there are",
    arguments: [(5, "ulimit -Sn 40"), (10, "ulimit -n 64")])
  func filesOfSources(hosts: Int, limit: String) async throws {
    try await SocketThread.run {
      // They take connections, and never answer.
      let feeds = try (0..<hosts).map { _ in try BoundSocket() }
      for feed in feeds { #expect(listen(feed.descriptor, 8) == 0) }
      defer { for feed in feeds { close(feed.descriptor) } }
      let listeners = (0..<4 * hosts).map { number -> JSONValue in
        let address = "http://127.0.0.1:\(feeds[number / 4].port)/feed"
        return [
          "id": .integer(number + 1), "name": "A",
          "podcasts": [["id": .integer(number + 1), "feedURL": .string(address)]],
        ]
      }
      let data: JSONValue = ["listeners": .array(listeners)]
      let server = try ServeProcess(
        ["--connection-limit", "8", "--threads", "1", "--latency", "0s", "--load-timeout", "3s"]
          + feeds.flatMap { ["--feed-host", "127.0.0.1:\($0.port)"] },
        data: DataFile(data.canonicalBytes()), shell: limit)
      let client = try server.client()
      let viewModels = (1...4 * hosts).map { "/v1/view-models/podcasts/\($0)" }
      for viewModel in viewModels {
        try client.send("POST", viewModel + "/commands", ["type": "load"])
      }
      for viewModel in viewModels {
        #expect(try client.settled(viewModel).text.contains(#""code":"timed-out""#))
      }
    }
  }

  @Test(
    "are refused out of their ranges, naming the option, with 64",
    arguments: [
      ("--connection-limit", "0"), ("--connection-memory", "3"), ("--connection-memory", "129"),
      ("--waiter-limit", "1000001"), ("--waiter-limit-per-address", "1000001"),
      ("--kept-memory", "5"), ("--kept-memory", "1000001"),
      ("--state-memory", "0"), ("--state-memory", "1000001"), ("--threads", "0"),
      ("--threads", "65"), ("--connection-limit", "1000001"), ("--journal-limit", "1000001"),
    ])
  func ranges(option: String, value: String) async throws {
    try await SocketThread.run {
      let result = try ServeProcess.run(["serve", "--port", "0", option, value])
      #expect(result.code == 64)
      #expect(result.errors.hasPrefix("Error: \(option) is \(value), but must be "))
    }
  }
}
