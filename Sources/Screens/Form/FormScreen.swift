public import CanonicalJSON
public import ViewState

/// One form: its rows come from generators, and so does all that users can do with them; behind
/// them stands what became of sending it, and a long list of what has happened with it.
public struct FormScreen: Screen {
  let store: FormStore
  let companies: CompanyStore
  let now: @Sendable () -> Timestamp
  let limits: FormLimits
  let activity: PagingChild<ActivityEntry>

  /// - Parameters:
  ///   - store: where forms come from, and where they are sent to.
  ///   - companies: where tax numbers are looked up.
  ///   - now: the date of what is sent.
  public init(
    store: FormStore, companies: CompanyStore,
    now: @escaping @Sendable () -> Timestamp = { Timestamp.now() },
    limits: FormLimits = FormLimits()
  ) {
    self.store = store
    self.companies = companies
    self.now = now
    self.limits = limits
    activity = .activity(of: store)
  }

  public var descriptor: ScreenDescriptor {
    ScreenDescriptor(
      name: "form", keyName: "formID",
      summary: "A form to fill in, checked while it is, and what has happened with it.",
      commands: FormCommand.allCases.map(\.descriptor) + activity.commands,
      sources: FormSource.Name.allCases.map(\.rawValue))
  }

  /// The codes that the error rows of fields can have.
  public static var fieldErrorCodes: Set<Text> {
    Set(RowKinds.all.flatMap { $0.codes.map(\.rawValue) })
  }

  public func initialState(for key: Text) throws(ScreenLookupError) -> FormState {
    let id = ResourceID(named: key)
    try store.lookUp(id)
    guard let form = try? store.holder(id) else { throw .deletedKey }
    return FormState(form: form.resource)
  }

  public func reduce(
    _ state: inout FormState, _ action: FormAction
  ) -> [Effect<FormSource>] {
    switch action {
    case .event(let event):
      // It was found to be right on this very state when it was planned.
      return (try? state.take(event)) ?? []
    case .apply(let operations):
      return (try? state.apply(operations, limits: limits)) ?? []
    case .submit: return state.submit()
    case .cancelSubmit: return state.reduceSubmission(.cancel)
    case .reset: return state.reset()
    case .lookup(let row, let action): return state.change(row) { $0.reduce(action, &$1) }
    case .submission(let action): return state.reduceSubmission(action)
    case .activity(let action): return state.activity.reduce(action) { .activity($0) }
    case .form(let form): return state.replace(form)
    }
  }

  public func cause(of action: FormAction) -> RevisionCause {
    switch action {
    case .event(let event): .command(event.command.rawValue)
    case .apply: .command(FormCommand.apply.rawValue)
    case .submit: .command(FormCommand.submit.rawValue)
    case .cancelSubmit: .command(FormCommand.cancelSubmit.rawValue)
    case .reset: .command(FormCommand.reset.rawValue)
    case .lookup(_, let action): action.cause(.registry)
    case .submission(let action): action.cause(.submission)
    case .activity(let action): activity.cause(of: action)
    case .form: .storeWrite(source: "forms")
    }
  }
}

extension LookupAction {
  /// What a revision that the action makes is put down to; what users do is an event of a row.
  fileprivate func cause(_ source: FormSource.Name) -> RevisionCause {
    switch self {
    case .ask, .retry, .found: .loaded(source: source.rawValue)
    case .cancel: .failed(source: source.rawValue, code: LoadFailure.cancelled.code)
    case .failed(let failure, _): .failed(source: source.rawValue, code: failure.code)
    }
  }
}
