public import HTTPTypes

/// Finds the handler of a request by its method and path.
///
/// A pattern is a path whose segments are literal or parameters: `/v1/users/{id}/posts/{postID}`.
/// The raw path is split at its slashes first and each segment is decoded afterwards, so an escaped
/// slash never separates segments. A literal beats a parameter. A parameter never takes an empty
/// segment. Nothing is normalised: a trailing slash makes another path.
///
/// Without a handler of theirs, requests get:
/// - a malformed target: a 400 problem, `bad-target`
/// - an unknown path: a 404 problem, `not-found`
/// - another method: a 405 problem, `method-not-allowed`, with `Allow`; so do TRACE and CONNECT
/// - an unknown method: a 501 problem, `not-implemented`; methods are case-sensitive
/// - OPTIONS of a known path, or of `*`: 204 with `Allow`
/// - HEAD: the reply of GET, without its body
public struct Router: Sendable {
  var tree = RouteTree()

  /// All routes, in the order in which they were registered.
  public var routes: [RouteDescription] { tree.descriptions }

  /// A router without routes.
  public init() {}

  /// Answers GET and HEAD at once, on the thread that serves the connection.
  ///
  /// - Parameters:
  ///   - path: The pattern. A malformed one, or one registered twice, is a programmer's error.
  ///   - respond: Answers; it must not block. A problem that it throws becomes the reply.
  public mutating func get(
    _ path: String,
    _ respond: @escaping @Sendable (Request) throws(ProblemDetails) -> Response
  ) {
    route(.get, path) { (request) throws(ProblemDetails) in .now(try respond(request)) }
  }

  /// Answers a method with a task of its own; the request is parked while it runs.
  ///
  /// The task is cancelled if its client leaves or the server shuts down. Its reply then is ignored.
  ///
  /// - Parameters:
  ///   - method: A method that HTTPTypes names, except OPTIONS, TRACE, CONNECT and HEAD. GET serves
  ///     HEAD too.
  ///   - path: The pattern. A malformed one, or one registered twice, is a programmer's error.
  ///   - respond: Answers. A problem that it throws becomes the reply.
  public mutating func on(
    _ method: HTTPRequest.Method, _ path: String,
    _ respond: @escaping @Sendable (Request) async throws(ProblemDetails) -> Response
  ) {
    route(method, path) { request in
      .later { responder in
        let task = Task {
          do throws(ProblemDetails) {
            responder.respond(try await respond(request))
          } catch {
            responder.respond(error.response(instance: request.path))
          }
        }
        responder.onAbandonment { task.cancel() }
      }
    }
  }

  /// Answers a method at once, later or in pieces, as the handler decides for each request.
  ///
  /// - Parameters:
  ///   - method: A method that HTTPTypes names, except OPTIONS, TRACE, CONNECT and HEAD. GET serves
  ///     HEAD too.
  ///   - path: The pattern. A malformed one, or one registered twice, is a programmer's error.
  ///   - respond: Decides, on the thread that serves the connection; it must not block. A problem
  ///     that it throws becomes the reply.
  public mutating func route(
    _ method: HTTPRequest.Method, _ path: String,
    _ respond: @escaping @Sendable (Request) throws(ProblemDetails) -> Reply
  ) {
    guard let known = RequestMethod(method), RouteTree.routable.contains(known) else {
      preconditionFailure("\(method) cannot be routed")
    }
    tree.insert(known, RoutePattern(path), respond)
  }
}
