import Glibc

/// The address of a ``Server`` and the limits that it enforces.
///
/// Each limit documents the reply to a client that exceeds it. Sizes are in bytes.
///
/// ```swift
/// var configuration = ServerConfiguration(host: "::1", port: 8080)
/// configuration.threads = 4
/// configuration.bodySizeLimit = 64 * 1024
/// ```
package struct ServerConfiguration: Sendable, Equatable {
  /// The address to listen on: an IPv4 or IPv6 literal, or `localhost` for 127.0.0.1.
  ///
  /// ``Server/init(configuration:router:logger:)`` throws ``ServerError/invalidAddress(_:)`` for
  /// any other text.
  package var host: String

  /// The port to listen on. If it is 0 the system chooses one, which ``Server/start()`` returns.
  package var port: UInt16

  /// The additional host names and addresses of the server, without a port. Loopback hosts are
  /// always accepted: `localhost`, names below it, 127.0.0.0/8 and `[::1]`.
  ///
  /// If the server listens on loopback or has host names, it answers a request with any other Host
  /// with a 403 problem, `foreign-host`, without handling it: by DNS rebinding a page of any site
  /// could otherwise read and write here. Only GET and HEAD of a route that serves any host are
  /// handled. A server on another address without host names accepts every Host.
  ///
  /// A request other than GET, HEAD and OPTIONS gets a 403 problem, `cross-site`, if it comes from
  /// a page of another origin that is not one of ``allowedOrigins``: if its Origin differs from its Host, or its
  /// Sec-Fetch-Site is `cross-site` or `same-site`.
  package var hostNames: [String] = []

  /// The origins of other servers whose pages may read and write here, as browsers send them: `https://app.example.com`.
  /// Pages of other origins can do neither.
  ///
  /// Replies to requests with such an `Origin` have the fields of CORS (WHATWG Fetch Standard, section 3.3), with which
  /// the page can read their content and all their fields, and its preflights are answered. Cookies are not allowed.
  ///
  /// ```swift
  /// configuration.allowedOrigins = ["https://app.example.com", "http://localhost:5173"]
  /// ```
  package var allowedOrigins: [String] = []

  /// The number of threads that serve connections, at most ``connectionLimit``. A connection stays
  /// on the thread that accepts it; a slow handler delays only the connections of its thread.
  package var threads = 1

  /// The maximum number of open connections. Further clients wait in the backlog until one closes; if some wait for
  /// further requests of their clients, the one that has waited for longest is closed.
  package var connectionLimit = 10_240

  /// The maximum length of a request target. A longer one gets a 414 problem, `target-too-long`.
  package static let targetLimit = 8 * 1024

  /// The maximum total size of a request's header fields. A larger head gets a 431 problem,
  /// `fields-too-large`.
  package static let fieldSizeLimit = 16 * 1024

  /// The maximum number of header fields. A request with more gets a 431 problem,
  /// `fields-too-large`.
  package static let fieldCountLimit = 100

  /// The maximum size of a request body. A larger one gets a 413 problem, `body-too-large`: at once
  /// if its size is declared, and if it is chunked as soon as it exceeds the limit.
  package var bodySizeLimit = 1024 * 1024

  /// The maximum memory of all request bodies together, not counting the first 4 KiB of each. A
  /// request whose body does not fit gets a 503 problem, `too-many-bodies`, with `Retry-After`, as
  /// soon as that is known.
  package var bodyMemoryLimit = 64 * 1024 * 1024

  /// The maximum memory of all replies together that clients have not taken yet, not counting replies up to 32 KiB. A
  /// reply that many connections send counts once.
  ///
  /// If a reply does not fit, a request that changes nothing gets a 503 problem, `too-many-replies`, with
  /// `Retry-After`, and a stream ends before its next piece. Replies to other requests have as much memory again;
  /// beyond that their connections are closed.
  package var replyMemoryLimit = 256 * 1024 * 1024

  /// The memory per connection for the head of a request and the head of its reply.
  ///
  /// A head that does not fit gets libmicrohttpd's own 414 or 431 page in HTML. A head that leaves
  /// less than a few hundred bytes, or less than 1.5 KiB if the request may change something, has no room for the head
  /// of the reply and gets a problem instead. The default fits the other limits. With 4 KiB a parked request
  /// costs about 5.3 KiB in total.
  package var connectionMemory = 32 * 1024

  /// The time that a kept-alive connection may be silent between two requests. Then it is closed
  /// without a reply; earlier if clients wait for a connection.
  package var idleTimeout = Duration.seconds(60)

  /// The time for the head of a request: from the opening of a new connection, or from the request
  /// line on a kept-alive one. Then the connection is closed without a reply.
  package var headDeadline = Duration.seconds(10)

  /// The time for the body of a request, counted from the end of its head. Then the connection is
  /// closed.
  package var bodyDeadline = Duration.seconds(30)

  /// The time for a client to read each started MiB of a reply or of one piece of a stream. Then
  /// the connection is closed in the middle of the reply.
  package var replyDeadline = Duration.seconds(30)

  /// The time within which the server notices that the client of a parked request or a waiting stream has
  /// disconnected. Then it notifies the handler or the source and closes the connection. Within twice this time it closes
  /// an idle connection whose client has sent its end together with the last request.
  package var abandonmentSweep = Duration.seconds(1)

  /// Whether requests for any host are accepted.
  package var acceptsAnyHost: Bool {
    hostNames.isEmpty && SocketAddress(host: host, port: port)?.isLoopback == false
  }

  /// Checks that a server could listen on the address now, so that a program whose start takes long can fail early. No
  /// client can connect yet. The address is not reserved: another server may still take it.
  package func checkAddress() throws(ServerError) { close(try ListeningSocket.bind(self)) }

  /// Returns whether a text is valid as ``host``.
  package static func isAddress(_ text: String) -> Bool {
    SocketAddress(host: text, port: 0) != nil
  }

  /// Returns whether a text is valid in ``hostNames``: a name or an IP address, without a port and without `*`.
  package static func isHostName(_ text: String) -> Bool { SiteGuard.isHostName(text) }

  /// Returns whether a text is valid in ``allowedOrigins``: a scheme in lower case, `://`, and a host in lower case, with
  /// a port if it is not the default of the scheme.
  package static func isOrigin(_ text: String) -> Bool { SiteGuard.isOrigin(text) }

  /// Creates the default configuration for an address: unless given, any free port of 127.0.0.1.
  ///
  /// - Parameters:
  ///   - host: See ``host``.
  ///   - port: See ``port``.
  package init(host: String = "127.0.0.1", port: UInt16 = 0) {
    self.host = host
    self.port = port
  }
}

extension ServerConfiguration {
  /// Throws ``ServerError/invalidConfiguration(option:reason:)`` for the first value that is out of
  /// its range.
  func validate() throws(ServerError) {
    let counts = [
      ("threads", threads, 1...64),
      ("connectionLimit", connectionLimit, 1...1_000_000),
      ("bodySizeLimit", bodySizeLimit, 0...(1 << 30)),
      ("bodyMemoryLimit", bodyMemoryLimit, 0...(1 << 40)),
      ("replyMemoryLimit", replyMemoryLimit, 0...(1 << 40)),
      ("connectionMemory", connectionMemory, 2_048...(128 * 1024)),
    ]
    for (option, value, range) in counts where !range.contains(value) {
      throw .invalidConfiguration(
        option: option, reason: "\(value) is not in \(range.lowerBound)...\(range.upperBound)")
    }
    for name in hostNames where !Self.isHostName(name) {
      throw .invalidConfiguration(
        option: "hostNames", reason: "\"\(name)\" is not a host without a port")
    }
    for origin in allowedOrigins where !Self.isOrigin(origin) {
      throw .invalidConfiguration(
        option: "allowedOrigins", reason: "\"\(origin)\" is not an origin as browsers send it")
    }
    let durations = [
      ("idleTimeout", idleTimeout), ("headDeadline", headDeadline),
      ("bodyDeadline", bodyDeadline), ("replyDeadline", replyDeadline),
      ("abandonmentSweep", abandonmentSweep),
    ]
    for (option, value) in durations
    where value < .milliseconds(1) || value > .seconds(24 * 3600) {
      throw .invalidConfiguration(
        option: option, reason: "\(value) is not between one millisecond and one day")
    }
  }

  /// The maximum interval between two checks of the deadlines, in milliseconds: an eighth of the
  /// shortest deadline, clamped to 5...250.
  var pause: Int32 {
    let shortest = min(
      idleTimeout, headDeadline, bodyDeadline, replyDeadline, abandonmentSweep)
    return Int32(min(250, max(5, shortest.wholeNanoseconds / 8_000_000)))
  }
  /// The number of parts in which the connections are checked for clients that have disconnected, one in
  /// each pause. One pause of the interval is left over, for those whose turn comes late.
  var sweepParts: Int {
    max(1, Int(abandonmentSweep.wholeNanoseconds / 1_000_000) / Int(pause) - 1)
  }
}
