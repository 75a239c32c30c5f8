extension LookupState {
  /// The machine of a look-up, found out by running its reducer.
  ///
  /// - Parameters:
  ///   - source: what it is called.
  ///   - queries: any two queries that differ.
  ///   - sample: any value.
  public static func machine(
    of source: String, queries: (Query, Query), sample: Value
  ) -> StateMachine where Value: Sendable {
    let events: [(String, @Sendable (LookupState) -> LookupAction<Query, Value>)] = [
      ("ask", { $0.query == nil ? .ask(queries.0) : .ask(queries.1) }),
      ("ask the same", { .ask($0.query) }),
      ("clear", { _ in .ask(nil) }),
      ("retry", { _ in .retry }),
      ("cancel", { _ in .cancel }),
      ("found", { .found(sample, $0.load.token) }),
      ("failed", { .failed(.unavailable, $0.load.token) }),
      ("late result", { _ in .found(sample, LoadToken(ordinal: -1)) }),
    ]
    func step(_ state: inout LookupState, _ event: Int) -> [String] {
      var newest = state.load.token
      return state.reduce(events[event].1(state), newest: &newest, of: { _ in source })
        .map(\.name)
    }
    // Each state as the events before it lead to it.
    let ways = [[], [0], [0, 5], [0, 6]]
    let states = ways.map { way in
      var state = LookupState()
      for event in way { _ = step(&state, event) }
      return state
    }
    return StateMachine(
      name: source, exploring: states, on: Array(events.indices),
      stateName: \.load.loadable.stateName, eventName: { events[$0].0 }, step: step)
  }
}
