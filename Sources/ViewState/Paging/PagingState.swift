/// A long list that is loaded page by page, and the token of the load started last.
public struct PagingState<Item: Pageable>: Equatable, Sendable {
  /// How much of the list is there.
  public private(set) var paging: Paging<Item>
  /// The load started last; a result that names another is too late.
  public private(set) var token: LoadToken

  /// A list that nobody has asked for, unless told otherwise.
  public init(_ paging: Paging<Item> = .notRequested, token: LoadToken = .none) {
    self.paging = paging
    self.token = token
  }
}

extension PagingState: Codable where Item: Codable, Item.Position: Codable {}

extension PagingState {
  /// The reducer of a long list: the next state, and what follows from it. One load runs at a time,
  /// one page comes of each, and after a failure nothing is loaded until somebody wants it again.
  ///
  /// Pure, and without a `default`. A list that is `loaded` has more to come or has come to its end:
  ///
  /// | state | load | loadNext | retry | loaded(p) | failed(e) | cancel | changed(l) |
  /// |---|---|---|---|---|---|---|---|
  /// | notRequested | first | – | – | – | – | – | – |
  /// | isLoading | – (duplicate) | – (duplicate) | – (duplicate) | p in place of, or behind what is shown | failed(e) | what is shown, or failed(cancelled) | as far as shown |
  /// | loaded, more | first | next | – | – | – | – | as far as shown |
  /// | loaded, end | first | – | – | – | – | – | as far as shown |
  /// | failed | first | – | the same page | – | – | – | as far as shown |
  ///
  /// A result that names an older load changes nothing in any state.
  public mutating func reduce(_ action: PagingAction<Item>) -> LoadStep {
    if isLate(action) { return .refused(.late) }
    switch (paging, action) {
    case (.notRequested, .load), (.loaded, .load), (.failed, .load):
      return start(.first)
    case (.loaded(let shown), .loadNext):
      guard let end = shown.end else { return .ignored }
      return start(.behind(end))
    case (.failed(_, let request, _), .retry):
      return start(request)
    case (.isLoading, .load), (.isLoading, .loadNext), (.isLoading, .retry):
      return .refused(.duplicate)
    case (.notRequested, .loadNext), (.failed, .loadNext), (.notRequested, .retry),
      (.loaded, .retry):
      return .ignored

    case (.isLoading(.first, _), .loaded(let page, _)):
      return end(.loaded(page))
    case (.isLoading(.behind, let shown), .loaded(let page, _)):
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

  /// Reduces and names the effects after the source of the page.
  public mutating func reduce<Source>(
    _ action: PagingAction<Item>, of source: (PageRequest<Item.Position>) -> Source
  ) -> [Effect<Source>] {
    let (before, state) = (paging.request, paging.stateName)
    switch reduce(action) {
    case .started(let token): return [.start(source(paging.request), token)]
    case .ended(let token): return [.end(source(before), token)]
    case .replaced, .ignored: return []
    case .refused(let refusal):
      return [.record(source(before), refusal, action: action.name, state: state)]
    }
  }

  private mutating func start(_ request: PageRequest<Item.Position>) -> LoadStep {
    token = token.next
    paging = .isLoading(request, shown: paging.shown)
    return .started(token)
  }

  private mutating func end(_ paging: Paging<Item>) -> LoadStep {
    self.paging = paging
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
  /// The page asked for last, as far as the state knows.
  fileprivate var request: PageRequest<Item.Position> {
    switch self {
    case .isLoading(let request, _), .failed(_, let request, _): request
    case .notRequested, .loaded: .first
    }
  }
}
