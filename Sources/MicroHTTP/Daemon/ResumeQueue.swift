import CMicroHTTPD
import Glibc
import Synchronization

/// The queue of suspended connections to be resumed by their serving thread, with an eventfd that
/// wakes the thread.
///
/// libmicrohttpd walks the list of all suspended connections under a lock whenever one was resumed.
/// If other threads resumed ten thousand connections one by one, they would contend for that lock,
/// and the list would be walked again and again. So connections wait in this queue, and their
/// thread resumes all of them at once.
///
/// The queue stores the address of a connection. The connection is suspended, so libmicrohttpd
/// keeps it until it is resumed, and its address is used once.
final class ResumeQueue: Sendable {
  private struct State {
    var waiting: [UInt] = []
    /// Whether the bell was rung since the queue was last emptied.
    var isRung = false
  }

  /// An eventfd that is readable if the thread has something to do. It is open as long as this
  /// object exists.
  let bell: Int32
  private let state = Mutex(State())

  init() throws(ServerError) {
    bell = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
    guard bell >= 0 else { throw .systemCall(name: "eventfd", errno: errno) }
  }

  deinit { close(bell) }

  /// Queues a suspended connection to be resumed by its thread. Any thread can call it.
  ///
  /// - Parameters:
  ///   - connection: The connection.
  ///   - batch: The connections that are resumed together; nil resumes this one at once.
  func resume(_ connection: OpaquePointer, in batch: ResumeBatch? = nil) {
    let address = UInt(bitPattern: connection)
    if let batch { batch.add(address, to: self) } else { resume(CollectionOfOne(address)) }
  }

  fileprivate func resume(_ addresses: some Collection<UInt>) {
    let isFirst = state.withLock { state in
      state.waiting += addresses
      defer { state.isRung = true }
      return !state.isRung
    }
    if isFirst { eventfd_write(bell, 1) }
  }

  /// Wakes the thread for another reason than a queued connection. Any thread can call it.
  func ring() { eventfd_write(bell, 1) }

  /// Resumes all queued connections. Only the serving thread calls it, and must run libmicrohttpd
  /// afterwards.
  ///
  /// - Parameter isRinging: Whether the bell is known to be readable.
  /// - Complexity: O(n), where n is the number of queued connections.
  func empty(isRinging: Bool) {
    // The bell is read before the queue is taken, so that a later ring is not lost.
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

/// Connections of any threads that are resumed together.
///
/// libmicrohttpd sends the replies of all connections that are resumed at once before it turns to the next
/// requests on them. A thread that is woken for the first of ten thousand connections would turn to it
/// before the last has its reply.
///
/// ```swift
/// let batch = ResumeBatch()
/// for responder in responders { responder.respond(news, in: batch) }
/// batch.resume()
/// ```
package final class ResumeBatch {
  private var parts: [(queue: ResumeQueue, addresses: [UInt])] = []

  /// Creates an empty batch.
  package init() {}

  fileprivate func add(_ address: UInt, to queue: ResumeQueue) {
    let index = parts.firstIndex { $0.queue === queue } ?? parts.count
    if index == parts.count { parts.append((queue, [])) }
    parts[index].addresses.append(address)
  }

  /// Resumes all connections. Must be called once, after the last was added.
  package func resume() {
    for part in parts { part.queue.resume(part.addresses) }
  }
}
