public import CanonicalJSON
import Snapshots
public import ViewState

extension FormScreen {
  public func follow(
    _ stores: Stores, on state: inout FormState, for key: Text
  ) throws(ScreenLookupError) -> [Effect<FormSource>] {
    let form = try store.find(key, in: stores).resource
    let entries = stores[store.store].entries(of: form.id) ?? []
    let effects = state.activity.reduce(.changed(entries)) { FormSource.activity($0) }
    return form == state.form ? effects : state.replace(form) + effects
  }

  public func start(
    _ source: FormSource, for key: Text, in transaction: inout Transaction
  ) -> Work {
    store.start(source.name, for: key, in: &transaction)
  }

  public func end(
    _ source: FormSource, _ token: LoadToken, bringing result: JSONValue?,
    failing failure: inout LoadFailure?, on state: inout FormState, for key: Text,
    in transaction: inout Transaction
  ) -> [Effect<FormSource>] {
    let form = ResourceID(named: key)
    switch source {
    case .registry(let row, let number):
      let found = Loadable.loaded(transaction[companies].companies(with: number))
      let action = LookupAction<TaxNumber, [Company]>(found.end(token, &failure))
      return state.change(row) { $0.reduce(action, &$1) }
    case .activity(let request):
      let page = Loadable.loaded(transaction[store.store].entries(of: form)).unwrap()
        .map { Page(request, of: $0, size: Self.pageSize) }
      return state.activity.reduce(page.pagingAction(token, &failure)) { .activity($0) }
    case .submission(let answers):
      let isAwaited = state.submission.load.token == token
      let sent: Loadable<ResourceID> =
        failure == nil && isAwaited
        ? send(answers, to: form, in: &transaction) : .failed(.missing, previous: nil)
      return state.reduceSubmission(LookupAction(sent.end(token, &failure)))
    }
  }

  /// The number of entries on a page.
  private static var pageSize: Int { 20 }

  /// Sends the answers to a form: they become an entry of its activity.
  private func send(
    _ answers: JSONValue, to form: ResourceID, in transaction: inout Transaction
  ) -> Loadable<ResourceID> {
    do throws(FormStore.Failure) {
      let data = transaction[store.store]
      let title = try data.holder(form).resource.title
      let entry = ActivityEntry(
        id: data.freeEntryID(of: form), date: transaction.time,
        text: title.followed(by: ": sent"), answers: answers)
      _ = try transaction.write(.addEntry(entry, of: form), to: store.store)
      return .loaded(entry.id)
    } catch {
      return .failed(error.loadFailure, previous: nil)
    }
  }
}

extension StoreError {
  /// Why work that ends in a write came to nothing.
  fileprivate var loadFailure: LoadFailure {
    switch self {
    case .full: LoadFailure(code: "store-full", message: "The store takes no more.")
    case .missing: .missing
    case .duplicateID, .changedMeanwhile, .malformed, .reusedKey: .unavailable
    }
  }
}

extension Loadable {
  /// The action for the end of the load of a page.
  fileprivate func pagingAction<Item: Pageable>(
    _ token: LoadToken, _ failure: inout LoadFailure?
  ) -> PagingAction<Item> where Value == Page<Item> {
    if failure == nil, case .loaded(let page) = self { return .loaded(page, token) }
    let reason = failure ?? error ?? .missing
    failure = reason
    return .failed(reason, token)
  }
}

extension LookupAction {
  /// The end of a look-up.
  fileprivate init(_ end: LoadAction<Value>) {
    switch end {
    case .loaded(let value, let token): self = .found(value, token)
    case .failed(let failure, let token): self = .failed(failure, token)
    case .load, .changed: self = .retry
    case .cancel: self = .cancel
    }
  }
}

extension Text {
  /// This title with more behind it, and cut where it would be longer than a text that clients write.
  fileprivate func followed(by end: String) -> Text {
    if byteCount + end.utf8.count <= JSONReader.longestShownText { return "\(self)\(end)" }
    let end = "…" + end
    var bytes = utf8.prefix(JSONReader.longestShownText - end.utf8.count)
    while String(bytes) == nil { bytes.removeLast() }
    return "\(Substring(bytes))\(end)"
  }
}
