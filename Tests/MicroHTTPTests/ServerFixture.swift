import HTTPTypes
import Logging
import MicroHTTP
import TestSupport
import Testing

/// Serves a blocking client, then shuts down and checks that no request or connection is left.
func withServer<Result: Sendable>(
  _ configure: (inout ServerConfiguration) -> Void = { _ in }, logger: Logger = .silent,
  routes: (inout Router) -> Void = { $0.addTestRoutes() },
  client: @escaping @Sendable (UInt16) throws -> Result
) async throws -> Result {
  try await withSeenServer(configure, logger: logger, routes: routes) { port, _ in
    try client(port)
  }
}

/// Does the same for a client that looks at the server.
func withSeenServer<Result: Sendable>(
  _ configure: (inout ServerConfiguration) -> Void = { _ in }, logger: Logger = .silent,
  routes: (inout Router) -> Void = { $0.addTestRoutes() },
  client: @escaping @Sendable (UInt16, Server) throws -> Result
) async throws -> Result {
  var configuration = ServerConfiguration()
  // A short host for raw requests.
  configuration.hostNames = ["t"]
  // A machine that is slow must not meet a deadline that a test does not set.
  configuration.idleTimeout = .seconds(3_600)
  configuration.headDeadline = .seconds(3_600)
  configuration.bodyDeadline = .seconds(3_600)
  configuration.replyDeadline = .seconds(3_600)
  configure(&configuration)
  var router = Router()
  routes(&router)
  let server = try Server(configuration: configuration, router: router, logger: logger)
  let address = try server.start()
  let result: Swift.Result<Result, any Error>
  do {
    result = .success(try await SocketThread.run { try client(address.port, server) })
  } catch {
    result = .failure(error)
  }
  await server.shutdown(grace: .seconds(2))
  #expect(server.statistics.requestsInFlight == 0)
  #expect(server.statistics.requestsParked == 0)
  #expect(server.statistics.connections == 0)
  return try result.get()
}

/// Returns a server with its port, which it has begun to serve.
func startServer(
  routes: (inout Router) -> Void = { $0.addTestRoutes() }
) throws -> (server: Server, port: UInt16) {
  var router = Router()
  routes(&router)
  let server = try Server(
    configuration: ServerConfiguration(), router: router, logger: .silent)
  return (server, try server.start().port)
}

extension Logger {
  /// A logger that drops all messages.
  static var silent: Logger { Logger(label: "test") { _ in SwiftLogNoOpLogHandler() } }
}

extension Router {
  /// Adds a greeting, an echo, and a route with a parameter.
  mutating func addTestRoutes() {
    let greeting = Response(
      status: .ok, fields: [.contentType: "text/plain", .eTag: "\"1\""], body: Array("hello".utf8))
    get("/hello") { request in
      request[.ifNoneMatch] == "\"1\"" ? greeting.notModified : greeting
    }
    on(.post, "/echo") { request in Response(status: .ok, body: request.body) }
    get("/users/{id}") { request in
      Response(status: .ok, body: Array((request.parameters["id"] ?? "none").utf8))
    }
  }
}

extension Response {
  /// The body as text.
  var text: String { String(decoding: body, as: UTF8.self) }
}
