/// Decides the steps of a graceful shutdown.
///
/// libmicrohttpd aborts the process if it is stopped with a suspended connection, and cuts replies
/// in flight. So the server refuses new clients, answers the parked requests that change nothing, waits
/// until no request is in flight or the grace period is over, closes the connections that are still
/// suspended, and then stops.
struct Drain: Sendable {
  private enum State {
    case serving
    case draining(until: MonotonicTime)
    case stopped
  }

  /// An event during the life of a server.
  enum Event: Sendable {
    /// A shutdown was requested, with a grace period in nanoseconds.
    case requested(grace: UInt64)
    /// Time has passed; the counts are the current ones.
    case tick(inFlight: Int, suspended: Int)
  }

  /// The step that the server must take after an event.
  enum Action: Sendable, Equatable {
    /// Continue.
    case none
    /// Refuse new clients, then answer all parked requests that change nothing.
    case refuseAndSettle
    /// Abandon all parked requests: the grace period is over.
    case cut
    /// Stop libmicrohttpd: no connection is suspended.
    case stop
    /// Leave libmicrohttpd running: a suspended connection did not resume in time, and stopping
    /// would abort the process.
    case abandon
  }

  /// The time that resumed connections have to finish after the grace period, in nanoseconds.
  private static let resumption: UInt64 = 5_000_000_000

  private var state = State.serving

  /// Whether the server refuses new requests.
  var isDraining: Bool {
    if case .serving = state { false } else { true }
  }

  /// Handles an event in any state. A second request can shorten the grace period but not extend
  /// it.
  mutating func event(_ event: Event, at now: MonotonicTime) -> Action {
    switch (state, event) {
    case (.serving, .requested(let grace)):
      state = .draining(until: now + grace)
      return .refuseAndSettle
    case (.draining(let until), .requested(let grace)):
      state = .draining(until: min(until, now + grace))
      return .none
    case (.draining(let until), .tick(let inFlight, let suspended)):
      guard inFlight == 0 || now >= until else { return .none }
      guard suspended == 0 || now >= until + Self.resumption else { return .cut }
      state = .stopped
      return suspended == 0 ? .stop : .abandon
    case (.serving, .tick), (.stopped, _):
      return .none
    }
  }
}
