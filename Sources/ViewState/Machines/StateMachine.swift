/// How one part of a screen moves: a table that was filled by running the code which moves it, so
/// that it cannot say anything else.
public struct StateMachine: Hashable, Sendable {
  /// One cell of the table.
  public struct Transition: Hashable, Sendable {
    /// The state that the event meets.
    public let from: String
    /// What happens.
    public let event: String
    /// The state that it leads to; the same where nothing changes.
    public let to: String
    /// What is done outside, in order.
    public let effects: [String]
  }

  /// What moves, such as the source that is loaded.
  public let name: String
  /// All states, the initial one first.
  public let states: [String]
  /// All events.
  public let events: [String]
  /// What each event does in each state; several where that depends on more than the state's name.
  public let transitions: [Transition]

  /// Runs a reducer on every state and every event.
  ///
  /// - Parameters:
  ///   - eventName: Names an event.
  ///   - name: The name of the machine.
  ///   - stateName: Names a state.
  ///   - states: a sample of each state, the initial one first. Several may have one name.
  ///   - events: a sample of each event.
  ///   - step: changes the state and returns the names of the effects.
  /// - Precondition: there is a state, and no step leads to one that has no sample.
  /// - Complexity: O(*n* · *m*) steps, where *n* is the number of states and *m* that of events.
  public init<State, Event>(
    name: String, exploring states: [State], on events: [Event],
    stateName: (State) -> String, eventName: (Event) -> String,
    step: (inout State, Event) -> [String]
  ) {
    self.name = name
    self.states = states.map(stateName).withoutRepetitions
    self.events = events.map(eventName).withoutRepetitions
    precondition(!states.isEmpty, "a machine is in some state")
    var transitions: [Transition] = []
    for state in states {
      for event in events {
        var next = state
        let effects = step(&next, event)
        transitions.append(
          Transition(
            from: stateName(state), event: eventName(event), to: stateName(next), effects: effects))
      }
    }
    self.transitions = transitions.withoutRepetitions
    precondition(
      self.transitions.allSatisfy { self.states.contains($0.to) },
      "the samples of \(name) leave out a state that they lead to")
  }
}

extension Array where Element: Hashable {
  fileprivate var withoutRepetitions: [Element] {
    var seen: Set<Element> = []
    return filter { seen.insert($0).inserted }
  }
}
