/// Where a ``Server`` listens, and every limit that it puts on its clients.
///
/// Each limit says what a client gets when it hits it. Sizes are bytes.
public struct ServerConfiguration: Sendable, Equatable {
  /// The address to listen on: an IPv4 or IPv6 literal, or `localhost` for 127.0.0.1.
  ///
  /// Anything else makes ``Server/init(configuration:router:logger:)`` throw
  /// ``ServerError/invalidAddress(_:)``.
  public var host = "127.0.0.1"

  /// The port to listen on; 0 lets the system choose one, which ``Server/start()`` reports.
  public var port: UInt16 = 0

  /// The names and addresses by which clients reach the server, without a port, beside those of loopback:
  /// `localhost`, names below it, 127.0.0.0/8 and `[::1]`.
  ///
  /// A server that listens on loopback, or has host names, refuses a request whose Host is any other with
  /// a 403 problem, `foreign-host`, unread: with DNS rebinding, a page of any site could read and write
  /// here. Otherwise all hosts are served.
  ///
  /// Whatever the host, a request other than GET, HEAD and OPTIONS gets a 403 problem, `cross-site`, if
  /// it comes from a page of another origin: if its Origin is not the host that it goes to, or its
  /// Sec-Fetch-Site is `cross-site` or `same-site`.
  public var hostNames: [String] = []

  /// The number of threads that serve connections, no more than ``connectionLimit``. A connection stays
  /// with the thread that takes it; a handler that is slow holds up those of its thread only.
  public var threads = 1

  /// The number of open connections. Further clients wait in the backlog until one closes.
  public var connectionLimit = 10_240

  /// The number of open connections of one address, 0 for any number. Further ones are accepted
  /// and closed at once, without a reply.
  public var perAddressConnectionLimit = 0

  /// The longest request target. A longer one gets a 414 problem, `target-too-long`.
  public var targetLimit = 8 * 1024

  /// The largest sum of a request's field lines. More gets a 431 problem, `fields-too-large`.
  public var headerSizeLimit = 16 * 1024

  /// The largest number of field lines. More gets a 431 problem, `fields-too-large`.
  public var headerCountLimit = 100

  /// The largest request body. One that declares more gets a 413 problem, `body-too-large`,
  /// before any of it is read; a chunked one gets it as soon as it passes the limit.
  public var bodySizeLimit = 1024 * 1024

  /// The memory that the bodies of all requests may take together, beside 4 KiB for each. A request
  /// whose body does not fit gets a 503 problem, `too-many-bodies`, with `Retry-After`; before any of it
  /// is read, or as soon as it needs more than is left.
  public var bodyMemoryLimit = 64 * 1024 * 1024

  /// The memory for the head of a request and of its reply, per connection.
  ///
  /// A head that does not fit gets libmicrohttpd's own 414 or 431, as HTML; one that only just fits,
  /// within a few hundred bytes, leaves no room for the head of the reply, and gets a problem in its
  /// place. The default holds the default limits; 4 KiB lets a parked request cost about 5 KiB in all.
  public var connectionMemory = 32 * 1024

  /// The time that a kept-alive connection may stay silent between two requests. Then it is closed,
  /// without a reply.
  public var idleTimeout = Duration.seconds(60)

  /// The time for the head of a request, from the opening of the connection, or from its request
  /// line on a kept one. Then the connection is closed, without a reply.
  public var headerDeadline = Duration.seconds(10)

  /// The time for the body of a request after its head. Then the connection is closed.
  public var bodyDeadline = Duration.seconds(30)

  /// The time a client may take to read a reply, or one piece of a stream, for each started MiB of it.
  /// Then the connection is closed in the middle of the reply.
  public var replyDeadline = Duration.seconds(30)

  /// How often parked requests and waiting streams are searched for clients that left. Their handlers
  /// and sources are told, and their connections closed.
  public var abandonmentSweep = Duration.seconds(1)

  /// Whether a text can be one of the ``hostNames``: a name or an IP address, without a port.
  public static func isHostName(_ text: String) -> Bool { SiteGuard.isHostName(text) }

  /// The defaults: any free port of 127.0.0.1.
  public init() {}

  /// The defaults on another address.
  ///
  /// - Parameters:
  ///   - host: See ``host``.
  ///   - port: See ``port``.
  public init(host: String, port: UInt16) {
    self.host = host
    self.port = port
  }
}
