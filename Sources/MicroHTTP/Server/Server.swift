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

  private let engine: Engine
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
    engine = Engine(
      configuration: configuration, router: router, logger: logger,
      bodies: BodyBudget(limit: configuration.bodyMemoryLimit))
  }

  deinit {
    // A server that nobody can shut down any longer goes down by itself.
    if case .running(let supervisor) = state.withLock({ $0 }) {
      supervisor.requestShutdown(grace: .zero)
    }
  }

  /// Listens, and serves from now on. A server can be started once.
  ///
  /// - Returns: Where it listens, with the port that the system chose for port 0.
  /// - Throws: A ``ServerError`` that names what is in the way, for example
  ///   ``ServerError/addressInUse(host:port:)``. Nothing is left listening then.
  public func start() throws(ServerError) -> BoundAddress {
    try state.withLock { (state) throws(ServerError) in
      guard case .idle = state else { throw .alreadyStarted }
      let configuration = engine.configuration
      let socket = try ListeningSocket(host: configuration.host, port: configuration.port)
      // The threads of a library must not take the signals that end the process.
      var all = sigset_t()
      var previous = sigset_t()
      sigfillset(&all)
      pthread_sigmask(SIG_SETMASK, &all, &previous)
      defer { pthread_sigmask(SIG_SETMASK, &previous, nil) }
      let daemon: Daemon
      do throws(ServerError) {
        daemon = try Daemon(engine, listening: socket.descriptor)
      } catch {
        close(socket.descriptor)
        throw error
      }
      do throws(ServerError) {
        state = .running(try Supervisor(daemon))
      } catch {
        daemon.quiesce()
        daemon.stop()
        throw error
      }
      return socket.address
    }
  }

  /// Shuts the server down in order, and returns when it is down.
  ///
  /// New clients are refused at once. Parked requests get a 503 problem, `shutting-down`, and so do
  /// new requests on open connections. Streams are ended properly after the piece on its way. Replies on
  /// their way are completed, for as long as the grace lasts; then they are cut. A server that was not started, or is down, returns at once.
  ///
  /// - Parameter grace: How long to wait for replies on their way. Negative counts as zero.
  public func shutdown(grace: Duration) async {
    guard case .running(let supervisor) = state.withLock({ $0 }) else { return }
    await supervisor.shutdown(grace: grace)
  }

  /// The number of requests between their first line and the end of their reply; streams are among
  /// them.
  public var requestsInFlight: Int { engine.inFlight.load(ordering: .relaxed) }

  /// The number of requests that wait for their handler, and of streams that wait for their source.
  public var requestsParked: Int { engine.suspended.load(ordering: .relaxed) }

  /// The number of open connections.
  public var connectionCount: Int { engine.connections.count }
}
