/// The state of a streaming reply: its source is asked, waits suspended, is asked again, and ends.
///
/// This is a pure state machine. The owner holds its lock while it calls a method, and performs the
/// returned action afterwards. It resolves the race between a signal and the suspension: the
/// connection is suspended before the event ``Event/suspended`` is reported, so a resume never
/// precedes its suspend; and a signal that was raised between the call to the source and the
/// suspension is remembered and resumes the connection at once.
struct StreamState: Sendable {
  private enum Phase {
    /// The source is being asked, a piece is being sent, or the connection was resumed.
    case running
    /// The connection is suspended and not resumed yet.
    case suspended
    case over
  }

  private enum Ending {
    case none
    case proper
    case cut
  }

  /// An event in the life of a stream.
  enum Event: Sendable, CaseIterable {
    /// The client has taken everything, and the source is about to be asked.
    case ready
    /// The source had no content, and the connection was suspended.
    case suspended
    /// The signal was raised: the source may have content.
    case raised
    /// The server shuts down: the stream ends after the piece that is being sent.
    case finish
    /// The client has disconnected or closed its sending side. This ends a suspended stream only; a
    /// running one notices a lost connection itself, and its client may still be reading.
    case clientLeft
    /// The request is over.
    case over
  }

  /// The action that the owner must perform after an event.
  enum Action: Sendable, Equatable {
    case none
    /// Ask the source.
    case ask
    /// Resume the connection, exactly once.
    case resume
    /// End the content properly instead of asking the source.
    case end
    /// Close the connection in the middle of the content.
    case cut
  }

  private var phase = Phase.running
  private var ending = Ending.none
  private var isRaised = false

  /// Handles an event in any state.
  mutating func event(_ event: Event) -> Action {
    switch (phase, event) {
    case (.over, .ready):
      return .cut
    case (.over, _), (.running, .clientLeft), (.suspended, .suspended):
      return .none
    case (_, .over):
      phase = .over
      return .none
    case (_, .ready):
      phase = .running
      // The source is asked next, and gives all for which the signal was raised before.
      isRaised = false
      switch ending {
      case .none: return .ask
      case .proper: return .end
      case .cut: return .cut
      }
    case (.running, .suspended):
      if isRaised || ending != .none { return .resume }
      phase = .suspended
      return .none
    case (.running, .raised):
      isRaised = true
      return .none
    case (.running, .finish):
      if ending == .none { ending = .proper }
      return .none
    case (.suspended, .raised):
      isRaised = true
      phase = .running
      return .resume
    case (.suspended, .finish):
      ending = .proper
      phase = .running
      return .resume
    case (.suspended, .clientLeft):
      ending = .cut
      phase = .running
      return .resume
    }
  }
}
