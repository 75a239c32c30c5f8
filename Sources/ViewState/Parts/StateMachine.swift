public import CanonicalJSON

/// The states of a part of a screen, and what each event does in each of them: a table that is found by
/// running the code of the part, so that the two cannot differ.
///
/// ```swift
/// let light = StateMachine(
///   name: "light", exploring: [false, true], on: ["toggle"],
///   stateName: { $0 ? "on" : "off" }, eventName: { $0 }, command: { Text($0) }
/// ) { isOn, _ in
///   isOn.toggle()
///   return []
/// }
/// light.transitions.map(\.to)  // ["on", "off"]
/// ```
public struct StateMachine: Hashable, Sendable {
  /// One cell of the table.
  public struct Transition: Hashable, Sendable {
    /// The state before the event.
    public let from: String
    /// The event.
    public let event: String
    /// The state after the event; the same as `from` if nothing changes.
    public let to: String
    /// The names of the effects outside of the engine, in order.
    public let effects: [String]
    /// The name of the command that is the event; `nil` if the event is no command, such as the result of a load.
    public let command: Text?
  }

  /// The name of the part.
  public let name: String
  /// All states, the initial one first.
  public let states: [String]
  /// All events.
  public let events: [String]
  /// The transitions, by states and then by events. A state and an event have several if the result
  /// depends on more than the name of the state.
  public let transitions: [Transition]

  /// Runs a pure function on each state and each event.
  ///
  /// - Parameters:
  ///   - name: The name of the part.
  ///   - states: Samples of all states, the initial one first. Several may have one name.
  ///   - events: Samples of all events.
  ///   - stateName: Returns the name of a state.
  ///   - eventName: Returns the name of an event. That of a command is the name of the command, and perhaps a
  ///     remark on its arguments.
  ///   - command: Returns the name of the command that is the event; unless given, no event is a command.
  ///   - step: Applies an event to a state, and returns the names of the effects.
  /// - Precondition: There is a state, and each state that a step leads to has the name of a sample.
  /// - Complexity: O(*n* · *m*) steps, where *n* is the number of states and *m* that of events.
  public init<State, Event>(
    name: String, exploring states: [State], on events: [Event],
    stateName: (State) -> String, eventName: (Event) -> String,
    command: (Event) -> Text? = { _ in nil }, step: (inout State, Event) -> [String]
  ) {
    self.name = name
    self.states = states.map(stateName).withoutRepetitions
    self.events = events.map(eventName).withoutRepetitions
    guard !states.isEmpty else { fatalError("the state machine \(name) has no states") }
    var transitions: [Transition] = []
    for state in states {
      for event in events {
        var next = state
        let effects = step(&next, event)
        transitions.append(
          Transition(
            from: stateName(state), event: eventName(event), to: stateName(next), effects: effects,
            command: command(event)))
      }
    }
    self.transitions = transitions.withoutRepetitions
    guard self.transitions.allSatisfy({ self.states.contains($0.to) }) else {
      fatalError(
        "the samples of the state machine \(name) lead to a state that is not among them")
    }
  }
}

extension StateMachine {
  /// The table as JSON, with the members `initial`, `states`, `events` and `transitions`.
  public var json: JSONValue {
    .object([
      "initial": .string(states[0]),
      "states": .array(states.map(JSONValue.string)),
      "events": .array(events.map(JSONValue.string)),
      "transitions": .array(transitions.map(\.json)),
    ])
  }

  /// Returns a Mermaid diagram of state machines that run in parallel. It leaves out transitions
  /// that change nothing and have no effects.
  package static func mermaid(_ machines: [StateMachine]) -> String {
    var lines = ["stateDiagram-v2"]
    for machine in machines {
      lines.append("  state \"\(machine.name)\" as \(identifier(machine.name)) {")
      lines += machine.diagram.map { "    " + $0 }
      lines.append("  }")
    }
    return lines.map { $0 + "\n" }.joined()
  }

  private var diagram: [String] {
    let aliases = states.map { "state \"\($0)\" as \(alias($0))" }
    let moves = transitions.filter { $0.from != $0.to || !$0.effects.isEmpty }.map { transition in
      let label = ([transition.event] + transition.effects).joined(separator: " / ")
      return "\(alias(transition.from)) --> \(alias(transition.to)): \(label)"
    }
    return aliases + ["[*] --> \(alias(states[0]))"] + moves
  }

  /// Returns the name of a state in the diagram, in which states of two machines may have one title.
  private func alias(_ state: String) -> String { Self.identifier("\(name)_\(state)") }

  private static func identifier(_ name: String) -> String {
    String(name.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
  }
}

extension StateMachine.Transition {
  fileprivate var json: JSONValue {
    var members: [Text: JSONValue] = [
      "from": .string(from), "event": .string(event), "to": .string(to),
      "effects": .array(effects.map(JSONValue.string)),
    ]
    members["command"] = command.map(JSONValue.string)
    return .object(members)
  }
}

extension Array where Element: Hashable {
  fileprivate var withoutRepetitions: [Element] {
    var seen: Set<Element> = []
    return filter { seen.insert($0).inserted }
  }
}
