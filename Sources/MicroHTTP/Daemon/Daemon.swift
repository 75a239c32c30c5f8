import CMicroHTTPD
import Glibc

/// A daemon of libmicrohttpd that runs without threads of the library, and the reference to its
/// engine.
///
/// One thread at a time uses it: first the thread that starts it, then its ``ServingThread``. So
/// only one thread touches the library's lists of connections, and resuming a connection causes no
/// race.
final class Daemon {
  /// An epoll descriptor that is readable if there is work: a request, a new client, or room for
  /// more of a reply.
  let epoll: Int32
  /// Whether libmicrohttpd is older than version 1.0.
  static let isOld = strncmp(MHD_get_version(), "0.9.", 4) == 0
  private let native: OpaquePointer
  private let reference: Unmanaged<DaemonEngine>

  /// Starts serving on a listening socket, which several daemons can share. The socket must stay
  /// open until the daemon has stopped.
  ///
  /// - Throws: ``ServerError/notStarted(reason:)``.
  init(_ engine: DaemonEngine, listening descriptor: Int32) throws(ServerError) {
    let configuration = engine.configuration
    let reference = Unmanaged.passRetained(engine)
    let context = reference.toOpaque()
    var options: [MHD_OptionItem] = []
    func add(_ option: MHD_OPTION, _ value: Int, _ pointer: UnsafeMutableRawPointer? = nil) {
      options.append(MHD_OptionItem(option: option, value: value, ptr_value: pointer))
    }
    // The logger is the first option, so that the library does not write to standard error before
    // it reads it. A C function is passed as an integer of its width, as the header demands.
    add(.EXTERNAL_LOGGER, unsafeBitCast(Callbacks.log, to: Int.self), context)
    add(.LISTEN_SOCKET, Int(descriptor))
    add(.SIGPIPE_HANDLED_BY_APP, 1)
    add(.CONNECTION_LIMIT, engine.connectionLimit)
    // The library's own timeout would close a connection before it reads the received data, and
    // would leave an unread reply in the kernel. The connection table enforces the deadlines
    // instead.
    add(.CONNECTION_TIMEOUT, 0)
    add(.CONNECTION_MEMORY_LIMIT, configuration.connectionMemory)
    add(.URI_LOG_CALLBACK, unsafeBitCast(Callbacks.target, to: Int.self), context)
    add(.UNESCAPE_CALLBACK, unsafeBitCast(Callbacks.unescape, to: Int.self), context)
    add(.NOTIFY_COMPLETED, unsafeBitCast(Callbacks.completed, to: Int.self), context)
    add(.NOTIFY_CONNECTION, unsafeBitCast(Callbacks.connection, to: Int.self), context)
    add(.END, 0)

    MHD_set_panic_func(Callbacks.panic, nil)
    // The library suppresses SIGPIPE if it can, and so does this target's own write. This call
    // covers sendfile and systems on which the library cannot.
    signal(SIGPIPE, SIG_IGN)
    // The flag for suspending includes a descriptor that wakes a thread of the library when a
    // connection is resumed. There is no such thread, and version 1.0 would write to the descriptor
    // for each connection.
    let suspending = MHD_ALLOW_SUSPEND_RESUME.rawValue & ~MHD_USE_ITC.rawValue
    let flags = MHD_USE_EPOLL.rawValue | suspending | MHD_USE_ERROR_LOG.rawValue
    guard let native = viewdelta_start_daemon(flags, Callbacks.access, context, &options)
    else {
      let number = errno
      reference.release()
      throw .notStarted(reason: "libmicrohttpd refused, errno \(number)")
    }
    self.native = native
    self.reference = reference
    epoll = viewdelta_epoll_descriptor(native)
  }

  /// Whether there is work that ``epoll`` does not signal. No timeout is pending, because the
  /// library's timeouts are off.
  var hasWork: Bool {
    var milliseconds: UInt64 = 0
    return MHD_get_timeout(native, &milliseconds) == .YES && milliseconds == 0
  }

  /// Does all pending work without waiting for more.
  func run() { _ = MHD_run(native) }

  /// Stops accepting new clients.
  func quiesce() { _ = MHD_quiesce_daemon(native) }

  /// Closes all connections. Must be called once, after ``quiesce()``, because the library would
  /// otherwise close the listening socket, and only if no connection is suspended.
  func stop() {
    MHD_stop_daemon(native)
    // No callback follows.
    reference.release()
  }
}
