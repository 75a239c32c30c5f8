public import CanonicalJSON
public import ViewState

/// The state machines of fields and groups, found by running the code of the fields on a form with one field.
extension FormState {
  /// The state machines `field` and `group`.
  ///
  /// - Parameter submit: The name of the command that submits the form; `nil` if there is none.
  public static func formMachines(submit: Text? = nil) -> [StateMachine] {
    typealias Sample = FormSample
    let submitting: (String) -> [Sample.Event] = { remark in
      submit.map { [($0, remark, { $0.submit(as: "") })] } ?? []
    }
    return [
      Sample.machine(
        "field",
        on: [
          ("didChange", "a right value", { try? $0.didChange("f", "1") }),
          ("didChange", "a wrong value", { try? $0.didChange("f", "x") }),
          ("didChange", "nothing", { try? $0.didChange("f", "") }),
        ] + submitting(""), exploring: [0, 2, 1]
      ) { state in
        guard state.fields.isTouched("f") else { return ("untouched", []) }
        let error = state.fields.outline.row("f").flatMap(state.fields.error)
        return (error == nil ? "right" : "wrong", error.map { ["show \($0.code)"] } ?? [])
      },
      Sample.machine(
        "group",
        on: [("didSelect", "", { try? $0.didSelect("g") })] + submitting("a wrong value"),
        exploring: [0]
      ) { state in
        let isCollapsed = state.fields.outline.row("g").map(state.fields.isCollapsed) == true
        return (isCollapsed ? "collapsed" : "expanded", [])
      },
    ]
  }
}

/// A form with a field that has to be filled in with a number, in a group.
private struct FormSample: FormState {
  typealias Event = (command: Text, remark: String, run: (inout FormSample) -> Void)

  var fields: FormFields<StandardKinds>

  /// - Parameters:
  ///   - indices: The events that lead from the initial state to the others.
  ///   - look: The name of a state, and what it shows.
  static func machine(
    _ name: String, on events: [Event], exploring indices: [Int],
    look: (FormSample) -> (name: String, effects: [String])
  ) -> StateMachine {
    let field: JSONValue = [
      "id": "f", "kind": "text", "label": "Number", "required": true, "inputType": "number",
    ]
    let group: JSONValue = ["id": "g", "kind": "group", "text": "Group", "rows": [field]]
    let outline = FormKinds.standard.outline([["id": "s", "rows": [group]]])
    let initial = FormSample(fields: FormFields(outline))
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
