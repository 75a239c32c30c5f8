import Logging
import MicroHTTP
import Synchronization
import TestSupport
import Testing
import ViewDeltaServer

/// The application behind a real server, on a time that the test moves.
struct LiveServer: Sendable {
  let backend: Backend
  let server: Server
  let port: UInt16

  /// Serves while blocking clients talk to it, then shuts down and checks that nothing is left.
  static func run<Result: Sendable>(
    _ backend: Backend, configure: (inout ServerConfiguration) -> Void = { _ in },
    clients: @escaping @Sendable (LiveServer) throws -> Result
  ) async throws -> Result {
    var configuration = ServerConfiguration()
    configuration.threads = 2
    configuration.abandonmentSweep = .milliseconds(50)
    configure(&configuration)
    let server = try Server(
      configuration: configuration, router: backend.application.router,
      logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    let live = LiveServer(backend: backend, server: server, port: try server.start().port)
    let result: Swift.Result<Result, any Error>
    do {
      result = .success(try await SocketThread.run { try clients(live) })
    } catch {
      result = .failure(error)
    }
    backend.application.beginDraining()
    await server.shutdown(grace: .seconds(2))
    #expect(server.statistics.requestsInFlight == 0)
    #expect(server.statistics.requestsParked == 0)
    #expect(server.statistics.connections == 0)
    #expect(backend.waitingCount == 0)
    return try result.get()
  }

  func client() throws -> SocketClient { try SocketClient(port: port) }

  func events(_ query: String = "", fields: [String] = []) throws -> EventConnection {
    try EventConnection(client(), "\(Backend.viewModel)/events?\(query)", fields: fields)
  }

  /// Sends a poll and does not wait for its answer.
  func poll(_ query: String) throws -> SocketClient {
    let client = try client()
    try client.send("GET \(Backend.viewModel)/diff?\(query) HTTP/1.1\r\nHost: localhost\r\n\r\n")
    return client
  }

  static func revision(of reply: HTTPReply) throws -> String {
    guard let revision = reply["view-revision"] else { throw LawViolation("no View-Revision") }
    return revision
  }

  /// Changes the post that the view model shows.
  func retitle(_ title: String) throws {
    let reply = try client().request(
      "PATCH", "/v1/users/1/posts/1", json: "{\"title\":\"\(title)\"}")
    try require(reply.status == 200, "the post could not be changed: \(reply.text)")
  }

  /// Waits until so many requests wait.
  func awaitWaiting(_ count: Int) throws {
    try awaitTrue("\(count) waiting, not \(backend.waitingCount)") { backend.waitingCount == count }
  }

  /// Waits until so many requests are parked or streams idle, after which nothing happens by itself.
  func awaitIdle(_ count: Int) throws {
    try awaitTrue("\(count) parked") { server.statistics.requestsParked == count }
  }
}
