import CanonicalJSON
public import ViewState

/// The state machines, found by running the code of the state on a form with one field.
extension FormScreen {
  public var stateMachines: [StateMachine] { [Self.fieldMachine, Self.groupMachine] }

  /// How a field moves that has to be filled in with a number.
  private static let fieldMachine = machine(
    "field",
    on: [
      ("didChange", "a right value", { try? $0.didChange("f", "1") }),
      ("didChange", "a wrong value", { try? $0.didChange("f", "x") }),
      ("didChange", "nothing", { try? $0.didChange("f", "") }), ("submit", "", { $0.submit() }),
    ], exploring: [0, 2, 1]
  ) { state in
    guard state.entries["f"] != nil else { return ("untouched", []) }
    let fault = state.outline.byID["f"].flatMap { state.fault($0.row) }
    return (fault == nil ? "right" : "wrong", fault.map { ["show \($0.code.rawValue)"] } ?? [])
  }

  /// How a row moves that folds away those beneath it.
  private static let groupMachine = machine(
    "group",
    on: [
      ("didSelect", "", { try? $0.didSelect("g") }),
      ("submit", "a wrong value", { $0.submit() }),
    ], exploring: [0]
  ) { ($0.isCollapsed["g"] == true ? "collapsed" : "expanded", []) }

  /// Runs a form with a field that has to be filled in with a number, in a group.
  ///
  /// - Parameters:
  ///   - name: The name of the machine.
  ///   - events: The events.
  ///   - indices: The events that lead from the initial state to the others.
  ///   - look: The name of a state, and what it shows.
  private static func machine(
    _ name: String, on events: [(command: Text, remark: String, run: (inout State) -> Void)],
    exploring indices: [Int], look: (State) -> (name: String, effects: [String])
  ) -> StateMachine {
    let field: JSONValue = [
      "id": "f", "kind": "text", "label": "Number", "required": true, "inputType": "number",
    ]
    let group: JSONValue = ["id": "g", "kind": "group", "text": "Group", "rows": [field]]
    var form = Form(id: ResourceID(1))
    if let row = try? FormRow(JSONReader(group)) {
      form.outline.sections = [FormSection(id: "s", rows: [row])]
    }
    let initial = State(form: form)
    let others = indices.map { index in
      var state = initial
      events[index].run(&state)
      return state
    }
    return StateMachine(
      name: name, exploring: [initial] + others, on: events, stateName: { look($0).name },
      eventName: { $0.remark.isEmpty ? $0.command.string : "\($0.command): \($0.remark)" },
      command: { $0.command }
    ) { state, event in
      event.run(&state)
      return look(state).effects
    }
  }
}
