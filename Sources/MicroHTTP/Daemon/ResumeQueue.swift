import CMicroHTTPD
import Glibc
import Synchronization

/// Suspended connections that may go on, handed to libmicrohttpd by their own serving thread; and the
/// bell that wakes this thread.
///
/// libmicrohttpd looks at all suspended connections under a lock whenever one was resumed. If another
/// thread resumed ten thousand one by one, the two would fight for that lock, and the list would be
/// walked again and again. So connections wait here until their thread comes by, which takes all that
/// there are.
///
/// A connection is kept as its address. It is suspended, so libmicrohttpd keeps it until it is
/// resumed, and the address is passed on once.
final class ResumeQueue: Sendable {
  private struct State {
    var waiting: [UInt] = []
    /// Whether the bell was rung since the queue was taken.
    var isRung = false
  }

  /// An eventfd, readable when the thread has something to do. It is open as long as this object is.
  let bell: Int32
  private let state = Mutex(State())

  init() throws(ServerError) {
    bell = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
    guard bell >= 0 else { throw .systemCall(name: "eventfd", errno: errno) }
  }

  deinit { close(bell) }

  /// Has a suspended connection resumed as soon as its thread comes by; called on any thread.
  func resume(_ connection: OpaquePointer) {
    let address = UInt(bitPattern: connection)
    let isFirst = state.withLock { state in
      state.waiting.append(address)
      defer { state.isRung = true }
      return !state.isRung
    }
    if isFirst { eventfd_write(bell, 1) }
  }

  /// Wakes the thread, to look at something else than this queue; called on any thread.
  func ring() { eventfd_write(bell, 1) }

  /// Resumes all that wait. Called by their thread, after which libmicrohttpd must run.
  ///
  /// - Parameter isRinging: Whether the bell is known to be readable.
  /// - Complexity: O(n) in their number.
  func empty(isRinging: Bool) {
    // Before the queue is taken: a bell that is rung afterwards must be heard.
    var count: eventfd_t = 0
    if isRinging { eventfd_read(bell, &count) }
    let waiting = state.withLock { state in
      state.isRung = false
      defer { state.waiting = [] }
      return state.waiting
    }
    for address in waiting { MHD_resume_connection(OpaquePointer(bitPattern: address)) }
  }
}
