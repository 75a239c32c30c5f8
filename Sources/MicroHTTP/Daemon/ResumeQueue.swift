import CMicroHTTPD
import Synchronization

/// Suspended connections that may go on, handed to libmicrohttpd by its own thread.
///
/// libmicrohttpd looks at all suspended connections under a lock whenever one was resumed. If another
/// thread resumes ten thousand one by one, the two fight for that lock, and the list is walked again
/// and again. So only the first is resumed by whoever has its answer; it rings the bell. The others
/// wait here until libmicrohttpd's thread comes by, which takes all that there are.
///
/// A connection is kept as its address. It is suspended, so libmicrohttpd keeps it until it is
/// resumed, and the address is passed on once.
final class ResumeQueue: Sendable {
  private struct State {
    var waiting: [UInt] = []
    /// Whether a resumed connection has not had its turn yet; it will empty the queue.
    var isRinging = false
  }

  private let state = Mutex(State())

  /// Has a suspended connection resumed, now or as soon as libmicrohttpd's thread comes by.
  func resume(_ connection: OpaquePointer) {
    let address = UInt(bitPattern: connection)
    let isFirst = state.withLock { state in
      if state.isRinging {
        state.waiting.append(address)
        return false
      }
      state.isRinging = true
      return true
    }
    if isFirst { MHD_resume_connection(connection) }
  }

  /// Resumes all that wait. Called by libmicrohttpd's thread when a connection that was resumed has
  /// its turn, or is over; and from time to time, in case that libmicrohttpd lets one sleep.
  func empty() {
    let waiting = state.withLock { state in
      // Those that are resumed now will come by in their turn.
      if state.waiting.isEmpty { state.isRinging = false }
      defer { state.waiting.removeAll() }
      return state.waiting
    }
    for address in waiting { MHD_resume_connection(OpaquePointer(bitPattern: address)) }
  }
}
