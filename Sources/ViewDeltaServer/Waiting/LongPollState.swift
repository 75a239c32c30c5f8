/// The life of a poll that waits: it looks for news when it has arrived and after each change, until
/// it finds some, its time is over, or its client is gone.
///
/// A pure state machine; the owner guards it and does what it returns afterwards. Whatever happens
/// while it looks is remembered, so that one looks at a time and nothing is missed.
struct LongPollState: Sendable {
  private enum Phase: Sendable {
    /// The request is not parked yet.
    case arriving
    case looking
    /// Something happened since the look began.
    case lookingAgain
    /// It will be told of the next change.
    case waiting
    case over
  }

  /// What happens to a poll.
  enum Event: Sendable {
    /// The request is parked, and can be answered.
    case parked
    /// Something that it asks for may have changed.
    case changed
    /// Its time is over, or the server's.
    case called
    /// The client is gone.
    case abandoned
    /// The look has found nothing, and the next change will be told.
    case foundNothing
    /// The look has given an answer.
    case answered
  }

  /// What the owner must do.
  enum Action: Sendable {
    case none
    /// Look for news, and say what came of it.
    case look
    /// Let everything go.
    case end
  }

  private var phase = Phase.arriving
  /// Whether the next look is the last: it answers whatever it finds.
  private(set) var isTimeOver = false
  private var isAbandoned = false

  /// Takes an event in any state.
  mutating func event(_ event: Event) -> Action {
    switch (phase, event) {
    case (.over, _), (.arriving, .changed):
      return .none
    case (.arriving, .parked), (.waiting, .changed):
      return look()
    case (.arriving, .called):
      isTimeOver = true
      return .none
    case (.waiting, .called):
      isTimeOver = true
      return look()
    case (.looking, .changed), (.lookingAgain, .changed):
      phase = .lookingAgain
      return .none
    case (.looking, .called), (.lookingAgain, .called):
      isTimeOver = true
      phase = .lookingAgain
      return .none
    case (.looking, .abandoned), (.lookingAgain, .abandoned):
      isAbandoned = true
      return .none
    case (.arriving, .abandoned), (.waiting, .abandoned):
      return end()
    case (.looking, .foundNothing):
      if isAbandoned { return end() }
      phase = .waiting
      return .none
    case (.lookingAgain, .foundNothing):
      return isAbandoned ? end() : look()
    case (_, .answered):
      return end()
    case (_, .parked), (.arriving, .foundNothing), (.waiting, .foundNothing):
      preconditionFailure("a poll is parked once, and finds nothing only while it looks")
    }
  }

  private mutating func look() -> Action {
    phase = .looking
    return .look
  }

  private mutating func end() -> Action {
    phase = .over
    return .end
  }
}
