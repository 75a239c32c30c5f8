import HTTPTypes

extension Router {
  /// The handler's answer to a request, or the router's own.
  ///
  /// It may be called on any thread; it blocks no longer than the handler does.
  public func reply(to request: Request) -> Reply {
    do throws(ProblemDetails) {
      return try resolve(request)
    } catch {
      return .now(error.response(instance: request.path))
    }
  }

  /// Answers a request without a connection, as a server would. HEAD gets the reply of GET with its
  /// body, which only a connection leaves out.
  ///
  /// A stream becomes a reply with everything that its source gives until it waits or ends for the first
  /// time; then the stream is over. A source that never does either has no such reply: this does not
  /// return.
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

  /// What a stream sends at once.
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

  /// The router's own answer to a request that no handler takes, or nil if one does. It is known
  /// before the body is read.
  func refusal(of request: Request) -> Response? {
    let target = request.storage.target
    if target.fault == nil, let method = request.storage.method {
      let wanted: RequestMethod = method == .head ? .get : method
      if tree.routes(for: target).contains(where: { $0.method == wanted }) { return nil }
    }
    guard case .now(let response) = reply(to: request) else { return nil }
    return response
  }

  private func resolve(_ request: Request) throws(ProblemDetails) -> Reply {
    let target = request.storage.target
    // Its target is no path.
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

  /// The value of Allow for the methods of a path, in a fixed order.
  private static func allow(_ methods: [RequestMethod]) -> String {
    var methods = Set(methods)
    if methods.contains(.get) { methods.insert(.head) }
    methods.insert(.options)
    return RequestMethod.allCases.filter(methods.contains).map(\.name).joined(separator: ", ")
  }
}
