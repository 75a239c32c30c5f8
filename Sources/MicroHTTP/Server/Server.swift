import Glibc
package import Logging
import Synchronization

/// An HTTP/1.1 server on GNU libmicrohttpd.
///
/// The server rejects malformed requests that libmicrohttpd accepts, enforces the limits and
/// deadlines of its ``ServerConfiguration``, and reports errors to clients as ``ProblemDetails``.
/// Starting it makes the process ignore SIGPIPE.
///
/// ```swift
/// var router = Router()
/// router.get("/hello") { _ in
///   Response(status: .ok, fields: [.contentType: "text/plain"], body: Array("Hello".utf8))
/// }
/// let server = try Server(
///   configuration: ServerConfiguration(host: "127.0.0.1", port: 8080), router: router,
///   logger: Logger(label: "example"))
/// print(try server.start().url)
/// // Later, for example after a SIGTERM:
/// await server.shutdown(grace: .seconds(10))
/// ```
package final class Server: Sendable {
  private let configuration: ServerConfiguration
  private let router: Router
  private let logger: Logger
  /// Runs the server; `nil` before it is started.
  private let started = Mutex<Supervisor?>(nil)

  /// Creates a server that does not listen yet.
  ///
  /// - Parameters:
  ///   - configuration: The address to listen on, and the limits.
  ///   - router: Answers the requests.
  ///   - logger: Receives the faults of replies as errors, and at the debug level each reply and the messages
  ///     of libmicrohttpd.
  /// - Throws: ``ServerError/invalidAddress(_:)`` or
  ///   ``ServerError/invalidConfiguration(option:reason:)``.
  package init(
    configuration: ServerConfiguration, router: Router, logger: Logger
  ) throws(ServerError) {
    try configuration.validate()
    guard SocketAddress(host: configuration.host, port: configuration.port) != nil else {
      throw .invalidAddress(configuration.host)
    }
    self.configuration = configuration
    self.router = router
    self.logger = logger
  }

  deinit {
    // No caller can shut the server down any more, so it does so itself.
    supervisor?.requestShutdown(grace: .zero)
  }

  /// Starts listening and serving. A server can be started once.
  ///
  /// - Returns: The bound address, with the port that the system chose if the configured port is 0.
  /// - Throws: ``ServerError``, for example ``ServerError/addressInUse(host:port:)``. The server
  ///   does not listen then.
  package func start() throws(ServerError) -> BoundAddress {
    try started.withLock { (started) throws(ServerError) in
      if started != nil { throw .alreadyStarted }
      // Signals that end the process must not be delivered to the serving threads.
      var all = sigset_t()
      var previous = sigset_t()
      sigfillset(&all)
      pthread_sigmask(SIG_SETMASK, &all, &previous)
      defer { pthread_sigmask(SIG_SETMASK, &previous, nil) }
      let supervisor = try Supervisor(configuration, router: router, logger: logger)
      started = supervisor
      return supervisor.address
    }
  }

  /// Begins a graceful shutdown: refuses new clients, answers new requests on open connections with
  /// a 503 problem, `shutting-down`, and closes each connection after its next reply. Parked
  /// requests and streams continue, so that their handlers can still send a final answer.
  ///
  /// A new request for an event stream gets no reply; its connection is closed. A browser's
  /// EventSource gives up permanently after a 503, but reconnects after a lost connection.
  ///
  /// It has no effect if the server is not running.
  package func beginDraining() { supervisor?.beginDraining() }

  /// Shuts the server down gracefully and returns when it has stopped.
  ///
  /// It first does what ``beginDraining()`` does. Parked requests that change nothing get a 503 problem,
  /// `shutting-down`. Streams end after the piece that is being sent. Other parked requests and replies in
  /// flight are completed until the grace period is over. Then replies are cut, and connections of parked
  /// requests are closed without a reply, because a refusal would say that nothing was done. It returns at
  /// once if the server is not running.
  ///
  /// - Parameter grace: The time to wait for replies in flight. A negative duration counts as zero.
  package func shutdown(grace: Duration) async {
    await supervisor?.shutdown(grace: grace)
  }

  /// The numbers of now; all 0 before the server is started. Those since the start remain after it has stopped.
  package var statistics: ServerStatistics {
    ServerStatistics(
      connections: total { $0.open.load(ordering: .acquiring) },
      requestsInFlight: total { $0.inFlight.load(ordering: .acquiring) },
      requestsParked: total { $0.suspended.load(ordering: .acquiring) },
      replies: [2, 3, 4, 5].reduce(into: [:]) { replies, digit in
        replies[digit] = total { $0.replied.count(digit) }
      }, problems: supervisor?.problems ?? [:],
      writes: supervisor?.writes ?? DurationHistogram())
  }

  private func total(_ counter: (DaemonEngine) -> Int) -> Int { supervisor?.total(counter) ?? 0 }

  private var supervisor: Supervisor? { started.withLock { $0 } }
}

/// The address and port on which a started ``Server`` listens.
package struct BoundAddress: Sendable, Hashable, CustomStringConvertible {
  /// The IP address as a literal, without brackets.
  package let host: String
  /// The port, never 0.
  package let port: UInt16

  /// The address as a URL without a path, for example `http://127.0.0.1:8080`.
  ///
  /// An IPv6 address is enclosed in brackets (RFC 3986, section 3.2.2).
  package var url: String {
    host.contains(":") ? "http://[\(host)]:\(port)" : "http://\(host):\(port)"
  }

  /// The same as ``url``.
  package var description: String { url }
}
