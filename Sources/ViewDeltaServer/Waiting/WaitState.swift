/// Decides when requests that wait together look for changes: when the first request comes, and after each
/// change. The wait ends when a look finds a change, when the time is over, or when the last request has left.
///
/// A pure state machine: the owner guards it and performs the actions that it returns. An event during a
/// look is remembered, so that there is one look at a time and no event is missed.
struct WaitState: Sendable {
  private enum Phase: Sendable {
    case looking
    /// Something happened since the look began.
    case lookingAgain
    /// There is a subscription to the next change.
    case waiting
    case over
  }

  /// An event in the life of a wait.
  enum Event: Sendable {
    /// A view model that the question is about may have changed.
    case changed
    /// The time is over, or the server shuts down.
    case called
    /// The last request has left.
    case deserted
    /// The look has found no change, and has subscribed to the next one. `isDeserted` if all requests have left.
    case foundNoChange(isDeserted: Bool)
    /// The look has found the answer for all requests.
    case answered
  }

  /// An action that the owner performs.
  enum Action: Sendable, Equatable {
    case none
    /// Look for changes, and report `foundNoChange` or `answered`.
    case look
    /// Give up the subscriptions.
    case end
  }

  /// The first look is under way from the start.
  private var phase = Phase.looking
  /// Whether the next look is the last one, which answers even without a change.
  private(set) var isTimeOver: Bool

  /// - Parameter isTimeOver: Whether the first look is the last one.
  init(isTimeOver: Bool = false) {
    self.isTimeOver = isTimeOver
  }

  /// Whether the wait has ended. A request that comes later begins a new wait.
  var isOver: Bool { phase == .over }

  /// Applies an event.
  mutating func event(_ event: Event) -> Action {
    switch (phase, event) {
    case (.over, _):
      return .none
    case (_, .answered), (.waiting, .deserted), (.looking, .foundNoChange(isDeserted: true)),
      (.lookingAgain, .foundNoChange(isDeserted: true)):
      phase = .over
      return .end
    case (.looking, .deserted), (.lookingAgain, .deserted):
      // The look notices it.
      return .none
    case (.waiting, .changed), (.lookingAgain, .foundNoChange):
      phase = .looking
      return .look
    case (.waiting, .called):
      isTimeOver = true
      phase = .looking
      return .look
    case (.looking, .changed), (.lookingAgain, .changed):
      phase = .lookingAgain
      return .none
    case (.looking, .called), (.lookingAgain, .called):
      isTimeOver = true
      phase = .lookingAgain
      return .none
    case (.looking, .foundNoChange):
      phase = .waiting
      return .none
    case (.waiting, .foundNoChange):
      // Only a look reports this, and none is under way.
      return .none
    }
  }
}
