/// The life of a parked request: it waits, is settled once, and its reply is taken once.
///
/// A pure state machine; the owner holds its lock while calling it and does what it returns
/// afterwards.
struct ParkingSpace: Sendable {
  private enum State {
    case waiting(onAbandonment: (@Sendable () -> Void)?)
    case answered(Response)
    case abandoned(Response?)
    case taken(abandoned: Bool)
  }

  /// What may happen to a parked request.
  enum Event: Sendable {
    /// The handler has the reply.
    case answer(Response)
    /// The handler is not waited for any longer; nil means that nobody is there to read a reply.
    case abandon(Response?)
    /// The handler wants to know when it is not waited for any longer.
    case onAbandonment(@Sendable () -> Void)
  }

  /// What the owner must do after an event.
  enum Action: Sendable {
    /// The event came too late, or only had to be remembered.
    case none
    /// Resume the connection, exactly once.
    case resume
    /// Resume the connection, exactly once, and run the handler's action.
    case resumeAndRun(@Sendable () -> Void)
    /// Run the handler's action.
    case run(@Sendable () -> Void)
  }

  private var state = State.waiting(onAbandonment: nil)

  /// Takes an event in any state.
  mutating func event(_ event: Event) -> Action {
    switch (state, event) {
    case (.waiting, .answer(let response)):
      state = .answered(response)
      return .resume
    case (.waiting(let action), .abandon(let response)):
      state = .abandoned(response)
      return action.map { .resumeAndRun($0) } ?? .resume
    case (.waiting, .onAbandonment(let action)):
      state = .waiting(onAbandonment: action)
      return .none
    case (.abandoned, .onAbandonment(let action)), (.taken(true), .onAbandonment(let action)):
      return .run(action)
    case (.answered, _), (.abandoned, _), (.taken, _):
      return .none
    }
  }

  /// What the resumed connection finds.
  enum Result: Sendable {
    case waiting
    case reply(Response)
    case nobodyThere
  }

  /// Takes the reply out; only the first time after it was settled is there one.
  mutating func take() -> Result {
    switch state {
    case .waiting: return .waiting
    case .answered(let response):
      state = .taken(abandoned: false)
      return .reply(response)
    case .abandoned(let response):
      state = .taken(abandoned: true)
      return response.map { .reply($0) } ?? .nobodyThere
    case .taken: return .nobodyThere
    }
  }
}
