public import CanonicalJSON

extension StateMachine {
  /// The machine as a table.
  public var json: JSONValue {
    .object([
      "initial": .string(states[0]),
      "states": .array(states.map(JSONValue.string)),
      "events": .array(events.map(JSONValue.string)),
      "transitions": .array(transitions.map(\.json)),
    ])
  }

  /// Machines that run beside one another, as a diagram in the language of Mermaid. What changes
  /// nothing and does nothing is left out.
  public static func mermaid(_ machines: [StateMachine]) -> String {
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

  /// States of two machines may have one name; a diagram must tell them apart.
  private func alias(_ state: String) -> String { Self.identifier("\(name)_\(state)") }

  private static func identifier(_ name: String) -> String {
    String(name.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
  }
}

extension StateMachine.Transition {
  fileprivate var json: JSONValue {
    .object([
      "from": .string(from), "event": .string(event), "to": .string(to),
      "effects": .array(effects.map(JSONValue.string)),
    ])
  }
}
