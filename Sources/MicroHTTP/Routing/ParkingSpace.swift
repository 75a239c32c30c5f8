/// The state of a request that is answered later: it waits, is settled once, and its reply is taken once. Its
/// connection is suspended unless it is settled at once.
///
/// This is a pure state machine. The owner holds its lock while it calls a method, and performs the
/// returned action afterwards.
struct ParkingSpace: Sendable {
  private enum State {
    case waiting(isSuspended: Bool, onAbandonment: (@Sendable () -> Void)?)
    case answered(Response)
    case abandoned(Response?)
    case taken(abandoned: Bool)
  }

  /// An event in the life of a parked request.
  enum Event: Sendable {
    /// The connection is about to be suspended. Only its thread resumes it, so not before.
    case suspend
    /// The handler has answered.
    case answer(Response)
    /// The request is abandoned: the server does not wait for the handler. The reply is nil if the
    /// client has disconnected.
    case abandon(Response?)
    /// The handler asks to be notified if the request is abandoned.
    case onAbandonment(@Sendable () -> Void)
  }

  /// The action that the owner must perform after an event.
  enum Action: Sendable {
    /// Nothing: the event came too late, or was only recorded.
    case none
    /// Suspend the connection.
    case suspend
    /// Nothing: the request is settled before its connection was suspended, and its thread takes the reply.
    case settled
    /// Resume the connection, exactly once.
    case resume
    /// Resume the connection, exactly once, and run the handler's action.
    case resumeAndRun(@Sendable () -> Void)
    /// Run the handler's action.
    case run(@Sendable () -> Void)
  }

  private var state = State.waiting(isSuspended: false, onAbandonment: nil)

  /// Handles an event in any state.
  mutating func event(_ event: Event) -> Action {
    switch (state, event) {
    case (.waiting(_, let action), .suspend):
      state = .waiting(isSuspended: true, onAbandonment: action)
      return .suspend
    case (.waiting(let isSuspended, _), .answer(let response)):
      state = .answered(response)
      return isSuspended ? .resume : .settled
    case (.waiting(true, let action), .abandon(let response)):
      state = .abandoned(response)
      return action.map { .resumeAndRun($0) } ?? .resume
    case (.waiting(false, let action), .abandon(let response)):
      state = .abandoned(response)
      return action.map { .run($0) } ?? .settled
    case (.waiting(let isSuspended, _), .onAbandonment(let action)):
      state = .waiting(isSuspended: isSuspended, onAbandonment: action)
      return .none
    case (.abandoned, .onAbandonment(let action)), (.taken(true), .onAbandonment(let action)):
      return .run(action)
    case (.answered, _), (.abandoned, _), (.taken, _):
      return .none
    }
  }

  /// Whether the request is neither answered nor abandoned.
  var isWaiting: Bool {
    if case .waiting = state { true } else { false }
  }

  /// The state that a resumed connection reads.
  enum Result: Sendable {
    case waiting
    case reply(Response)
    case noReply
  }

  /// Takes the reply. Only the first call after the request was settled returns it.
  mutating func take() -> Result {
    switch state {
    case .waiting: return .waiting
    case .answered(let response):
      state = .taken(abandoned: false)
      return .reply(response)
    case .abandoned(let response):
      state = .taken(abandoned: true)
      return response.map { .reply($0) } ?? .noReply
    case .taken: return .noReply
    }
  }
}
