public import CanonicalJSON
public import Foundation
import HTTPTypes
import HTTPTypesFoundation

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// A view model on a server: an app follows it, and sends it commands.
///
///     let server = URL(string: "https://views.example.com")!
///     let groceries = ViewModelConnection(to: "groceries/home", on: server)
///     for try await update in groceries.updates() {
///       if case .changed(let replica, let changes) = update { show(replica.snapshot, changes) }
///     }
///
/// The connection has no state and no task of its own: it may be copied, and made anew at any time.
public struct ViewModelConnection: Sendable {
  /// The screen and key, such as `groceries/home`.
  public let name: Text
  private let transport: any HTTPTransport
  let pacing: Pacing
  /// The addresses of the server, of the screen and of the view model, without a query.
  private let (screen, address): (String, String)

  /// Creates a connection. It sends nothing yet.
  ///
  /// - Parameters:
  ///   - name: The screen and key, such as `groceries/home`. A name that the server does not know is refused with a
  ///     404 when it is followed.
  ///   - server: The address of the server, or of the folder in which a proxy has it.
  ///   - transport: Sends the requests. A connection that is followed has one request under way at any time, and an
  ///     `URLSession` has at most six connections to a server by default, over HTTP/1.1: an app that follows more view
  ///     models at once sets `httpMaximumConnectionsPerHost` of its configuration.
  public init(
    to name: Text, on server: URL, by transport: any HTTPTransport = URLSession.shared
  ) {
    self.init(to: name, on: server, by: transport, .system)
  }

  init(to name: Text, on server: URL, by transport: any HTTPTransport, _ pacing: Pacing) {
    (self.name, self.transport, self.pacing) = (name, transport, pacing)
    let parts = name.string.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    let path = parts.map { part in
      part.addingPercentEncoding(withAllowedCharacters: Self.unreserved) ?? ""
    }
    let base = server.absoluteString
    screen = (base.hasSuffix("/") ? base : base + "/") + "v1/view-models/" + path[0]
    address = ([screen] + path.dropFirst()).joined(separator: "/")
  }

  /// Of RFC 3986, and the sign before a session.
  private static let unreserved = CharacterSet(
    charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~@")

  /// Returns the changes of the view model, from now on and without an end.
  ///
  /// See ``ViewModelUpdates``. Several loops may follow one view model; each has its own copy.
  ///
  /// - Parameter replica: What the app has of the view model, from an earlier loop. The first change starts from
  ///   there. Without it the first change starts from an empty view model.
  public func updates(from replica: Replica? = nil) -> ViewModelUpdates {
    ViewModelUpdates(connection: self, replica: replica)
  }

  /// Sends a command, such as that of a row's action, and returns the server's reply.
  ///
  ///     try await groceries.send(["type": "add", "name": "Salt"])
  ///
  /// What the command changes comes through ``updates(from:)``. The command takes effect at most once: if there is no
  /// reply, or the server is busy, it is sent again with the same `Idempotency-Key`. To keep the order of two commands,
  /// send the second one after the first one has returned.
  ///
  /// - Parameters:
  ///   - command: An object with a `type` and the arguments.
  ///   - revision: The only revision at which the server may execute it; `nil` for any. At another one it is refused
  ///     with a 412.
  ///   - patience: The time after which the command is not sent again.
  /// - Throws: ``ConnectionError``; `CancellationError` if the task is cancelled. The server may have executed the
  ///   command, unless the error is ``ConnectionError/refused(_:)`` with a status below 500.
  @discardableResult
  public func send(
    _ command: JSONValue, at revision: Text? = nil, patience: Duration = .seconds(30)
  ) async throws -> CommandReply {
    var fields: HTTPFields = [
      .contentType: "application/json", Self.idempotencyKey: "\"\(UUID().uuidString)\"",
    ]
    if let revision { fields[.ifMatch] = "\"\(revision)\"" }
    let end = pacing.now() + patience
    var failureCount = 0
    while true {
      do {
        let reply = try await ask(.post, "\(address)/commands", fields, command.canonicalBytes())
        return try CommandReply(reply)
      } catch {
        try Task.checkCancellation()
        failureCount += 1
        let pause = pacing.pause(afterFailures: failureCount, atLeast: error.retryAfter)
        guard error.isPassing, pacing.now() + pause <= end else { throw error }
        try await pacing.sleep(pause)
        // The machine may have slept, and the server have forgotten the key.
        guard pacing.now() <= end else { throw error }
      }
    }
  }

  private static let idempotencyKey = HTTPField.Name("Idempotency-Key")!
}

/// The requests.
extension ViewModelConnection {
  struct Reply {
    let status: Int
    let fields: HTTPFields
    let body: [UInt8]
  }

  /// Asks for the whole view model.
  func whole() async throws(ConnectionError) -> Reply { try await ask(.get, address) }

  /// Asks for what has changed since a revision.
  ///
  /// - Parameters:
  ///   - content: The hash of the content at the revision, if the server may not know the revision.
  ///   - waits: Whether the server waits for a change.
  func changes(
    since revision: Text, have content: ContentHash?, waits: Bool
  ) async throws(ConnectionError) -> Reply {
    let have = content.map { "&have=\($0)" } ?? ""
    return try await ask(
      .get, "\(address)/diff?since=\(revision)\(waits ? "&wait=50" : "")\(have)")
  }

  /// Asks for the command that loads the sources of the screen, and for these sources; `nil` if the screen has none.
  func opening() async throws(ConnectionError) -> (command: Text, sources: [Text])? {
    let reply = try await ask(.get, screen)
    do {
      let reader = JSONReader(try JSONValue(parsing: reply.body))
      guard let command = try reader.optionalMember("opening")?.string() else { return nil }
      let sources = try reader.optionalMember("opens")?.elements() ?? []
      return (command, try sources.map { try $0.string() })
    } catch {
      throw .unexpected(Text("\(error)"))
    }
  }

  private func ask(
    _ method: HTTPRequest.Method, _ address: String, _ fields: HTTPFields = [:],
    _ body: [UInt8] = []
  ) async throws(ConnectionError) -> Reply {
    guard let url = URL(string: address) else { throw .unreachable(URLError(.badURL)) }
    var request = HTTPRequest(method: method, url: url, headerFields: fields)
    request.headerFields[.accept] = "application/json"
    let (data, response): (Data, HTTPResponse)
    do {
      (data, response) = try await transport.reply(to: request, body: Data(body))
    } catch {
      throw .unreachable(error)
    }
    let bytes = [UInt8](data)
    if response.status.code >= 400 { throw .refused(ServerProblem(response, body: bytes)) }
    return Reply(status: response.status.code, fields: response.headerFields, body: bytes)
  }
}
