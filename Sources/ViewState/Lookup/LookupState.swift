/// Something that is looked up for an input which changes while it is looked up: only what was
/// found for the newest input is ever shown.
public struct LookupState<Query: Hashable & Sendable, Value> {
  /// What it was asked for last; `nil` where there is nothing to look up.
  public private(set) var query: Query?
  /// How far that look-up is.
  public private(set) var load: LoadState<Value>

  /// Nothing to look up.
  public init() {
    (query, load) = (nil, LoadState())
  }
}

extension LookupState: Sendable where Value: Sendable {}
extension LookupState: Equatable where Value: Equatable {}
extension LookupState: Codable where Query: Codable, Value: Codable {}

extension LookupState {
  /// The reducer of a look-up, which runs that of a source for each query:
  ///
  /// | state of the load | ask(another) | ask(the same) | ask(nil) | retry | cancel |
  /// |---|---|---|---|---|---|
  /// | notRequested | isLoading, start | – | – | – | – |
  /// | isLoading | end the old, start | – | end the old, notRequested | – (duplicate) | failed(cancelled) |
  /// | loaded | isLoading, start | – | notRequested | – | – |
  /// | failed | isLoading, start | isLoading, start | notRequested | isLoading, start | – |
  ///
  /// A result counts only where it carries the token of the load started last.
  ///
  /// - Parameters:
  ///   - action: What happens to the look-up.
  ///   - newest: the token used last. Look-ups that come and go with their inputs share one count,
  ///     so that a result can never be taken for that of a later look-up.
  ///   - source: names the work for a query.
  public mutating func reduce<Source>(
    _ action: LookupAction<Query, Value>, newest: inout LoadToken, of source: (Query) -> Source
  ) -> [Effect<Source>] {
    switch action {
    case .ask(let new):
      return ask(new, &newest, source)
    case .retry:
      guard let query, !isFound else { return [] }
      return start(query, &newest, source)
    case .cancel: return pass(.cancel, source)
    case .found(let value, let token): return pass(.loaded(value, token), source)
    case .failed(let failure, let token): return pass(.failed(failure, token), source)
    }
  }

  private mutating func ask<Source>(
    _ new: Query?, _ newest: inout LoadToken, _ source: (Query) -> Source
  ) -> [Effect<Source>] {
    if new == query, load.loadable.error == nil { return [] }
    let ended = load.loadable.isLoading ? pass(.cancel, source) : []
    query = new
    load = LoadState(token: newest)
    guard let new else { return ended }
    return ended + start(new, &newest, source)
  }

  private mutating func start<Source>(
    _ query: Query, _ newest: inout LoadToken, _ source: (Query) -> Source
  ) -> [Effect<Source>] {
    // A duplicate: another look-up may have used newer tokens since this one was started.
    if load.loadable.isLoading { return load.reduce(.load, of: source(query)) }
    load = LoadState(token: newest)
    defer { newest = load.token }
    return load.reduce(.load, of: source(query))
  }

  private mutating func pass<Source>(
    _ action: LoadAction<Value>, _ source: (Query) -> Source
  ) -> [Effect<Source>] {
    guard let query else { return [] }
    return load.reduce(action, of: source(query))
  }

  private var isFound: Bool {
    if case .loaded = load.loadable { return true }
    return false
  }
}
