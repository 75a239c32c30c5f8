import CanonicalJSON
import ViewState

extension RefreshPolicy {
  /// The command that chooses the policy of a screen.
  static let command = CommandDescriptor(
    type: "setRefreshPolicy",
    summary: "Chooses what stays on the screen while it is loaded again, and after that failed.",
    arguments: [
      "policy": [
        "type": "string", "enum": .array(allCases.map { .string($0.name) }),
        "description": "`keepPrevious`: the rows there were; `blank`: none of them.",
      ]
    ], required: ["policy"])

  /// The policy that the command names.
  init(_ command: SentCommand) throws(Refusal) {
    let name = try command.read { body throws(JSONShapeError) in try body.member("policy").string()
    }
    guard let policy = Self.allCases.first(where: { $0.name == name }) else {
      let names = Self.allCases.map { "\"\($0.name)\"" }.joined(separator: " or ")
      throw command.refusal(of: "policy", "expected \(names)")
    }
    self = policy
  }

  /// The name in commands and rows.
  var name: Text {
    switch self {
    case .keepPrevious: "keepPrevious"
    case .blank: "blank"
    }
  }

  /// The other one.
  var other: RefreshPolicy {
    switch self {
    case .keepPrevious: .blank
    case .blank: .keepPrevious
    }
  }

  /// How the policy of a screen that starts with this one moves.
  var stateMachine: StateMachine {
    StateMachine(
      name: "refreshPolicy", exploring: [self, other], on: Self.allCases,
      stateName: \.name.string, eventName: { "\(Self.command.type) \($0.name)" }
    ) { policy, chosen in
      policy = chosen
      return []
    }
  }
}
