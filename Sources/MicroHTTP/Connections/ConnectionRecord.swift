import Glibc

/// What is known of one open connection. Only its serving thread uses it.
final class ConnectionRecord {
  /// The socket. It is open as long as the record is in the table.
  let descriptor: Int32
  /// The address that the connection counts for, if addresses are counted.
  let address: AddressLimit.Address?
  /// Where the record is in the table.
  var index = 0
  /// The request that waits for its handler on this connection, or whose reply is a stream.
  var parked: Exchange?
  /// The request whose chunked body is on its way.
  var receiving: Exchange?
  /// How much of that body there was, and how much waited in the socket, at the last look.
  private var progress = (collected: 0, waiting: 0)
  private var lastTarget: Target?
  private var watch = ConnectionWatch()

  init(descriptor: Int32, address: AddressLimit.Address?) {
    self.descriptor = descriptor
    self.address = address
  }

  /// A copy of a raw target, checked. A target that equals the one before, as that of a poller does, is
  /// neither copied nor checked again.
  func target(_ bytes: UnsafeBufferPointer<UInt8>) -> Target {
    if let lastTarget, lastTarget.equals(bytes) { return lastTarget }
    let target = Target(Array(bytes))
    lastTarget = target
    return target
  }

  /// Takes an event.
  func event(
    _ event: ConnectionWatch.Event, at now: MonotonicTime, _ limits: ConnectionWatch.Limits
  ) {
    watch.event(event, at: now, limits)
  }

  /// Whether the deadline has passed. It is true once for each deadline.
  func takeExpiry(at now: MonotonicTime) -> Bool { watch.takeExpiry(at: now) }

  /// The request whose chunked body got no further since the last look, though more of it waits in the
  /// socket. libmicrohttpd does not read on if the line before a chunk fills the connection's memory,
  /// and does not say so; until the connection is closed, it takes the processor in every turn.
  func takeStuck() -> Exchange? {
    guard let receiving, receiving.stage == .body else { return nil }
    let last = progress
    progress = (receiving.body?.bytes.count ?? 0, bytes(FIONREAD))
    let isStuck = progress.collected == last.collected && min(progress.waiting, last.waiting) > 0
    return isStuck ? receiving : nil
  }

  /// Shuts the socket down. libmicrohttpd notices, and closes it.
  ///
  /// If there is something that the client did not read, the close discards it, and the client gets a
  /// reset: otherwise the system would keep it for minutes, for a client that never reads.
  func shutDown() {
    if hasUnread {
      var discard = linger(l_onoff: 1, l_linger: 0)
      setsockopt(
        descriptor, SOL_SOCKET, SO_LINGER, &discard, socklen_t(MemoryLayout.size(ofValue: discard)))
    }
    shutdown(descriptor, Int32(SHUT_RDWR))
  }

  /// Has the system give up what the client does not take in time after the close.
  func discardUnread(within deadline: Duration) {
    guard hasUnread else { return }
    var milliseconds = UInt32(clamping: deadline.wholeNanoseconds / 1_000_000)
    setsockopt(
      descriptor, Int32(IPPROTO_TCP), TCP_USER_TIMEOUT, &milliseconds,
      socklen_t(MemoryLayout.size(ofValue: milliseconds)))
  }

  /// Whether the system keeps bytes that the client has not taken.
  private var hasUnread: Bool { bytes(TIOCOUTQ) > 0 }

  /// What one of the socket's queues holds, in bytes.
  private func bytes(_ queue: Int32) -> Int {
    var count: Int32 = 0
    return ioctl(descriptor, UInt(queue), &count) == 0 ? Int(count) : 0
  }
}
