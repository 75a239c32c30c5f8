import CMicroHTTPD
import Glibc
import Logging

/// A running daemon of libmicrohttpd and the reference that it holds to its engine.
///
/// `@unchecked Sendable`: the pointer is used by the thread that starts the daemon and then by the
/// supervisor's only; libmicrohttpd allows both calls from any thread.
final class Daemon: @unchecked Sendable {
  let engine: Engine
  private let native: OpaquePointer
  private let reference: Unmanaged<Engine>
  private var listening: Int32?

  /// Starts serving on a listening socket, which the daemon then owns.
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
    add(.CONNECTION_LIMIT, configuration.connectionLimit)
    add(.CONNECTION_TIMEOUT, configuration.idleTimeout.secondsRoundedUp)
    add(.CONNECTION_MEMORY_LIMIT, configuration.connectionMemory)
    if configuration.perAddressConnectionLimit > 0 {
      add(.PER_IP_CONNECTION_LIMIT, configuration.perAddressConnectionLimit)
    }
    if configuration.threads > 1 { add(.THREAD_POOL_SIZE, configuration.threads) }
    add(.URI_LOG_CALLBACK, unsafeBitCast(Callbacks.target, to: Int.self), context)
    add(.UNESCAPE_CALLBACK, unsafeBitCast(Callbacks.unescape, to: Int.self), context)
    add(.NOTIFY_COMPLETED, unsafeBitCast(Callbacks.completed, to: Int.self), context)
    add(.NOTIFY_CONNECTION, unsafeBitCast(Callbacks.connection, to: Int.self), context)
    add(.END, 0)

    MHD_set_panic_func(Callbacks.panic, nil)
    // The library sends without SIGPIPE where it can; the one write of our own does too. This is for
    // sendfile and for systems where it cannot.
    signal(SIGPIPE, SIG_IGN)
    let flags =
      MHD_USE_EPOLL_INTERNAL_THREAD.rawValue | MHD_ALLOW_SUSPEND_RESUME.rawValue
      | MHD_USE_ERROR_LOG.rawValue
    guard let native = viewdelta_start_daemon(flags, Callbacks.access, context, &options) else {
      let number = errno
      reference.release()
      throw .notStarted(reason: "libmicrohttpd refused, errno \(number)")
    }
    self.engine = engine
    self.native = native
    self.reference = reference
    self.listening = descriptor
  }

  /// Refuses new clients from now on. Called once.
  func quiesce() {
    let descriptor = MHD_quiesce_daemon(native)
    guard descriptor >= 0 else { return }
    // Clients in the backlog are refused too. It is closed only after the threads are gone, which
    // may still name it in a call.
    shutdown(descriptor, Int32(SHUT_RDWR))
  }

  /// Stops the threads and closes all connections. Called once, after ``quiesce()``, and only when
  /// nothing is suspended.
  func stop() {
    MHD_stop_daemon(native)
    if let listening { close(listening) }
    listening = nil
    // No callback can come any longer.
    reference.release()
  }
}
