/// The order in which a server goes down.
///
/// libmicrohttpd aborts the process if it is stopped with a suspended connection, and cuts replies in
/// flight. So: refuse new clients, answer the parked requests, wait until nothing is in flight or the
/// grace is over, wait until nothing is suspended, stop.
struct Drain: Sendable {
  private enum State {
    case serving
    case draining(until: MonotonicTime, giveUp: MonotonicTime)
    case stopped
  }

  /// What happens to a server.
  enum Event: Sendable {
    /// It is asked to go down within so many nanoseconds.
    case requested(grace: UInt64)
    /// Some time went by.
    case tick(inFlight: Int, suspended: Int)
  }

  /// What the server must do after an event.
  enum Action: Sendable, Equatable {
    /// Go on.
    case none
    /// Refuse new clients, then settle all parked requests.
    case refuseAndSettle
    /// Stop libmicrohttpd: nothing is suspended.
    case stop
    /// A suspended connection could not be resumed in time. Stopping would abort the process, so
    /// libmicrohttpd is left as it is.
    case abandon
  }

  /// How long resumed connections may take to get their turn after the grace, in nanoseconds.
  static let resumption: UInt64 = 5_000_000_000

  private var state = State.serving

  /// Whether new requests are refused.
  var isDraining: Bool {
    if case .serving = state { false } else { true }
  }

  /// Takes an event in any state. A second request shortens the grace, and never extends it.
  mutating func event(_ event: Event, at now: MonotonicTime) -> Action {
    switch (state, event) {
    case (.serving, .requested(let grace)):
      let end = now + grace
      state = .draining(until: end, giveUp: end + Self.resumption)
      return .refuseAndSettle
    case (.draining(let until, _), .requested(let grace)):
      let end = min(until, now + grace)
      state = .draining(until: end, giveUp: end + Self.resumption)
      return .none
    case (.draining(let until, let giveUp), .tick(let inFlight, let suspended)):
      guard inFlight == 0 || now >= until else { return .none }
      guard suspended == 0 || now >= giveUp else { return .none }
      state = .stopped
      return suspended == 0 ? .stop : .abandon
    case (.serving, .tick), (.stopped, _):
      return .none
    }
  }
}
