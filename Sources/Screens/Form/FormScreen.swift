public import CanonicalJSON
import Snapshots
public import ViewState

/// One form: its rows and all that users can do with them, what became of sending it, and a long list of what
/// has happened with it.
public struct FormScreen: Screen {
  public static let name: Text = "form"
  public static let keyName = "formID"
  public static let summary =
    "A form to fill in, checked while it is, and what has happened with it."

  private let store: FormStore
  private let registry: LookingUp<State, TaxNumber, [Company]>
  private let submission: LookingUp<State, JSONValue, ResourceID>
  private let activity: LoadingPages<State, ActivityEntry>
  private let activityHeader: RowType<Bool>

  /// - Parameters:
  ///   - store: The forms with their entries.
  ///   - companies: The firms that are looked up by their tax numbers.
  public init(store: FormStore, companies: CompanyStore) {
    self.store = store
    // What a row looks up that is hidden now does not count, until the row is shown again.
    registry = LookingUp(
      "registry", \.registry,
      isShown: { state in
        let visible = state.outline.visible
        return { visible.contains(ResourceID(named: $0)) }
      },
      work: { store.start(.registry, for: $0, in: &$1) }
    ) { transaction, _, number in
      transaction[companies].elements.filter { $0.taxNumber == number }
    }
    submission = LookingUp(
      "submission", \.submission, work: { store.start(.submission, for: $0, in: &$1) }
    ) { (transaction, key, answers) throws(LoadFailure) in
      try store.send(answers, to: ResourceID(named: key), in: &transaction)
    }
    activity = LoadingPages(
      "activity", \.activity,
      from: PageSource(
        "activity", size: 20, reading: store.store,
        work: { store.start(.activity, for: $0, in: &$1) }
      ) { $0.entries(of: ResourceID(named: $1)) },
      commands: ("loadActivity", "loadNextPage", "retryPage", "cancelPage"), as: Self.entry,
      id: { "entry/\($0.id)" }, empty: "No activity yet", failure: "Couldn't load activity.",
      end: { "That is all: \($0) \($0 == 1 ? "entry" : "entries")" })
    activityHeader = RowType("contentHeader") { [activity] in
      Field("text") { _ in "Activity" as Text }
      Action(activity.load, title: { $0 ? "Reload" : "Load" }) { _ in () }
    }
  }

  public var parts: [any ScreenPart<State>] { [activity, registry, submission] }

  /// None: the form is there, and its activity is loaded if a user asks.
  public var opening: Text? { nil }

  /// A form that there is.
  public func initialState(
    for key: Text, in stores: Stores
  ) throws(ScreenLookupError) -> State {
    State(form: try store.find(key, in: stores).resource)
  }

  public func follow(
    _ stores: Stores, on state: inout State, for key: Text
  ) throws(ScreenLookupError) {
    state.replace(try store.find(key, in: stores).resource)
    activity.follow(stores, on: &state, for: key)
  }

  /// The codes that the error rows of fields can have.
  public static var fieldErrorCodes: Set<Text> { Set(FieldFault.Code.allCases.map(\.rawValue)) }
}

// MARK: - Commands

extension FormScreen {
  static let didChange = Command(
    "didChange",
    "Enters a value. A wrong one is no bad command: the row keeps it, and a row behind it says what is "
      + "wrong.",
    Argument("row", shownRow),
    Argument(
      "value",
      .json(schema: [
        "type": ["string", "boolean", "null"],
        "description":
          "A boolean for a switch, the id of an option or null for a choice, else a text.",
      ]))
  ) { (state: inout State, row, value) throws(Refusal) in try state.didChange(row, value) }

  static let didSelect = Command(
    "didSelect",
    "Chooses a row: folds a group up or down, or enters a firm that was found.",
    Argument("row", shownRow)
  ) { (state: inout State, row) throws(Refusal) in try state.didSelect(row) }

  static let didTap = Command(
    "didTap", "Taps on a row: on a button, on Retry or on Cancel.", Argument("row", shownRow)
  ) { (state: inout State, row) throws(Refusal) in try state.didTap(row) }

  static let submit = Command(
    "submit",
    "Checks all fields that can be seen, those in collapsed groups too, and sends the answers if they "
      + "are right, with what the form carries hidden for good. Ignored while they are being sent, and "
      + "if they have been."
  ) { (state: inout State) in state.submit() }

  static let cancelSubmit = Command(
    "cancelSubmit", "Cancels the sending. Ignored if nothing is being sent."
  ) { (state: inout State) in state.submission.cancel() }

  static let reset = Command(
    "reset", "Starts over: with the rows of the form's description, and their defaults."
  ) { (state: inout State) in state.reset() }

  static let apply = Command(
    "apply",
    "Does a list of operations on the rows in their order, all of them or none, as one change. What "
      + "was entered into rows that stay stays.",
    Argument("operations", operations)
  ) { (state: inout State, operations) throws(Refusal) in try state.apply(operations) }

  @CommandBuilder<State>
  public var commands: [AnyCommand<State>] {
    Self.didChange
    Self.didSelect
    Self.didTap
    Self.submit
    Self.cancelSubmit
    Self.reset
    Self.apply
  }

  /// The id of a row, which may be one behind another.
  private static let shownRow = ValueType<ResourceID>(
    schema: [
      "type": ["integer", "string"], "description": "The id of a row that is shown.",
    ],
    read: { (json) throws(JSONShapeError) in
      if case .string(let text) = json.value { return ResourceID(named: text) }
      return try ResourceID(json)
    }, write: { .string($0.text) })

  private static let operations: ValueType<[FormOperation]> = {
    let list = ValueType.list(of: FormOperation.valueType, atMost: FormOperation.mostInCommand)
    return ValueType(
      schema: list.schema.mergePatched(with: [
        "description": "What is done, in this order.", "$defs": ["row": FormRow.schema],
      ]),
      read: { (json) throws(JSONShapeError) in try list.read(json) }, write: { list.write($0) })
  }()
}

// MARK: - Rows

extension FormScreen {
  private static let entry = RowType<ActivityEntry>("activityEntry") {
    Field("text", \.text)
    Field("date", \.date)
  }

  /// The rows of the fields, section by section, between the title and what became of it all.
  @ListBuilder<ListSection>
  public func body(_ state: State) -> [ListSection] {
    ListSection("form") { Self.rows([.title(state.form.title)]) }
    for (section, shown) in zip(state.outline.sections, state.outline.shown) {
      ListSection(
        section.id.text, fields: section.title.map { ["title": .string($0)] } ?? [:]
      ) {
        Self.rows(shown.flatMap { $0.element.lines($0.depth, state.registry) })
      }
    }
    ListSection("submission") { Self.rows(FormLine.submission(state.submission[])) }
    ListSection("activity") {
      activityHeader("activity/header", activity.stateName(in: state) != "notRequested")
      activity.rows(state)
    }
  }

  private static func rows(_ lines: [FormLine]) -> ForEach<FormLine> {
    ForEach(lines, id: \.id) { Row(id: $0, type: $1.type, fields: $1.fields) }
  }

  public var rowTypes: [RowTypeDescriptor] {
    DemoDocument.rowTypes(
      [
        "FormTitleRow", "FormHeaderRow", "FormTextRow", "FormPhoneRow", "FormDateRow",
        "FormDropdownRow", "FormSwitchRow", "FormTaxNumberRow", "FieldErrorRow", "CompanyRow",
        "FormGroupRow", "FormButtonRow", "FormNoticeRow", "ActivityEntryRow",
        "FormContentHeaderRow", "FormContentLoadingRow", "FormContentEmptyRow",
        "FormContentErrorRow", "PageProgressRow", "PageEndRow",
      ], in: FormFeature.schemas)
  }
}

/// A row as it is shown.
struct FormLine: Equatable, Sendable {
  let id: Text
  let type: Text
  var fields: [Text: JSONValue]

  init(id: Text, type: Text, fields: [Text: JSONValue]) {
    (self.id, self.type, self.fields) = (id, type, fields)
  }

  /// A row with a text, and perhaps something to do.
  init(_ id: Text, _ type: Text, _ text: Text, _ action: (title: Text, command: JSONValue)? = nil) {
    (self.id, self.type, fields) = (id, type, ["text": .string(text)])
    if let action {
      fields["action"] = ["title": .string(action.title), "command": action.command]
    }
  }

  /// The same row with a failure.
  func failed(_ failure: LoadFailure) -> FormLine {
    var line = self
    line.fields["code"] = .string(failure.code)
    return line
  }

  static func title(_ title: Text) -> FormLine {
    FormLine("form/title", "formTitle", title, ("Start over", FormScreen.reset.sent()))
  }

  /// What became of sending the form.
  static func submission(_ submission: Loadable<ResourceID>) -> [FormLine] {
    switch submission {
    case .notRequested: []
    case .isLoading:
      [
        FormLine(
          "submission/loading", "contentLoading", "Sending…",
          ("Cancel", FormScreen.cancelSubmit.sent()))
      ]
    case .loaded:
      [
        FormLine(
          "submission/sent", "formNotice", "Sent. Thank you!",
          ("Start over", FormScreen.reset.sent()))
      ]
    case .failed(let failure, _):
      [
        FormLine(
          "submission/failed", "contentError", "Couldn't send the form.",
          ("Retry", FormScreen.submit.sent())
        ).failed(failure)
      ]
    }
  }
}

extension FormRow {
  /// The row, and those that belong directly behind it, whose ids begin with its own and a slash.
  fileprivate func lines(_ depth: Int, _ registry: Lookups<TaxNumber, [Company]>) -> [FormLine] {
    var lines = lines(registry[id.text])
    if depth > 0 {
      for index in lines.indices { lines[index].fields["depth"] = .integer(depth) }
    }
    return lines
  }

  private func lines(_ found: Loadable<[Company]>) -> [FormLine] {
    switch field {
    case .header(let header): return [FormLine(id.text, "formHeader", header.text)]
    case .button(let button):
      let tap = FormScreen.didTap.sent(id)
      return [FormLine(id.text, "formButton", button.text, (button.text, tap))]
    case .group(let group):
      let title: Text = group.isCollapsed ? "Expand" : "Collapse"
      var line = FormLine(
        id.text, "formGroup", group.text, (title, FormScreen.didSelect.sent(id)))
      line.fields["isCollapsed"] = .bool(group.isCollapsed)
      return [line]
    case .input(let input): return input.lines(id) + lookup(found, of: input)
    }
  }

  /// What was found for a tax number.
  private func lookup(_ found: Loadable<[Company]>, of input: InputField) -> [FormLine] {
    guard case .taxNumber(let rule) = input.kind, let number = input.query else { return [] }
    func tap(_ part: Text) -> JSONValue { FormScreen.didTap.sent(ResourceID(named: part)) }
    switch found {
    case .notRequested: return []
    case .isLoading:
      let part: Text = "\(id)/loading"
      return [
        FormLine(part, "contentLoading", "Looking up \(number)…", ("Cancel", tap(part)))
      ]
    case .loaded(let companies):
      if companies.isEmpty {
        return [FormLine("\(id)/empty", "contentEmpty", "No firm has this number.")]
      }
      return companies.map { company in
        let part: Text = "\(id)/\(company.part)"
        var fields: [Text: JSONValue] = [
          "name": .string(company.name), "city": .string(company.city),
          "taxNumber": .string(company.taxNumber.text),
        ]
        if !rule.fills.isEmpty {
          let select = FormScreen.didSelect.sent(ResourceID(named: part))
          fields["action"] = ["title": "Use", "command": select]
        }
        return FormLine(id: part, type: "company", fields: fields)
      }
    case .failed(let failure, _):
      let part: Text = "\(id)/failed"
      return [
        FormLine(part, "contentError", "Couldn't look up the number.", ("Retry", tap(part)))
          .failed(failure)
      ]
    }
  }
}

// MARK: - State machines

extension FormScreen {
  public var stateMachines: [StateMachine] { [Self.fieldMachine, Self.groupMachine] }

  /// A form with a field that has to be filled in with a number, in a group.
  private static let sample: State = {
    let field: JSONValue = [
      "id": "f", "kind": "text", "label": "Number", "required": true, "inputType": "number",
    ]
    let group: JSONValue = ["id": "g", "kind": "group", "text": "Group", "rows": [field]]
    var form = Form(id: ResourceID(1))
    if let row = try? FormRow(JSONReader(group)) {
      form.outline.sections = [FormSection(id: "s", rows: [row])]
    }
    return State(form: form)
  }()

  /// How a field moves that has to be filled in with a number.
  private static let fieldMachine: StateMachine = {
    let values: [String: JSONValue] = [
      "enter a right value": "1", "enter a wrong value": "x", "enter nothing": "",
    ]
    func step(_ state: inout State, _ event: String) -> [String] {
      if let value = values[event] { try? state.didChange("f", value) } else { state.submit() }
      let fault = state.outline.field("f")?.input?.entry.fault
      return fault.map { ["show \($0.code.rawValue)"] } ?? []
    }
    let events = ["enter a right value", "enter a wrong value", "enter nothing", "submit"]
    let states = events.dropLast().map { event in
      var state = sample
      _ = step(&state, event)
      return state
    }
    return StateMachine(
      name: "field", exploring: [sample] + states, on: events,
      stateName: { state in
        guard let entry = state.outline.field("f")?.input?.entry, entry.isTouched else {
          return "untouched"
        }
        return entry.fault == nil ? "right" : "wrong"
      }, eventName: { $0 }, step: step)
  }()

  /// How a row moves that folds away those beneath it.
  private static let groupMachine: StateMachine = {
    func step(_ state: inout State, _ event: String) -> [String] {
      if event == "didSelect" { try? state.didSelect("g") } else { state.submit() }
      return []
    }
    var collapsed = sample
    _ = step(&collapsed, "didSelect")
    return StateMachine(
      name: "group", exploring: [sample, collapsed], on: ["didSelect", "submit a wrong value"],
      stateName: { state in
        guard case .group(let group) = state.outline.field("g") else { return "" }
        return group.isCollapsed ? "collapsed" : "expanded"
      }, eventName: { $0 }, step: step)
  }()
}
