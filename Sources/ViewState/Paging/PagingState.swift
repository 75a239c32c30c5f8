public import CanonicalJSON
import Snapshots

/// The state of a long list that is loaded page by page: its pages, and the token of the last load.
///
/// ```swift
/// struct State: ScreenState { var activity = PagingState<Entry>() }
///
/// static let clear = Command("clear", "Removes all entries.") { (state: inout State) in
///   state.activity.reload()
/// }
/// ```
public struct PagingState<Item: Pageable>: Equatable, Sendable {
  /// The pages, and whether one is loading or has failed to load.
  public private(set) var paging: Paging<Item>
  /// The token of the last load. A result with another token is late, and is refused.
  private(set) var token: LoadToken
  /// Whether the running load calls its source anew; see ``reload()``.
  private(set) var isReload = false

  /// Creates a state, by default one without a load.
  public init(_ paging: Paging<Item> = .notRequested) { self.init(paging, token: .none) }

  init(_ paging: Paging<Item>, token: LoadToken) {
    self.paging = paging
    self.token = token
  }
}

extension PagingState: Codable where Item: Codable, Item.Position: Codable {}

extension PagingState {
  /// Loads the list from its start; does nothing if a page is loading.
  public mutating func load() { _ = reduce(.load) }

  /// Loads the page again whose load has failed; does nothing unless a load has failed.
  public mutating func retry() { _ = reduce(.retry) }

  /// Cancels the running load, and loads the list from its start. The shown pages stay until then. The source is
  /// called again: a call that runs already, also for another view model, may return a page from before a write.
  public mutating func reload() {
    _ = reduce(.cancel)
    load()
    isReload = true
  }
}

extension PagingState {
  /// Applies an action, and returns the work to do outside.
  ///
  /// Pure: equal states and actions give equal results, and nothing is started here. One load runs at a
  /// time, and gives one page. After a failure nothing is loaded until an action asks for it. The table has
  /// no `default`, so that a new state or action does not compile until each of its cells is written:
  ///
  /// | state | load | loadNext | retry | loaded(p) | failed(e) | cancel | changed(l) |
  /// |---|---|---|---|---|---|---|---|
  /// | notRequested | first | – | – | – | – | – | – |
  /// | isLoading | – (duplicate) | – (duplicate) | – (duplicate) | loaded: p, or the shown pages and p | failed(e) | loaded: the shown pages, or failed(cancelled) | the same part of l |
  /// | loaded, more | first | next | – | – | – | – | the same part of l |
  /// | loaded, end | first | – | – | – | – | – | the same part of l |
  /// | failed | first | – | the same page | – | – | – | the same part of l |
  ///
  /// A result with the token of an older load changes nothing in any state.
  mutating func reduce(_ action: PagingAction<Item>) -> LoadStep {
    if isLate(action) { return .refused(.late) }
    switch (paging, action) {
    case (.notRequested, .load), (.loaded, .load), (.failed, .load):
      return start(.first)
    case (.loaded(let shown), .loadNext):
      guard let end = shown.end else { return .ignored }
      return start(.after(end))
    case (.failed(_, let request, _), .retry):
      return start(request)
    case (.isLoading, .load), (.isLoading, .loadNext), (.isLoading, .retry):
      return .refused(.duplicate)
    case (.notRequested, .loadNext), (.failed, .loadNext), (.notRequested, .retry),
      (.loaded, .retry):
      return .ignored

    case (.isLoading(.first, _), .loaded(let page, _)):
      var first = Page<Item>(items: [], end: nil)
      first.append(page)
      return end(.loaded(first))
    case (.isLoading(.after, let shown), .loaded(let page, _)):
      var whole = shown ?? Page(items: [], end: nil)
      whole.append(page)
      return end(.loaded(whole))
    case (.isLoading(let request, let shown), .failed(let failure, _)):
      return end(.failed(failure, request, shown: shown))
    case (.notRequested, .loaded), (.loaded, .loaded), (.failed, .loaded),
      (.notRequested, .failed), (.loaded, .failed), (.failed, .failed):
      return .refused(.impossible)

    case (.isLoading(_, let shown?), .cancel):
      return end(.loaded(shown))
    case (.isLoading(let request, nil), .cancel):
      return end(.failed(.cancelled, request, shown: nil))
    case (.notRequested, .cancel), (.loaded, .cancel), (.failed, .cancel):
      return .ignored

    case (.notRequested, .changed):
      return .ignored
    case (.isLoading, .changed(let list)), (.loaded, .changed(let list)),
      (.failed, .changed(let list)):
      paging = paging.showing(list)
      return .replaced
    }
  }

  /// Applies an action to the part of a name, and returns the incident to log if the state does not allow the action.
  mutating func reduce(_ action: PagingAction<Item>, of part: Text) -> ScreenIncident.Kind? {
    let state = paging.stateName
    return reduce(action).incident(of: part, action.name, in: state)
  }

  private mutating func start(_ request: PageRequest<Item.Position>) -> LoadStep {
    token = token.next
    paging = .isLoading(request, shown: paging.shown)
    return .started(token)
  }

  private mutating func end(_ paging: Paging<Item>) -> LoadStep {
    self.paging = paging
    isReload = false
    return .ended(token)
  }

  private func isLate(_ action: PagingAction<Item>) -> Bool {
    switch action {
    case .loaded(_, let named), .failed(_, let named): named != token
    case .load, .loadNext, .retry, .cancel, .changed: false
    }
  }
}

extension Paging {
  /// The request of the load that runs or has failed, else that of the first page.
  fileprivate var request: PageRequest<Item.Position> {
    switch self {
    case .isLoading(let request, _), .failed(_, let request, _): request
    case .notRequested, .loaded: .first
    }
  }
}

extension PagingState<SampleItem> {
  /// Returns the state machine of a long list, found by running the reducer on sample pages.
  ///
  /// - Parameter commands: The names of the commands of the list.
  static func machine(of name: Text, commands: PagingCommandNames) -> StateMachine {
    typealias Event = (name: Text, command: Text?, action: PagingAction<SampleItem>)
    let (item, token) = (SampleItem(), LoadToken.none.next)
    let partial = Page(items: [item], end: item.position)
    let events: [Event] = [
      (commands.load, commands.load, .load), (commands.loadNext, commands.loadNext, .loadNext),
      (commands.retry, commands.retry, .retry), ("page", nil, .loaded(partial, token)),
      ("last page", nil, .loaded(Page(items: [], end: nil), token)),
      ("failed", nil, .failed(.unavailable, token)),
      ("late result", nil, .loaded(partial, token.next)),
      (commands.cancel, commands.cancel, .cancel), ("changed", nil, .changed([])),
    ]
    let states: [Paging<SampleItem>] = [
      .notRequested, .isLoading(.first, shown: nil), .isLoading(.first, shown: partial),
      .isLoading(.after(item.position), shown: partial), .loaded(partial),
      .loaded(Page(items: [item], end: nil)), .failed(.unavailable, .first, shown: nil),
      .failed(.unavailable, .after(item.position), shown: partial),
    ]
    return StateMachine(
      name: name.string, exploring: states.map { PagingState($0, token: token) }, on: events,
      stateName: \.paging.stateName, eventName: \.name.string, command: \.command
    ) { state, event in
      let step = state.reduce(event.action)
      guard case .started = step else { return step.effects }
      return [state.paging.request == .first ? "start first" : "start next"]
    }
  }
}

/// A sample item for the state machine, which does not depend on the items.
struct SampleItem: Pageable, Codable {
  var id: Int { position }
  var position = 1
}

/// The names of the commands of a long list.
public typealias PagingCommandNames = (load: Text, loadNext: Text, retry: Text, cancel: Text)
