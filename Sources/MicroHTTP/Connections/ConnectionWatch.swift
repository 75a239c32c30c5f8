/// Knows until when a connection may go on as it does.
///
/// A timeout that starts anew with every byte would let a client that sends one byte now and then stay
/// for good. So there is one deadline for the head, the body and the reply as a whole.
struct ConnectionWatch: Sendable {
  /// The configured deadlines, in nanoseconds.
  struct Limits: Sendable {
    var idle: UInt64
    var header: UInt64
    var body: UInt64
    /// For each started MiB of a reply.
    var reply: UInt64

    init(_ configuration: ServerConfiguration) {
      idle = configuration.idleTimeout.wholeNanoseconds
      header = configuration.headerDeadline.wholeNanoseconds
      body = configuration.bodyDeadline.wholeNanoseconds
      reply = configuration.replyDeadline.wholeNanoseconds
    }
  }

  /// What happens to a connection.
  enum Event: Sendable {
    /// It was accepted.
    case opened
    /// A request line is there.
    case requestLine
    /// A head is there, and a body follows it or not.
    case head(hasBody: Bool)
    /// The request waits for its reply, or the client for the next piece of a stream, for as long as
    /// the handler wants.
    case parked
    /// A reply of so many bytes, or the next piece of a stream, is on its way.
    case replying(bytes: Int)
    /// The reply was handed to the system completely.
    case replied
  }

  /// When to close the connection unless another event comes first.
  private(set) var deadline = MonotonicTime.never
  /// Whether a reply was the last thing that happened.
  private var isIdle = false

  /// Takes an event.
  mutating func event(_ event: Event, at now: MonotonicTime, _ limits: Limits) {
    switch event {
    case .opened:
      deadline = now + limits.header
    case .requestLine:
      // The head of a new connection began when it was opened: its deadline only ever gets closer.
      deadline = isIdle ? now + limits.header : min(deadline, now + limits.header)
      isIdle = false
    case .head(let hasBody):
      // Without a body, the reply follows at once and sets its own deadline.
      if hasBody { deadline = now + limits.body }
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

  /// Whether the deadline has passed. It is true once for each deadline.
  mutating func takeExpiry(at now: MonotonicTime) -> Bool {
    guard deadline <= now else { return false }
    deadline = .never
    return true
  }
}
