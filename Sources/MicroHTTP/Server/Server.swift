import Glibc
public import Logging
import Synchronization

/// An HTTP/1.1 server on GNU libmicrohttpd.
///
/// It checks what libmicrohttpd lets through before a ``Router`` sees a request, keeps the limits and
/// deadlines of its ``ServerConfiguration``, and answers what goes wrong with ``ProblemDetails``.
/// Starting it makes the process ignore SIGPIPE.
public final class Server: Sendable {
  private enum State {
    case idle
    case running(Supervisor)
  }

  private let configuration: ServerConfiguration
  private let router: Router
  private let logger: Logger
  private let state = Mutex(State.idle)

  /// Makes a server that does not listen yet.
  ///
  /// - Parameters:
  ///   - configuration: Where to listen, and the limits.
  ///   - router: What answers the requests.
  ///   - logger: Gets libmicrohttpd's messages at the level debug.
  /// - Throws: ``ServerError/invalidAddress(_:)`` or
  ///   ``ServerError/invalidConfiguration(option:reason:)``.
  public init(
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
    // A server that nobody can shut down any longer goes down by itself.
    supervisor?.requestShutdown(grace: .zero)
  }

  /// Listens, and serves from now on. A server can be started once.
  ///
  /// - Returns: Where it listens, with the port that the system chose for port 0.
  /// - Throws: A ``ServerError`` that names what is in the way, for example
  ///   ``ServerError/addressInUse(host:port:)``. Nothing is left listening then.
  public func start() throws(ServerError) -> BoundAddress {
    try state.withLock { (state) throws(ServerError) in
      guard case .idle = state else { throw .alreadyStarted }
      // The serving threads must not take the signals that end the process.
      var all = sigset_t()
      var previous = sigset_t()
      sigfillset(&all)
      pthread_sigmask(SIG_SETMASK, &all, &previous)
      defer { pthread_sigmask(SIG_SETMASK, &previous, nil) }
      let supervisor = try Supervisor(configuration, router: router, logger: logger)
      state = .running(supervisor)
      return supervisor.address
    }
  }

  /// Prepares the end: new clients are refused from now on, new requests on open connections get a 503
  /// problem, `shutting-down`, and every reply says that it is its connection's last. Requests that wait
  /// and streams go on, so that whoever answers them can tell each what is left to tell.
  ///
  /// A new request for an event stream gets no reply but a closed connection: a browser's EventSource
  /// gives up for good after a 503, and comes back after a connection that broke.
  ///
  /// A server that was not started, or is down, does nothing.
  public func beginDraining() { supervisor?.beginDraining() }

  /// Shuts the server down in order, and returns when it is down.
  ///
  /// It begins as ``beginDraining()`` does. Parked requests get a 503 problem, `shutting-down`. Streams
  /// are ended properly after the piece on its way, and closed. Replies on their way are completed, for
  /// as long as the grace lasts; then they are cut. A server that was not started, or is down, returns
  /// at once.
  ///
  /// - Parameter grace: How long to wait for replies on their way. Negative counts as zero.
  public func shutdown(grace: Duration) async {
    await supervisor?.shutdown(grace: grace)
  }

  /// The number of requests between their first line and the end of their reply; streams are among
  /// them.
  public var requestsInFlight: Int { total { $0.inFlight.load(ordering: .acquiring) } }

  /// The number of requests that wait for their handler, and of streams that wait for their source.
  public var requestsParked: Int { total { $0.suspended.load(ordering: .acquiring) } }

  /// The number of open connections.
  public var connectionCount: Int { total { $0.open.load(ordering: .acquiring) } }

  private func total(_ counter: (Engine) -> Int) -> Int { supervisor?.total(counter) ?? 0 }

  private var supervisor: Supervisor? {
    if case .running(let supervisor) = state.withLock({ $0 }) { supervisor } else { nil }
  }
}
