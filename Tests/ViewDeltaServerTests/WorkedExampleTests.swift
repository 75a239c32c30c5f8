import CanonicalJSON
import Logging
import MicroHTTP
import TestSupport
import Testing
import ViewDeltaServer

@Suite("The worked example over HTTP")
struct WorkedExampleTests {
  /// Starts a server on the backend and talks to it over a socket.
  static func serve(
    _ backend: Backend, _ talk: @escaping @Sendable (SocketClient) throws -> Void
  ) async throws {
    let server = try Server(
      configuration: ServerConfiguration(), router: backend.application.router,
      logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    let address = try server.start()
    try await SocketThread.run { try talk(SocketClient(port: address.port)) }
    await server.shutdown(grace: .seconds(5))
  }

  /// The operations on rows as short words, in the order of the wire.
  static func operations(_ diff: JSONReader) throws -> [String] {
    guard let rows = try diff.optionalMember("rows") else { return [] }
    return try ["deletes", "inserts", "moves", "updates"].flatMap { group in
      try rows.optionalMember(group)?.elements().map { operation in
        let row = try operation.optionalMember("row") ?? operation
        return "\(group) \(try row.member("id").string().string)"
      } ?? []
    }
  }

  @Test("goes from start to both halves loaded in five revisions with exactly these diffs")
  func workedExample() async throws {
    let backend = try Backend(.all)
    try await Self.serve(backend) { client in
      let viewModel = Backend.viewModel
      func json(_ reply: HTTPReply) throws -> JSONReader {
        JSONReader(try JSONValue(parsing: reply.body))
      }
      func poll(since: String) throws -> (operations: [String], revision: String) {
        let reply = try client.get("\(viewModel)/diff?since=\(since)")
        let diff = try json(reply)
        try require(try diff.member("kind").string() == "diff", reply.text)
        return (try Self.operations(diff), try diff.member("revision").string().string)
      }

      let start = try json(client.get(viewModel)).member("revision").string().string
      for command in ["loadPosts", "loadProfile"] {
        let accepted = try client.request(
          "POST", viewModel + "/commands", fields: ["Content-Type: application/json"],
          body: #"{"type":"\#(command)"}"#)
        #expect(accepted.status == 202)
      }

      let kept = try json(client.get(viewModel + "/revisions")).member("revisions").elements()
        .map { try $0.member("revision").string().string }
      #expect(kept.count == 3)
      let first = try json(client.get("\(viewModel)/diff?since=\(start)&until=\(kept[1])"))
      #expect(try Self.operations(first) == ["inserts posts/loading"])
      let second = try poll(since: kept[1])
      #expect(second.operations == ["updates profile/header"])

      backend.scheduler.advance(by: .seconds(3))
      let third = try poll(since: second.revision)
      #expect(
        third.operations == [
          "inserts profile/location", "inserts profile/website", "updates profile/header",
        ])
      #expect(try client.get("\(viewModel)/diff?since=\(third.revision)").status == 204)

      backend.scheduler.advance(by: .seconds(1))
      let fourth = try poll(since: third.revision)
      #expect(fourth.operations == ["deletes posts/loading", "inserts post/1"])

      let whole = try poll(since: start)
      #expect(
        whole.operations == [
          "inserts profile/location", "inserts profile/website", "inserts post/1",
          "updates profile/header",
        ])
      #expect(whole.revision == fourth.revision)
    }
  }

  @Test("answers HEAD on every route with the fields of GET and keeps the connection")
  func head() async throws {
    let backend = try Backend(.all)
    let revision = try await backend.revision
    try await Self.serve(backend) { client in
      for target in [
        "/healthz", "/readyz", "/openapi.json", "/v1/view-models", Backend.viewModel,
        Backend.viewModel + "?at=\(revision)", Backend.viewModel + "/diff",
        Backend.viewModel + "/diff?since=\(revision)", Backend.viewModel + "/revisions",
        "/v1/users",
        "/v1/users/1", "/v1/users/1/posts", "/v1/users/1/posts/1", "/v1/faults/posts/1",
      ] {
        let get = try client.get(target)
        let head = try client.request("HEAD", target)
        #expect(head.status == get.status, "\(target)")
        #expect(head.body.isEmpty)
        #expect(
          head.fields.filter { $0.name != "date" }.map { "\($0)" }
            == get.fields.filter { $0.name != "date" }.map { "\($0)" })
      }
    }
  }

  @Test(
    "says which methods a path has, and refuses others",
    arguments: [
      ("/healthz", "GET, HEAD, OPTIONS"), (Backend.viewModel + "/commands", "POST, OPTIONS"),
      ("/v1/users", "GET, HEAD, POST, OPTIONS"),
      ("/v1/users/1", "GET, HEAD, PUT, DELETE, PATCH, OPTIONS"),
    ])
  func methods(target: String, allow: String) async throws {
    try await Self.serve(try Backend(.all)) { client in
      let names = Set(allow.split(separator: ", ").map(String.init))
      let options = try client.request("OPTIONS", target)
      #expect(options.status == 204)
      #expect(Set((options["allow"] ?? "").split(separator: ", ").map(String.init)) == names)
      for method in ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "TRACE"]
      where !names.contains(method) {
        let reply = try client.request(method, target)
        #expect(reply.status == 405, "\(method) \(target)")
        #expect(reply["allow"] == options["allow"])
      }
    }
  }
}
