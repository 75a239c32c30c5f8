public import CanonicalJSON
public import ViewState

extension FormScreen {
  public func run(
    _ command: SentCommand, on state: inout FormState, for key: Text,
    in transaction: inout Transaction
  ) throws(Refusal) -> [Effect<FormSource>] {
    if let action = activity.action(for: command) {
      return state.activity.reduce(action) { .activity($0) }
    }
    switch FormCommand(rawValue: command.type) {
    case .didChange:
      let value = try command.read { body throws(JSONShapeError) in try body.member("value") }
      return try take(.didChange(value), of: command, on: &state)
    case .didSelect: return try take(.didSelect, of: command, on: &state)
    case .didTap: return try take(.didTap, of: command, on: &state)
    case .submit: return state.submit()
    case .cancelSubmit: return state.reduceSubmission(.cancel)
    case .reset: return state.reset()
    case .apply:
      do throws(JSONShapeError) {
        return try apply(command.body, to: &state)
      } catch {
        throw Refusal(error)
      }
    case nil: throw command.refusal(of: "type", "the screen has no command of this name")
    }
  }

  /// Lets a row that is shown take an event, if it has such an event.
  private func take(
    _ kind: RowEvent.Kind, of command: SentCommand, on state: inout FormState
  ) throws(Refusal) -> [Effect<FormSource>] {
    let id = try command.read { body throws(JSONShapeError) in try body.member("row").rowID() }
    let event = RowEvent(id, kind)
    guard state.outline.shown.joined().contains(where: { $0.element.id == event.row }) else {
      throw command.refusal(of: "row", "no row \(id) is shown")
    }
    do throws(RowEventFault) {
      return try state.take(event)
    } catch {
      switch error {
      case .noSuchEvent:
        throw command.refusal(of: "row", "\(id) has no event \(event.command.rawValue)")
      case .value(let fault): throw Refusal(fault)
      }
    }
  }

  private func apply(
    _ body: JSONReader, to state: inout FormState
  ) throws(JSONShapeError) -> [Effect<FormSource>] {
    let list = try body.member("operations")
    let elements = try list.elements()
    guard elements.count <= limits.operationsPerCommand else {
      throw list.error("expected at most \(limits.operationsPerCommand) operations")
    }
    var operations: [FormOperation] = []
    for element in elements { operations.append(try FormOperation(element)) }
    // Each operation looks at all rows there are, so what a batch passes through is bounded too.
    guard operations.reduce(0, { $0 + $1.rowCount }) <= limits.rowsPerForm else {
      throw list.error("expected at most \(limits.rowsPerForm) rows in all operations")
    }
    do throws(JSONShapeError) {
      return try state.apply(operations, limits: limits)
    } catch {
      throw error.within(body.pointer.tokens)
    }
  }
}

extension FormState {
  /// Lets a row take an event. Where it changes a value, what was said of the last sending does not
  /// hold any more.
  mutating func take(_ event: RowEvent) throws(RowEventFault) -> [Effect<FormSource>] {
    let before = outline.answers
    let effects = try change(event.row) { generator, context throws(RowEventFault) in
      try generator.take(event, &context)
    }
    return outline.answers == before ? effects : effects + forgetSubmission()
  }
}

extension JSONReader {
  /// The id of a row that is shown, which may be one behind another.
  fileprivate func rowID() throws(JSONShapeError) -> ResourceID {
    if case .string(let text) = value { return ResourceID(named: text) }
    return try ResourceID(self)
  }
}
