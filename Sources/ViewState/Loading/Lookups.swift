public import CanonicalJSON

/// The look-ups of a screen for the queries that users enter into its fields. For each field, only the value found for
/// its newest query is shown.
///
/// ```swift
/// struct State: ScreenState { var places = Lookups<Text, [Place]>() }
///
/// state.places.ask("Jen")
/// state.places.ask("Jena")  // a value for "Jen" is late now
/// state.places[]            // isLoading
/// ```
///
/// Rows that show ``shown(_:)`` do not come and go with each key that the user types.
///
/// A screen with several such fields gives each field a key; a screen with one field needs no key. ``LookingUp`` is the
/// part that runs the look-ups. To start over, ask for `nil`, and do not assign a new value of this type: the
/// result of a look-up that still runs would be taken for that of the next one.
public struct Lookups<Query, Value>: Codable, Equatable, Sendable
where Query: Codable & Hashable & Sendable, Value: Codable & Equatable & Sendable {
  private struct Lookup: Codable, Equatable, Sendable {
    let query: Query
    var load: LoadState<Value>
    /// The value to show until the look-up ends. Not a `Value?`, which is read as none if the value is a `nil`.
    var previous: Loadable<Value>?
  }

  private var lookups: [Text: Lookup] = [:]
  /// The token of the last look-up. All fields share one count, so that no two look-ups have one token.
  private var newest = LoadToken.none

  /// Creates a value without look-ups.
  public init() {}

  /// The look-up of a field.
  public subscript(key: Text = "") -> Loadable<Value> {
    lookups[key]?.load.loadable ?? .notRequested
  }

  /// The value to show for a field: the one that was found or, while the look-up runs, the one that was shown for the
  /// previous query.
  public func shown(_ key: Text = "") -> Value? {
    guard let lookup = lookups[key] else { return nil }
    let found = lookup.load.loadable
    return found.value ?? lookup.previous?.value
  }

  /// The look-ups of all fields, in the order of the keys of the fields.
  public var all: [(key: Text, value: Loadable<Value>)] {
    lookups.sorted { $0.key < $1.key }.map { ($0.key, $0.value.load.loadable) }
  }

  /// Looks up the value for a query; does nothing if it is loading or found already.
  ///
  /// - Parameters:
  ///   - query: The query; `nil` removes the look-up of the field.
  ///   - key: The key of the field.
  public mutating func ask(_ query: Query?, for key: Text = "") {
    _ = reduce(.ask(query), for: key)
  }

  /// Looks up the value again; does nothing unless the look-up has failed.
  public mutating func retry(_ key: Text = "") { _ = reduce(.retry, for: key) }

  /// Looks up the value again by another call, also while one runs; does nothing without a query. What was found is
  /// shown meanwhile, and stays if the look-up fails. See ``LoadState/reload()``.
  public mutating func reload(_ key: Text = "") {
    again(key) { $0.reload() }
  }

  /// Changes the value that was found, such as by a change that was just written, until a look-up brings another one;
  /// does nothing if none was found for the query.
  ///
  ///     state.weeks.change("12") { $0.removeAll { $0.id == id } }
  public mutating func change(_ key: Text = "", _ body: (inout Value) -> Void) {
    lookups[key]?.load.change(body)
  }

  /// Cancels a running look-up; does nothing if none runs.
  public mutating func cancel(_ key: Text = "") { _ = reduce(.cancel, for: key) }

  /// Replaces the values that were found, after a write has changed the data of the source.
  ///
  /// - Parameter value: Returns the new value for a query; `nil` keeps the old one.
  mutating func replace(with value: (Query) -> Value?) {
    for (key, lookup) in lookups {
      guard let value = value(lookup.query) else { continue }
      _ = reduce(.end(.changed(value)), for: key)
    }
  }

  /// Removes the look-up of each field for whose key `isKept` returns `false`.
  public mutating func keep(where isKept: (Text) -> Bool) {
    lookups = lookups.filter { isKept($0.key) }
  }
}

/// The names of the commands of a screen that ask for a value, remove the look-up, try again and cancel, for
/// the state machine of the part; `nil` if there is no such command.
public typealias LookupCommandNames = (ask: Text?, clear: Text?, retry: Text?, cancel: Text?)

extension Lookups {
  enum Action {
    case ask(Query?)
    case retry
    case cancel
    case end(LoadAction<Value>)
  }

  /// Applies an action to the look-up of a field, and returns the work to do outside:
  ///
  /// | state of the load | ask(another) | ask(the same) | ask(nil) | retry | cancel | changed(x) |
  /// |---|---|---|---|---|---|---|
  /// | notRequested | isLoading, start | – | – | – | – | – |
  /// | isLoading | end the old, start | – | end the old, notRequested | – (duplicate) | loaded(previous) or failed(cancelled) | the previous value, if any, is x |
  /// | loaded | isLoading, start | – | notRequested | – | – | loaded(x) |
  /// | failed | isLoading, start | isLoading, start | notRequested | isLoading, start | – | the previous value, if any, is x |
  ///
  /// The previous value is one of the same query, which ``reload(_:)`` keeps.
  ///
  /// A result without the token of the running look-up changes nothing.
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
      let previous = shown(key).map(Loadable.loaded)
      let ended = reduce(.cancel, for: key)
      lookups[key] = nil
      return ended + (query.map { [start($0, for: key, after: previous)] } ?? [])
    case (.retry, .isLoading): return [.refused(.duplicate)]
    case (.retry, .notRequested), (.retry, .failed):
      return [again(key) { $0.reduce(.load) } ?? .ignored]
    case (.cancel, _): return [end(.cancel, for: key)]
    case (.end(let end), _): return [self.end(end, for: key)]
    }
  }

  /// Applies an action that may end a look-up, after which the value before it is not shown any more.
  private mutating func end(_ action: LoadAction<Value>, for key: Text) -> LoadStep {
    guard var lookup = lookups[key] else { return .ignored }
    let step = lookup.load.reduce(action)
    if !lookup.load.loadable.isLoading { lookup.previous = nil }
    lookups[key] = lookup
    return step
  }

  private mutating func start(
    _ query: Query, for key: Text, after previous: Loadable<Value>? = nil
  ) -> LoadStep {
    lookups[key] = Lookup(query: query, load: LoadState(), previous: previous)
    return again(key) { $0.reduce(.load) } ?? .ignored
  }

  /// Starts a load for the query of a field, with a token that no other look-up has had.
  ///
  /// - Returns: The result of `start`; `nil` if the field has no query.
  @discardableResult
  private mutating func again<Result>(
    _ key: Text, _ start: (inout LoadState<Value>) -> Result
  ) -> Result? {
    guard var lookup = lookups[key] else { return nil }
    lookup.load = LoadState(lookup.load.loadable, token: newest)
    let result = start(&lookup.load)
    newest = lookup.load.token
    lookups[key] = lookup
    return result
  }

  /// The running look-ups, in the order of the keys of their fields, and whether they call their source again.
  var running: [(key: Text, query: Query, token: LoadToken, isReload: Bool)] {
    // Each input asks for it.
    if lookups.isEmpty { return [] }
    // A key path of a generic type is made anew each time, which takes longer than the rest.
    return lookups.lazy.filter { $0.value.load.loadable.isLoading }.sorted { $0.key < $1.key }
      .map { ($0.key, $0.value.query, $0.value.load.token, $0.value.load.isReload) }
  }

  /// Returns the field that waits for the look-up with a token, and its query; `nil` if none does.
  ///
  /// - Complexity: O(*n*), where *n* is the number of fields.
  func field(of token: LoadToken) -> (key: Text, query: Query)? {
    lookups.first { $0.value.load.token == token && $0.value.load.loadable.isLoading }
      .map { ($0.key, $0.value.query) }
  }

  /// Returns the state of all fields together: `isLoading` if one is loading, else `failed` if one has
  /// failed, else `loaded` if a value was found.
  ///
  /// - Parameter isShown: Returns whether a field counts; not asked for without look-ups, because what is shown may take
  ///   long to find, and each view model that is made asks for the state.
  func stateName(where isShown: @autoclosure () -> (Text) -> Bool) -> String {
    if lookups.isEmpty { return "notRequested" }
    let isShown = isShown()
    let names = Set(lookups.filter { isShown($0.key) }.map { $0.value.load.loadable.stateName })
    return ["isLoading", "failed", "loaded"].first(where: names.contains) ?? "notRequested"
  }

  /// Returns the state machine of one field, found by running the reducer on sample values.
  ///
  /// - Parameter commands: The names of the commands that do these things.
  static func machine(of name: String, commands: LookupCommandNames) -> StateMachine
  where Query == Int, Value == Bool {
    typealias Event = (name: String, command: Text?, action: @Sendable (Lookups) -> Action)
    let events: [Event] = [
      ("ask", commands.ask, { .ask($0.lookups[""] == nil ? 1 : 2) }),
      ("ask the same", commands.ask, { .ask($0.lookups[""]?.query) }),
      ("clear", commands.clear, { _ in .ask(nil) }), ("retry", commands.retry, { _ in .retry }),
      ("cancel", commands.cancel, { _ in .cancel }),
      ("found", nil, { .end(.loaded(true, $0.newest)) }),
      ("failed", nil, { .end(.failed(.unavailable, $0.newest)) }),
      ("late result", nil, { _ in .end(.loaded(true, LoadToken(ordinal: -1))) }),
      ("changed", nil, { _ in .end(.changed(true)) }),
    ]
    // Each state is made by the events that lead to it.
    let states = [[], [0], [0, 5], [0, 6]].map { way in
      way.reduce(into: Lookups()) { _ = $0.reduce(events[$1].action($0), for: "") }
    }
    return StateMachine(
      name: name, exploring: states, on: events, stateName: { $0[].stateName },
      eventName: { event in event.command.map { "\($0): \(event.name)" } ?? event.name },
      command: \.command
    ) { state, event in state.reduce(event.action(state), for: "").flatMap(\.effects) }
  }
}
