public import HTTPTypes
import Synchronization

/// Dispatches requests to handlers by method and path.
///
/// ```swift
/// var router = Router()
/// router.get("/v1/users/{id}") { request in
///   Response(status: .ok, body: Array((request.parameters["id"] ?? "").utf8))
/// }
/// router.on(.post, "/v1/users") { request in
///   await users.add(request.body)
///   return Response(status: .created)
/// }
/// let response = await router.respond(to: Request(method: .get, target: "/v1/users/7"))
/// ```
///
/// The segments of a pattern are literals or parameters: `/v1/users/{id}/posts/{postID}`. The raw
/// path is split at its slashes before its segments are decoded, so an escaped slash does not
/// separate segments. A literal takes precedence over a parameter. A parameter does not match an
/// empty segment. Paths are not normalised: a trailing slash makes another path.
///
/// If no handler matches, the router answers:
/// - a malformed target: a 400 problem, `bad-target`
/// - an unknown path: a 404 problem, `not-found`
/// - another method, TRACE or CONNECT: a 405 problem, `method-not-allowed`, with `Allow`
/// - an unknown method: a 501 problem, `not-implemented`; methods are case-sensitive
/// - OPTIONS of a known path, or of `*`: 204 with `Allow`
/// - HEAD: the reply of GET without its body
public struct Router: Sendable {
  private var tree = RouteTree()

  /// All routes, in the order of registration.
  public var routes: [RouteDescription] { tree.descriptions }

  /// Creates a router without routes.
  public init() {}

  /// Registers a handler that answers GET and HEAD immediately, on the thread that serves the
  /// connection.
  ///
  /// - Parameters:
  ///   - path: The pattern.
  ///   - servesAnyHost: Whether the route also answers requests whose host is none of
  ///     those of the server, such as those of a supervisor that knows only the address of the server. A
  ///     page of another site can read the reply then, so it must tell nothing that is not public.
  ///   - respond: Returns the reply; it must not block. A thrown problem becomes the reply.
  /// - Precondition: `path` is well-formed and not registered for GET yet.
  public mutating func get(
    _ path: String, servesAnyHost: Bool = false,
    _ respond: @escaping @Sendable (Request) throws(ProblemDetails) -> Response
  ) {
    tree.insert(.get, RoutePattern(path), servesAnyHost: servesAnyHost) {
      (request) throws(ProblemDetails) in .now(try respond(request))
    }
  }

  /// Registers an asynchronous handler. The request is parked while the handler runs in a task of
  /// its own.
  ///
  /// If the client disconnects, the task is cancelled and its reply is ignored; also if the server shuts down, unless
  /// the method may change something and the task ends within the grace period.
  ///
  /// - Parameters:
  ///   - method: GET, which includes HEAD, POST, PUT, PATCH or DELETE.
  ///   - path: The pattern.
  ///   - respond: Returns the reply; it runs in Swift's own pool and must not block. A thrown problem becomes the
  ///     reply.
  /// - Precondition: `method` is one of those above; `path` is well-formed and not registered for
  ///   it yet.
  public mutating func on(
    _ method: HTTPRequest.Method, _ path: String,
    _ respond: @escaping @Sendable (Request) async throws(ProblemDetails) -> Response
  ) {
    on(method, path, startsAtOnce: { _ in false }, respond)
  }

  /// Registers an asynchronous handler whose task may begin on the thread that serves the connection,
  /// which spares waking two threads. It leaves that thread when it first waits.
  ///
  /// It begins there only if the thread has no other requests at hand. Under load another thread goes through
  /// many tasks each time that it wakes, while this one serves connections.
  ///
  /// - Parameters:
  ///   - method: GET, which includes HEAD, POST, PUT, PATCH or DELETE.
  ///   - path: The pattern.
  ///   - startsAtOnce: Returns whether the task of a request may begin there: only if its first part is known
  ///     to be short, because all connections of the thread wait for it.
  ///   - executor: Runs the tasks that do not begin there; `nil` for Swift's own pool, whose threads must not block.
  ///   - respond: Returns the reply. A thrown problem becomes the reply.
  /// - Precondition: `method` is one of those above; `path` is well-formed and not registered for
  ///   it yet.
  package mutating func on(
    _ method: HTTPRequest.Method, _ path: String,
    startsAtOnce: @escaping @Sendable (Request) -> Bool, by executor: (any TaskExecutor)? = nil,
    _ respond: @escaping @Sendable (Request) async throws(ProblemDetails) -> Response
  ) {
    route(method, path) { request in
      .later { responder in
        let answer = { @Sendable in
          do throws(ProblemDetails) {
            responder.respond(try await respond(request))
          } catch {
            responder.respond(error.response(instance: request.path))
          }
        }
        let task =
          if request.storage.isAlone, startsAtOnce(request),
            #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
          {
            Task.immediate(operation: answer)
          } else {
            Task(executorPreference: executor, operation: answer)
          }
        responder.onAbandonment { task.cancel() }
      }
    }
  }

  /// Registers a handler that decides for each request whether it answers immediately, later or in
  /// pieces.
  ///
  /// - Parameters:
  ///   - method: GET, which includes HEAD, POST, PUT, PATCH or DELETE.
  ///   - path: The pattern.
  ///   - respond: Returns the decision; it runs on the thread that serves the connection and must
  ///     not block. A thrown problem becomes the reply.
  /// - Precondition: `method` is one of those above; `path` is well-formed and not registered for
  ///   it yet.
  public mutating func route(
    _ method: HTTPRequest.Method, _ path: String,
    _ respond: @escaping @Sendable (Request) throws(ProblemDetails) -> Reply
  ) {
    guard let known = RequestMethod(method), RouteTree.routable.contains(known) else {
      fatalError("\(method) cannot be routed")
    }
    tree.insert(known, RoutePattern(path), respond)
  }
}

/// Decides the reply to a request of one method and path.
typealias Handler = @Sendable (Request) throws(ProblemDetails) -> Reply

/// A registered route of a ``Router``.
public struct RouteDescription: Sendable, Hashable {
  /// The method. GET includes HEAD.
  public let method: HTTPRequest.Method
  /// The pattern, for example `/v1/users/{id}`.
  public let pattern: String
}

extension Router {
  /// Returns the decision of the matching handler, or the router's own reply if no handler matches.
  ///
  /// You can call it on any thread. It blocks only as long as the handler does.
  public func reply(to request: Request) -> Reply {
    do throws(ProblemDetails) {
      return try resolve(request)
    } catch {
      return .now(error.response(instance: request.path))
    }
  }

  /// Returns the reply to a request without a connection. HEAD gets the reply of GET with its body,
  /// which only a connection omits.
  ///
  /// A streaming reply is collected until its source waits or ends for the first time, and the
  /// stream is ended then. The method does not return if the source never does either.
  public func respond(to request: Request) async -> Response {
    switch reply(to: request) {
    case .now(let response), .standing(let response, _): response
    case .later(let park):
      await withCheckedContinuation { continuation in
        park(Responder(ContinuationParking(continuation)))
      }
    case .stream(let fields, let open): Self.beginning(fields, open)
    }
  }

  /// Collects the pieces that a source has at once.
  private static func beginning(
    _ fields: HTTPFields, _ open: (StreamSignal) -> any StreamSource
  ) -> Response {
    let signal = StreamSignal(connection: nil, resumes: nil)
    let source = open(signal)
    var body: [UInt8] = []
    while case .send(let piece) = source.next() { body += piece.body }
    _ = signal.perform(.over)
    source.ended()
    return Response(status: .ok, fields: fields, body: body)
  }

  /// Returns the router's own reply if no handler matches the request, or nil if one does. The
  /// result does not depend on the body.
  package func refusal(of request: Request) -> Response? {
    let target = request.storage.target
    if target.fault == nil, let method = request.storage.method {
      let wanted: RequestMethod = method == .head ? .get : method
      if tree.routes(for: target).contains(where: { $0.method == wanted }) { return nil }
    }
    guard case .now(let response) = reply(to: request) else { return nil }
    return response
  }

  /// Returns whether a request with any host gets the reply of its handler.
  func servesAnyHost(_ method: RequestMethod?, _ target: Target) -> Bool {
    guard target.fault == nil, method == .get || method == .head else { return false }
    return tree.routes(for: target).contains { $0.method == .get && $0.servesAnyHost }
  }

  private func resolve(_ request: Request) throws(ProblemDetails) -> Reply {
    let target = request.storage.target
    // The target of CONNECT is not a path.
    if request.storage.method == .connect { throw .methodNotAllowed(allow: Self.allow([])) }
    if let fault = target.fault { throw .badTarget(fault) }
    guard let method = request.storage.method else {
      throw .notImplemented("the method is unknown; methods are case-sensitive")
    }
    if target.isAsterisk {
      guard method == .options else { throw .badTarget("* is for OPTIONS only") }
      return options(allow: Self.allow(RouteTree.routable))
    }
    let routes = tree.routes(for: target)
    if routes.isEmpty {
      if method == .trace { throw .methodNotAllowed(allow: Self.allow([])) }
      throw .notFound()
    }
    let wanted: RequestMethod = method == .head ? .get : method
    if let route = routes.first(where: { $0.method == wanted }) {
      return try route.handler(request.with(names: route.names))
    }
    let allow = Self.allow(routes.map(\.method))
    guard method == .options else { throw .methodNotAllowed(allow: allow) }
    return options(allow: allow)
  }

  private func options(allow: String) -> Reply {
    .now(Response(status: .noContent, fields: [.allow: allow]))
  }

  /// Returns the value of the Allow field for the methods of a path, in a fixed order.
  private static func allow(_ methods: [RequestMethod]) -> String {
    var methods = Set(methods)
    if methods.contains(.get) { methods.insert(.head) }
    methods.insert(.options)
    return RequestMethod.allCases.filter(methods.contains).map(\.name).joined(separator: ", ")
  }
}

/// A parked request without a connection, whose reply resumes a task.
private final class ContinuationParking: Parking {
  private let continuation: Mutex<CheckedContinuation<Response, Never>?>

  init(_ continuation: CheckedContinuation<Response, Never>) {
    self.continuation = Mutex(continuation)
  }

  var isWaiting: Bool { continuation.withLock { $0 != nil } }

  func settle(with response: Response, in batch: ResumeBatch?) -> Bool {
    let waiting = continuation.withLock { continuation in
      defer { continuation = nil }
      return continuation
    }
    waiting?.resume(returning: response)
    return waiting != nil
  }

  /// Does nothing: a request without a connection is never abandoned.
  func onAbandonment(_ action: @escaping @Sendable () -> Void) {}
}
