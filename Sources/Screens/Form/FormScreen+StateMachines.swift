import CanonicalJSON
public import ViewState

extension FormScreen {
  public var stateMachines: [StateMachine] {
    [
      activity.stateMachine,
      LookupState.machine(
        of: FormSource.Name.registry.rawValue.string, queries: TaxNumber.samples,
        sample: [Company]()),
      LookupState.machine(
        of: FormSource.Name.submission.rawValue.string,
        queries: (JSONValue.object(["a": 1]), JSONValue.object(["a": 2])), sample: ResourceID(1)),
      .formField, .formGroup,
    ]
  }
}

extension StateMachine {
  /// How a field moves that has to be filled in with a number.
  fileprivate static let formField = StateMachine(
    name: "field", exploring: [nil, "1", "", "x"].map(number),
    on: ["enter a right value", "enter a wrong value", "enter nothing", "submit"],
    stateName: { field in
      guard field.entry.isTouched else { return "untouched" }
      return field.entry.fault == nil ? "right" : "wrong"
    },
    eventName: { $0 }
  ) { field, event in
    switch event {
    case "submit": field.validate()
    default: field = number(["enter a right value": "1", "enter a wrong value": "x"][event] ?? "")
    }
    return field.entry.fault.map { ["show \($0.code.rawValue)"] } ?? []
  }

  /// How a row moves that folds away those beneath it.
  fileprivate static let formGroup = StateMachine(
    name: "group", exploring: [false, true].map(group), on: ["didSelect", "submit a wrong value"],
    stateName: { $0.isCollapsed ? "collapsed" : "expanded" }, eventName: { $0 }
  ) { group, event in
    var context = RowContext(newestToken: .none)
    if event == "didSelect" { try? group.didSelect(part: "", &context) } else { group.expand() }
    return []
  }

  private static func number(_ value: Text?) -> TextGenerator {
    let description: JSONValue = [
      "id": 1, "kind": "text", "label": "Number", "required": true, "inputType": "number",
    ]
    return sample(TextGenerator.self, description) { field, context throws(RowEventFault) in
      if let value { try field.didChange(JSONReader(.string(value)), &context) }
    }
  }

  private static func group(_ isCollapsed: Bool) -> GroupGenerator {
    sample(
      GroupGenerator.self,
      ["id": 1, "kind": "group", "text": "Group", "collapsed": .bool(isCollapsed)]
    ) { _, _ in }
  }

  private static func sample<Kind: RowGenerator>(
    _: Kind.Type, _ description: JSONValue,
    _ change: (inout Kind, inout RowContext) throws -> Void
  ) -> Kind {
    do {
      let reader = JSONReader(description)
      var (row, context) = (
        try Kind(reader, frame: RowFrame(reader)), RowContext(newestToken: .none)
      )
      try change(&row, &context)
      return row
    } catch {
      preconditionFailure("the samples are part of the product: \(error)")
    }
  }
}

extension TaxNumber {
  fileprivate static var samples: (TaxNumber, TaxNumber) {
    guard let one = try? TaxNumber(parsing: "DE136695976"),
      let other = try? TaxNumber(parsing: "DE115235681")
    else { preconditionFailure("both have the right check digit") }
    return (one, other)
  }
}
