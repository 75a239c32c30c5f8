/// The time at which a connection is closed unless it makes progress.
///
/// A timeout that restarts with every byte would let a client that sends a byte now and then stay
/// connected forever. So the head, the body and the reply have one deadline each.
struct ConnectionDeadline: Sendable {
  /// The configured deadlines, in nanoseconds.
  struct Limits: Sendable {
    var idle: UInt64
    var head: UInt64
    var body: UInt64
    /// The time for each started MiB of a reply.
    var reply: UInt64

    init(_ configuration: ServerConfiguration) {
      idle = configuration.idleTimeout.wholeNanoseconds
      head = configuration.headDeadline.wholeNanoseconds
      body = configuration.bodyDeadline.wholeNanoseconds
      reply = configuration.replyDeadline.wholeNanoseconds
    }
  }

  /// An event in the life of a connection.
  enum Event: Sendable {
    /// The connection was accepted.
    case opened
    /// A request line was received.
    case requestLine
    /// A head was received that a body follows. Otherwise the reply follows at once and sets its own deadline.
    case head
    /// The request waits for its handler, or a stream for its source. Waiting has no deadline.
    case parked
    /// A reply of this size, or the next piece of a stream, is being sent.
    case replying(bytes: Int)
    /// The kernel has accepted the whole reply.
    case replied
  }

  /// The time at which the connection is closed unless another event comes first.
  private(set) var deadline = MonotonicTime.never
  /// Whether the last event was the end of a reply.
  private var isIdle = false
  /// Whether the next bytes are the client's: a request, or the rest of one.
  private var awaitsClient = false

  /// Updates the deadline after an event.
  mutating func event(_ event: Event, at now: MonotonicTime, _ limits: Limits) {
    awaitsClient =
      switch event {
      case .opened, .requestLine, .head, .replied: true
      case .parked, .replying: false
      }
    switch event {
    case .opened:
      deadline = now + limits.head
    case .requestLine:
      // The head of a new connection begins when it is opened, so its deadline is never extended.
      deadline = isIdle ? now + limits.head : min(deadline, now + limits.head)
      isIdle = false
    case .head:
      deadline = now + limits.body
    case .parked:
      deadline = .never
    case .replying(let bytes):
      let (nanoseconds, overflow) = limits.reply.multipliedReportingOverflow(
        by: UInt64(bytes >> 20) + 1)
      deadline = overflow ? .never : now + nanoseconds
    case .replied:
      deadline = now + limits.idle
      isIdle = true
    }
  }

  /// The time at which the connection is closed if the client sends no further request; `nil` during a request,
  /// and before the first one.
  var idleDeadline: MonotonicTime? { isIdle ? deadline : nil }

  /// The time at which the connection is closed unless the client sends a request, or the rest of one; `nil` while there
  /// is a reply to make or to send.
  var clientDeadline: MonotonicTime? { awaitsClient ? deadline : nil }

  /// Returns whether the deadline has passed. It returns true once for each deadline.
  mutating func takeExpiry(at now: MonotonicTime) -> Bool {
    guard deadline <= now else { return false }
    deadline = .never
    return true
  }
}
