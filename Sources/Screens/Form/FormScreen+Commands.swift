import CanonicalJSON
public import ViewState

extension FormScreen {
  public func plan(
    _ command: Command, in state: FormState
  ) throws(CommandRefusal) -> CommandPlan<FormAction> {
    if let action = activity.action(for: command) { return .steps([.activity(action)]) }
    switch FormCommand(rawValue: command.type) {
    case .didChange:
      let value = try command.read { body throws(JSONShapeError) in try body.member("value") }
      return .steps([try event(.didChange(value), of: command, in: state)])
    case .didSelect: return .steps([try event(.didSelect, of: command, in: state)])
    case .didTap: return .steps([try event(.didTap, of: command, in: state)])
    case .submit: return .steps([.submit])
    case .cancelSubmit: return .steps([.cancelSubmit])
    case .reset: return .steps([.reset])
    case .apply: return .steps([.apply(try operations(of: command, in: state))])
    case nil: throw command.refusal(of: "type", "the screen has no command of this name")
    }
  }

  /// The event of a row, which has to be one that is shown and that has such an event.
  private func event(
    _ kind: RowEvent.Kind, of command: Command, in state: FormState
  ) throws(CommandRefusal) -> FormAction {
    let id = try command.read { body throws(JSONShapeError) in try body.member("row").rowID() }
    let event = RowEvent(id, kind)
    guard state.outline.shown.joined().contains(where: { $0.element.id == event.row }) else {
      throw command.refusal(of: "row", "no row \(id) is shown")
    }
    var trial = state
    do throws(RowEventFault) {
      _ = try trial.take(event)
    } catch {
      switch error {
      case .noSuchEvent:
        throw command.refusal(of: "row", "\(id) has no event \(event.command.rawValue)")
      case .value(let fault): throw CommandRefusal(fault)
      }
    }
    return .event(event)
  }

  private func operations(
    of command: Command, in state: FormState
  ) throws(CommandRefusal) -> [FormOperation] {
    do throws(JSONShapeError) {
      let list = try command.body.member("operations")
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
      var trial = state
      do throws(JSONShapeError) {
        _ = try trial.apply(operations, limits: limits)
      } catch {
        throw error.within(command.body.pointer.tokens)
      }
      return operations
    } catch {
      throw CommandRefusal(error)
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
