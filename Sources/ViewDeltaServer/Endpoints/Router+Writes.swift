import HTTPTypes
import MicroHTTP
import ViewState

extension Router {
  /// Registers a handler that submits an input. If the request comes alone and is small, and inputs are quick, the
  /// thread that serves the connection applies the input itself: waking another thread, and being woken by it,
  /// costs more.
  ///
  /// - Parameters:
  ///   - engine: The engine that the input is submitted to.
  ///   - takesLong: Returns whether something must be made first, for which other connections should not wait.
  ///   - respond: Returns the reply. It waits for nothing before it submits the input.
  mutating func write(
    _ method: HTTPRequest.Method, _ path: String, through engine: Engine,
    unless takesLong: @escaping @Sendable (Request) -> Bool = { _ in false },
    _ respond: @escaping @Sendable (Request) async throws(ProblemDetails) -> Response
  ) {
    on(method, path, startsAtOnce: { engine.isQuick && $0.isSmall && !takesLong($0) }, respond)
  }
}

extension Request {
  /// Whether the body is read on the thread that serves the connection. Reading takes up to a tenth of a microsecond
  /// for each byte, in which all connections of the thread wait.
  var hasSmallBody: Bool { body.count <= 4 * 1024 }

  /// Whether it takes no time to read, and asks for nothing that takes long to make: a command with a query may
  /// ask for a diff of any size.
  fileprivate var isSmall: Bool { query.isEmpty && hasSmallBody }
}
