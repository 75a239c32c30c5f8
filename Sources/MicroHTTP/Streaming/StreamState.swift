/// The life of a streaming reply: its source is asked, waits suspended, is asked again, ends.
///
/// A pure state machine; the owner holds its lock while calling it and does what it returns afterwards.
/// It decides the race between a signal and the suspension: libmicrohttpd suspends first, on its own
/// thread, and only then is told here, so a resume never comes before its suspend; and a signal that
/// came between the question to the source and the suspension is found here and resumes at once.
struct StreamState: Sendable {
  private enum Phase {
    /// The source is being asked, or a piece is being sent, or the connection was resumed.
    case running
    /// The connection is suspended, and nobody has resumed it yet.
    case suspended
    case over
  }

  private enum Ending {
    case none
    case proper
    case cut
  }

  /// What may happen to a stream.
  enum Event: Sendable, CaseIterable {
    /// The client has taken everything, and the source is about to be asked.
    case ready
    /// The source had nothing, and the connection was suspended.
    case suspended
    /// The source may have something, now or soon.
    case raised
    /// The server goes down: the stream is to end after the piece that is being sent.
    case finish
    /// The client was seen to be gone. Only a suspended connection believes it; another one finds out
    /// by itself, or is still being read by a client that closed one direction.
    case clientLeft
    /// The request is over.
    case over
  }

  /// What the owner must do after an event.
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

  /// Takes an event in any state.
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
      // Whoever raised it before this moment is answered by the question that follows.
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
