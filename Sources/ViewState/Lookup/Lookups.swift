public import CanonicalJSON

/// What is looked up for the inputs of a screen, such as the fields of a form: of each input, only what
/// was found for its newest value is ever shown.
///
/// ```swift
/// struct State: ScreenState { var places = Lookups<Text, [Place]>() }
///
/// state.places.ask("Jen")
/// state.places.ask("Jena")  // what is found for "Jen" comes too late now
/// state.places[]            // isLoading
/// ```
///
/// A screen with several inputs names each by a key; a screen with one needs none. ``LookingUp`` is the
/// part of a screen that does the work.
public struct Lookups<Query, Value>: Codable, Equatable, Sendable
where Query: Codable & Hashable & Sendable, Value: Codable & Equatable & Sendable {
  private struct Lookup: Codable, Equatable, Sendable {
    let query: Query
    var load: LoadState<Value>
  }

  private var lookups: [Text: Lookup] = [:]
  /// The token used last. All inputs share one count, so that a result never fits two look-ups.
  private var newest = LoadToken.none

  /// Nothing to look up.
  public init() {}

  /// How far the look-up for an input is.
  public subscript(key: Text = "") -> Loadable<Value> {
    lookups[key]?.load.loadable ?? .notRequested
  }

  /// Looks up what belongs to the value of an input; does nothing if that is loading or found already.
  ///
  /// - Parameters:
  ///   - query: The value; `nil` if there is nothing to look up.
  ///   - key: The input.
  public mutating func ask(_ query: Query?, for key: Text = "") { _ = reduce(.ask(query), for: key) }

  /// Looks up once more what was not found; does nothing unless the look-up failed.
  public mutating func retry(_ key: Text = "") { _ = reduce(.retry, for: key) }

  /// Cancels a running look-up; does nothing if none runs.
  public mutating func cancel(_ key: Text = "") { _ = reduce(.cancel, for: key) }

  /// Forgets the look-ups of all other inputs.
  public mutating func keep(where isKept: (Text) -> Bool) {
    lookups = lookups.filter { isKept($0.key) }
  }
}

/// The reducer.
extension Lookups {
  enum Action {
    case ask(Query?)
    case retry
    case cancel
    case end(LoadAction<Value>)
  }

  /// Runs the reducer of a source for each query:
  ///
  /// | state of the load | ask(another) | ask(the same) | ask(nil) | retry | cancel |
  /// |---|---|---|---|---|---|
  /// | notRequested | isLoading, start | – | – | – | – |
  /// | isLoading | end the old, start | – | end the old, notRequested | – (duplicate) | failed(cancelled) |
  /// | loaded | isLoading, start | – | notRequested | – | – |
  /// | failed | isLoading, start | isLoading, start | notRequested | isLoading, start | – |
  ///
  /// A result counts only if it has the token of the look-up that runs for its input.
  mutating func reduce(_ action: Action, for key: Text) -> [LoadStep] {
    guard let lookup = lookups[key] else {
      guard case .ask(let query?) = action else { return [] }
      return [start(query, for: key)]
    }
    switch (action, lookup.load.loadable) {
    case (.ask(lookup.query), .notRequested), (.ask(lookup.query), .isLoading),
      (.ask(lookup.query), .loaded), (.retry, .loaded):
      return []
    case (.ask(let query), _):
      let ended = reduce(.cancel, for: key)
      lookups[key] = nil
      return ended + (query.map { [start($0, for: key)] } ?? [])
    case (.retry, .isLoading): return [.refused(.duplicate)]
    case (.retry, .notRequested), (.retry, .failed): return [start(lookup.query, for: key)]
    case (.cancel, _): return [lookups[key]?.load.reduce(.cancel) ?? .ignored]
    case (.end(let end), _): return [lookups[key]?.load.reduce(end) ?? .ignored]
    }
  }

  private mutating func start(_ query: Query, for key: Text) -> LoadStep {
    var lookup = Lookup(query: query, load: LoadState(token: newest))
    let step = lookup.load.reduce(.load)
    newest = lookup.load.token
    lookups[key] = lookup
    return step
  }

  /// The look-ups that run, in the order of their keys.
  var running: [(key: Text, query: Query, token: LoadToken)] {
    lookups.filter { $0.value.load.loadable.isLoading }.sorted { $0.key < $1.key }
      .map { ($0.key, $0.value.query, $0.value.load.token) }
  }

  /// Whether a look-up waits for the result with a token.
  func isAwaited(_ token: LoadToken, for key: Text) -> Bool {
    self[key].isLoading && lookups[key]?.load.token == token
  }

  /// The state of all inputs together: one that is loading counts first, then one that failed.
  func stateName(where isShown: (Text) -> Bool) -> String {
    let names = Set(lookups.filter { isShown($0.key) }.map(\.value.load.loadable.stateName))
    return ["isLoading", "failed", "loaded"].first(where: names.contains) ?? "notRequested"
  }

  /// The machine of one input, made by running the reducer on values that do not matter.
  static func machine(of name: String) -> StateMachine where Query == Int, Value == Bool {
    let events: [(name: String, action: @Sendable (Lookups) -> Action)] = [
      ("ask", { .ask($0.lookups[""] == nil ? 1 : 2) }),
      ("ask the same", { .ask($0.lookups[""]?.query) }),
      ("clear", { _ in .ask(nil) }), ("retry", { _ in .retry }), ("cancel", { _ in .cancel }),
      ("found", { .end(.loaded(true, $0.newest)) }),
      ("failed", { .end(.failed(.unavailable, $0.newest)) }),
      ("late result", { _ in .end(.loaded(true, LoadToken(ordinal: -1))) }),
    ]
    // Each state as the events before it lead to it.
    let states = [[], [0], [0, 5], [0, 6]].map { way in
      way.reduce(into: Lookups()) { _ = $0.reduce(events[$1].action($0), for: "") }
    }
    return StateMachine(
      name: name, exploring: states, on: events, stateName: { $0[].stateName },
      eventName: \.name
    ) { state, event in
      state.reduce(event.action(state), for: "").compactMap { step in
        switch step {
        case .started: "start"
        case .ended: "end"
        case .refused(let refusal): "record \(refusal.rawValue)"
        case .replaced, .ignored: nil
        }
      }
    }
  }
}
