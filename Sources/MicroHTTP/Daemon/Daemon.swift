import CMicroHTTPD
import Glibc
import Logging

/// A daemon of libmicrohttpd without a thread of the library, and the reference that it holds to its
/// engine.
///
/// One thread at a time uses it: the one that starts it, then its ``ServingThread``. So the library's
/// lists of connections are touched by one thread only, and resuming a connection is no race.
final class Daemon {
  /// Readable when there is work: a request, a client, room for more of a reply.
  let epoll: Int32
  private let native: OpaquePointer
  private let reference: Unmanaged<Engine>

  /// Starts serving on a listening socket, which several daemons may share. The socket must stay open
  /// until the daemon has stopped.
  init(_ engine: Engine, listening descriptor: Int32) throws(ServerError) {
    let configuration = engine.configuration
    let reference = Unmanaged.passRetained(engine)
    let context = reference.toOpaque()
    var options: [MHD_OptionItem] = []
    func add(_ option: MHD_OPTION, _ value: Int, _ pointer: UnsafeMutableRawPointer? = nil) {
      options.append(MHD_OptionItem(option: option, value: value, ptr_value: pointer))
    }
    // First, so that nothing is written to the standard error before it is known. A C function is
    // passed as an integer of its width, as the header demands.
    add(.EXTERNAL_LOGGER, unsafeBitCast(Callbacks.log, to: Int.self), context)
    add(.LISTEN_SOCKET, Int(descriptor))
    add(.SIGPIPE_HANDLED_BY_APP, 1)
    add(.CONNECTION_LIMIT, engine.connectionLimit)
    // The library's own timeout would close a connection before it reads what has arrived, and would
    // leave an unread reply to the system: deadlines are the connection table's.
    add(.CONNECTION_TIMEOUT, 0)
    add(.CONNECTION_MEMORY_LIMIT, configuration.connectionMemory)
    add(.URI_LOG_CALLBACK, unsafeBitCast(Callbacks.target, to: Int.self), context)
    add(.UNESCAPE_CALLBACK, unsafeBitCast(Callbacks.unescape, to: Int.self), context)
    add(.NOTIFY_COMPLETED, unsafeBitCast(Callbacks.completed, to: Int.self), context)
    add(.NOTIFY_CONNECTION, unsafeBitCast(Callbacks.connection, to: Int.self), context)
    add(.END, 0)

    MHD_set_panic_func(Callbacks.panic, nil)
    // The library sends without SIGPIPE where it can; the one write of our own does too. This is for
    // sendfile and for systems where it cannot.
    signal(SIGPIPE, SIG_IGN)
    // Suspending includes a descriptor that wakes the library's thread when a connection is resumed.
    // There is no such thread, and version 1.0 would write to the descriptor for each connection.
    let suspending = MHD_ALLOW_SUSPEND_RESUME.rawValue & ~MHD_USE_ITC.rawValue
    let flags = MHD_USE_EPOLL.rawValue | suspending | MHD_USE_ERROR_LOG.rawValue
    let policy = engine.addresses == nil ? nil : Callbacks.policy
    guard let native = viewdelta_start_daemon(flags, policy, Callbacks.access, context, &options)
    else {
      let number = errno
      reference.release()
      throw .notStarted(reason: "libmicrohttpd refused, errno \(number)")
    }
    self.native = native
    self.reference = reference
    epoll = viewdelta_epoll_descriptor(native)
  }

  /// Whether there is work that ``epoll`` does not tell of. There is no timeout to wait for, because
  /// the library has none to keep.
  var hasWork: Bool {
    var milliseconds: UInt64 = 0
    return MHD_get_timeout(native, &milliseconds) == .YES && milliseconds == 0
  }

  /// Does all the work that there is, and does not wait for more.
  func run() { _ = MHD_run(native) }

  /// Takes no new clients from now on.
  func quiesce() { _ = MHD_quiesce_daemon(native) }

  /// Closes all connections. Called once, as the last thing, after ``quiesce()``, without which the
  /// library would close the listening socket, and only when nothing is suspended.
  func stop() {
    MHD_stop_daemon(native)
    // No callback can come any longer.
    reference.release()
  }
}
