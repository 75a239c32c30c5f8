import Synchronization

/// What is known of one open connection.
///
/// `@unchecked Sendable`: `watch` and `lastTarget` are touched by libmicrohttpd's thread of this connection only;
/// `index` and `parked` only under the lock of the ``ConnectionTable``.
final class ConnectionRecord: @unchecked Sendable {
  /// The socket. It is open as long as the record is in the table.
  let descriptor: Int32
  /// Where the record is in the table.
  var index = 0
  /// The request that waits for its handler on this connection, or whose reply is a stream.
  var parked: Exchange?
  private var lastTarget: Target?
  private var watch = ConnectionWatch()
  private let deadline = Atomic<UInt64>(.max)

  init(descriptor: Int32) {
    self.descriptor = descriptor
  }

  /// A copy of a raw target, checked; called on libmicrohttpd's thread. A target that equals the one
  /// before, as that of a poller does, is neither copied nor checked again.
  func target(_ bytes: UnsafeBufferPointer<UInt8>) -> Target {
    if let lastTarget, lastTarget.equals(bytes) { return lastTarget }
    let target = Target(Array(bytes))
    lastTarget = target
    return target
  }

  /// Takes an event; called on libmicrohttpd's thread.
  func event(_ event: ConnectionWatch.Event, _ limits: ConnectionWatch.Limits) {
    let time = watch.event(event, at: .now(), limits)
    // Nothing else is published with the deadline, so no ordering is needed.
    deadline.store(time.nanoseconds, ordering: .relaxed)
  }

  /// Whether the deadline has passed; called on any thread. It is true once for each deadline.
  func takeExpiry(at now: MonotonicTime) -> Bool {
    let time = deadline.load(ordering: .relaxed)
    guard time <= now.nanoseconds else { return false }
    return deadline.compareExchange(expected: time, desired: .max, ordering: .relaxed).exchanged
  }
}
