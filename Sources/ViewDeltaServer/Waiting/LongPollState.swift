/// Decides when a waiting poll looks for changes: when it arrives and after each change, until it finds one,
/// its time is over, or its client disconnects.
///
/// A pure state machine: the owner guards it and performs the actions that it returns. An event during a
/// look is remembered, so that there is one look at a time and no event is missed.
struct LongPollState: Sendable {
  private enum Phase: Sendable {
    /// The request is not parked yet.
    case arriving
    case looking
    /// Something happened since the look began.
    case lookingAgain
    /// The poll has subscribed to the next change.
    case waiting
    case over
  }

  /// An event in the life of a poll.
  enum Event: Sendable {
    /// The request is parked, and can be answered.
    case parked
    /// A view model that it asks about may have changed.
    case changed
    /// Its time is over, or the server shuts down.
    case called
    /// The client has disconnected.
    case abandoned
    /// The look has found no change, and has subscribed to the next one.
    case foundNoChange
    /// The look has answered the request.
    case answered
  }

  /// An action that the owner performs.
  enum Action: Sendable {
    case none
    /// Look for changes, and report `foundNoChange` or `answered`.
    case look
    /// Give up the place, the subscriptions and the connection.
    case end
  }

  private var phase = Phase.arriving
  /// Whether the next look is the last one, which answers even without a change.
  private(set) var isTimeOver = false
  private var isAbandoned = false

  /// Applies an event.
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
    case (.looking, .foundNoChange):
      if isAbandoned { return end() }
      phase = .waiting
      return .none
    case (.lookingAgain, .foundNoChange):
      return isAbandoned ? end() : look()
    case (_, .answered):
      return end()
    case (_, .parked), (.arriving, .foundNoChange), (.waiting, .foundNoChange):
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
