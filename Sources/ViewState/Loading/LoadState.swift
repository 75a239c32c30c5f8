/// The state of a source of a screen: its value, and the token of the last load.
///
/// ```swift
/// var posts = LoadState<[Post]>()
/// posts.load()
/// posts.loadable.isLoading  // true
/// ```
public struct LoadState<Value> {
  /// The value, and whether it is loading or has failed to load.
  public private(set) var loadable: Loadable<Value>
  /// The token of the last load. A result with another token is late, and is refused.
  public private(set) var token: LoadToken
  /// The value of a write that came while the source was loading or had failed: a cancel goes back to
  /// this value, not to an older one.
  private var unseen: Value?

  /// Creates a state, by default one without a load.
  public init(_ loadable: Loadable<Value> = .notRequested, token: LoadToken = .none) {
    self.loadable = loadable
    self.token = token
  }
}

extension LoadState: Sendable where Value: Sendable {}
extension LoadState: Equatable where Value: Equatable {}
extension LoadState: Codable where Value: Codable {}

extension LoadState {
  /// Applies an action, and returns the work to do outside.
  ///
  /// Pure: equal states and actions give equal results, and nothing is started here. The table has no
  /// `default`, so that a new state or action does not compile until each of its cells is written:
  ///
  /// | state | load | loaded(x) | failed(e) | cancel | changed(x) |
  /// |---|---|---|---|---|---|
  /// | notRequested | isLoading, start | – | – | – | – |
  /// | isLoading | – (duplicate) | loaded(x) | failed(e) | loaded(previous) or failed(cancelled) | – |
  /// | loaded | isLoading, start | – | – | – | loaded(x) |
  /// | failed | isLoading, start | – | – | – | – |
  ///
  /// A result with the token of an older load changes nothing in any state. A change that cannot be shown
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

/// The result of an action on a source, with the work to do outside.
public enum LoadStep: Hashable, Sendable {
  /// The source is loading now: start this load.
  case started(LoadToken)
  /// The load has ended, by a result, a failure or a cancel: cancel its work and its time-out.
  case ended(LoadToken)
  /// The loaded value was replaced.
  case replaced
  /// Nothing changed, because there was nothing to do.
  case ignored
  /// Nothing changed, because the state does not allow the action.
  case refused(Refusal)

  /// The reason why an action was refused.
  public enum Refusal: String, Hashable, Sendable {
    /// A second load was asked for while the first one runs.
    case duplicate
    /// The result is that of an older load than the last one.
    case late
    /// The result came although no load runs.
    case impossible
  }
}

extension LoadState where Value: Sendable {
  /// The actions on a source, without the token of its load.
  private enum Event: String, CaseIterable {
    case load
    case loaded
    case failed
    case late = "late result"
    case cancel
    case changed

    func action(in state: LoadState, sample: Value) -> LoadAction<Value> {
      switch self {
      case .load: .load
      case .loaded: .loaded(sample, state.token)
      case .failed: .failed(.unavailable, state.token)
      case .late: .loaded(sample, LoadToken(ordinal: -1))
      case .cancel: .cancel
      case .changed: .changed(sample)
      }
    }
  }

  /// Returns the state machine of a source, found by running its reducer.
  ///
  /// - Parameters:
  ///   - source: The name of the source.
  ///   - sample: Any value, for the states and results that have one.
  static func machine(of source: String, sample: Value) -> StateMachine {
    let loadables: [Loadable<Value>] = [
      .notRequested, .isLoading(previous: nil), .isLoading(previous: sample), .loaded(sample),
      .failed(.unavailable, previous: nil), .failed(.unavailable, previous: sample),
    ]
    let started = LoadToken.none.next
    return StateMachine(
      name: source,
      exploring: loadables.map { LoadState($0, token: $0.isRequested ? started : .none) },
      on: Event.allCases, stateName: \.loadable.stateName, eventName: \.rawValue
    ) { state, event in
      state.reduce(event.action(in: state, sample: sample), of: source).map(\.name)
    }
  }
}

extension Loadable {
  fileprivate var isRequested: Bool {
    guard case .notRequested = self else { return true }
    return false
  }
}
