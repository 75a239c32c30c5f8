extension LoadState where Value: Sendable {
  /// What can happen to a source, whatever its load is called at the time.
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

  /// The machine of a source, found out by running its reducer.
  ///
  /// - Parameter sample: any value, for the states and results that have one.
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
