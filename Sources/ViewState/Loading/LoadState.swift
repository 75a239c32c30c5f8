/// One source of a screen: what is loaded of it, and the token of the load started last.
public struct LoadState<Value> {
  /// What the screen shows of the source.
  public private(set) var loadable: Loadable<Value>
  /// The load started last; a result that names another is too late.
  public private(set) var token: LoadToken
  /// What a write made of the value while it could not be shown. A load brings it anyway; a cancel
  /// must not go back behind it.
  private var unseen: Value?

  /// A source that nobody has asked for, unless told otherwise.
  public init(_ loadable: Loadable<Value> = .notRequested, token: LoadToken = .none) {
    self.loadable = loadable
    self.token = token
  }
}

extension LoadState: Sendable where Value: Sendable {}
extension LoadState: Equatable where Value: Equatable {}
extension LoadState: Codable where Value: Codable {}

extension LoadState {
  /// The reducer of a source: the next state, and what follows from it.
  ///
  /// Pure: equal inputs give equal outputs, nothing is started here. The table has no `default`,
  /// so that a new state or action does not compile before someone has thought about each cell:
  ///
  /// | state | load | loaded(x) | failed(e) | cancel | changed(x) |
  /// |---|---|---|---|---|---|
  /// | notRequested | isLoading, start | – | – | – | – |
  /// | isLoading | – (duplicate) | loaded(x) | failed(e) | loaded(previous) or failed(cancelled) | – |
  /// | loaded | isLoading, start | – | – | – | loaded(x) |
  /// | failed | isLoading, start | – | – | – | – |
  ///
  /// A result that names an older load changes nothing in any state. A change that cannot be shown
  /// is remembered, so that a cancel goes back to the value as it is now.
  public mutating func reduce(_ action: LoadAction<Value>) -> LoadStep {
    if isLate(action) { return .refused(.late) }
    switch (loadable, action) {
    case (.notRequested, .load), (.loaded, .load), (.failed, .load):
      token = token.next
      loadable = .isLoading(previous: loadable.value)
      return .started(token)
    case (.isLoading, .load):
      return .refused(.duplicate)

    case (.isLoading, .loaded(let value, _)):
      loadable = .loaded(value)
      unseen = nil
      return .ended(token)
    case (.isLoading(let previous), .failed(let failure, _)):
      loadable = .failed(failure, previous: previous)
      return .ended(token)
    case (.notRequested, .loaded), (.loaded, .loaded), (.failed, .loaded),
      (.notRequested, .failed), (.loaded, .failed), (.failed, .failed):
      return .refused(.impossible)

    case (.isLoading, .cancel):
      loadable = loadable.cancelled().mapLoaded { unseen ?? $0 }
      unseen = nil
      return .ended(token)
    case (.notRequested, .cancel), (.loaded, .cancel), (.failed, .cancel):
      return .ignored

    case (.loaded, .changed(let value)):
      loadable = .loaded(value)
      return .replaced
    case (.isLoading, .changed(let value)), (.failed, .changed(let value)):
      unseen = value
      return .ignored
    case (.notRequested, .changed):
      return .ignored
    }
  }

  private func isLate(_ action: LoadAction<Value>) -> Bool {
    switch action {
    case .loaded(_, let named), .failed(_, let named): named != token
    case .load, .cancel, .changed: false
    }
  }
}

extension Loadable {
  fileprivate func mapLoaded(_ transform: (Value) -> Value) -> Loadable {
    guard case .loaded(let value) = self else { return self }
    return .loaded(transform(value))
  }
}
