import Glibc

/// The state of one open connection. Only its serving thread uses it.
final class ConnectionRecord {
  /// The socket. It is open as long as the record is in the table.
  let descriptor: Int32
  /// Resumes the connection.
  let resumes: ResumeQueue
  /// The index of the record in the table.
  var index = 0
  /// The request of this connection that waits for its handler, or whose reply is a stream.
  var parked: Exchange?
  /// The request whose chunked body is being received.
  var receiving: Exchange?
  /// The collected or discarded size of that body and the size of the socket's unread input, at the last check.
  private var progress = (collected: 0, waiting: 0)
  /// The target of the last request.
  var lastTarget: Target?
  var deadline = ConnectionDeadline()
  /// The deadline at the last check, if the connection waited for its client then.
  private var lastClientDeadline: MonotonicTime?

  init(descriptor: Int32, resumes: ResumeQueue) {
    self.descriptor = descriptor
    self.resumes = resumes
  }

  /// Returns the request whose chunked body has made no progress since the last check although its
  /// socket has unread input. If the line before a chunk fills the connection's memory,
  /// libmicrohttpd silently stops reading, and then uses processor time in every turn until the
  /// connection is closed.
  func takeStuck() -> Exchange? {
    guard let receiving, receiving.stage == .body || receiving.stage == .discarding else {
      return nil
    }
    let last = progress
    progress = ((receiving.body?.bytes.count ?? 0) + receiving.discarded, bytes(FIONREAD))
    let isStuck = progress.collected == last.collected && min(progress.waiting, last.waiting) > 0
    return isStuck ? receiving : nil
  }

  /// Returns whether the connection has waited for its client since the last check. All requests that the client has
  /// sent completely before are answered then.
  func takeWaiting() -> Bool {
    defer { lastClientDeadline = deadline.clientDeadline }
    return lastClientDeadline != nil && lastClientDeadline == deadline.clientDeadline
  }

  /// Shuts the socket down. libmicrohttpd notices that and closes it.
  ///
  /// If the client has not read everything, closing discards the rest and resets the connection.
  /// Otherwise the kernel would keep the rest for minutes for a client that never reads.
  func shutDown() {
    if hasUnread {
      var discard = linger(l_onoff: 1, l_linger: 0)
      setsockopt(
        descriptor, SOL_SOCKET, SO_LINGER, &discard, socklen_t(MemoryLayout.size(ofValue: discard)))
    }
    shutdown(descriptor, Int32(SHUT_RDWR))
  }

  /// Abandons the parked request or the stream, because the client has closed its end. Shuts another connection down once
  /// the client has received all replies.
  func clientLeft() {
    if let parked {
      parked.clientLeft()
    } else if isQuiet {
      shutDown()
    }
  }

  /// Prepares the close: the client can read the replies that the kernel holds, but only for a time.
  func discardUnread(within deadline: Duration) {
    guard hasUnread else { return }
    dropReceived()
    var milliseconds = UInt32(clamping: deadline.wholeNanoseconds / 1_000_000)
    setsockopt(
      descriptor, Int32(IPPROTO_TCP), TCP_USER_TIMEOUT, &milliseconds,
      socklen_t(MemoryLayout.size(ofValue: milliseconds)))
  }

  /// Discards what the client has sent so far, at most 256 KiB. If input were unread at the close, the kernel would
  /// reset the connection, and the client would lose the replies that it has not received. Input that arrives later
  /// still does that.
  private func dropReceived() {
    var bytes = [UInt8](repeating: 0, count: 16 * 1024)
    for _ in 0..<16 where recv(descriptor, &bytes, bytes.count, Int32(MSG_DONTWAIT)) <= 0 { return }
  }

  /// Whether the kernel holds bytes that the client has not received.
  private var hasUnread: Bool { bytes(TIOCOUTQ) > 0 }

  /// Whether the kernel holds no bytes of the connection in either direction.
  var isQuiet: Bool { !hasUnread && bytes(FIONREAD) == 0 }

  /// Returns the number of bytes in one of the socket's queues, such as `TIOCOUTQ`.
  private func bytes(_ queue: Int32) -> Int {
    var count: Int32 = 0
    return ioctl(descriptor, UInt(queue), &count) == 0 ? Int(count) : 0
  }
}
