public import CanonicalJSON
public import Snapshots

/// A part of a screen that looks up values for what a user enters, which may change before a value is found.
///
/// ```swift
/// struct State: ScreenState { var places = Lookups<Text, [Place]>() }
///
/// static let search = Command("search", "Looks places up.", .text("name")) {
///   (state: inout State, name) in
///   state.places.ask(name.isEmpty ? nil : name)
/// }
///
/// var parts: [any ScreenPart<State>] {
///   [LookingUp("places", \.places) { key, name in try await atlas.places(named: name) }]
/// }
/// ```
///
/// Its name in `states`, its causes, its loads with their time-out and its state machine follow from the
/// name. The commands of the screen ask, retry and cancel by the functions of ``Lookups``, and the screen
/// makes the rows of the found values. ``Screen/changed(_:from:)`` reacts to what was found.
public struct LookingUp<State, Query, Value>: ScreenPart
where Query: Codable & Hashable & Sendable, Value: Codable & Equatable & Sendable {
  private struct Request: Codable {
    let key: Text
    let query: Query
    /// Whether the source is called again; absent if it is not.
    let isReload: Bool?
  }

  public let name: Text
  private let path: any WritableKeyPath<State, Lookups<Query, Value>> & Sendable
  private var isShown: @Sendable (State) -> (_ field: Text) -> Bool = { _ in { _ in true } }
  private let commandNames: LookupCommandNames
  private let start: @Sendable (Text, Query, Stores) -> Work
  private let value: @Sendable (JSONValue?, Text, Query, inout Transaction) throws -> Value
  private(set) var shownStores: [ShownStore] = []
  /// Returns the value that the stores have now; `nil` if it is not shown after a write.
  private var current: @Sendable (Stores, Text, Query) -> Value? = { _, _, _ in nil }

  /// Declares a part that looks up outside of the engine; see ``Source/init(every:load:)``.
  ///
  /// - Parameters:
  ///   - name: The name of the part in `states` and causes.
  ///   - path: The path to the look-ups in the state of the screen.
  ///   - commands: The names of the commands of the screen for the look-ups, for client developers.
  ///   - delay: The time before `load` is called, such as 300 ms if clients send each letter: a query that another one
  ///     replaces within it is not looked up. It counts towards the time-out of loads. A latency that ``Latencies`` has
  ///     for the part replaces it.
  ///   - load: Returns the value for the key of a view model and a query.
  public init(
    _ name: Text, _ path: any WritableKeyPath<State, Lookups<Query, Value>> & Sendable,
    commands: LookupCommandNames = (nil, nil, nil, nil), after delay: Duration = .zero,
    load: @escaping @Sendable (_ key: Text, Query) async throws -> Value
  ) {
    let fetch = Fetch<Query, Value>(load: load)
    self.name = name
    self.path = path
    commandNames = commands
    start = { fetch.work($0, $1, $2).taking(delay) }
    value = { result, key, query, transaction in
      try fetch.value(result, key, query, transaction.stores)
    }
  }

  /// Declares a part that looks up in stores, and may write to them.
  ///
  /// - Parameters:
  ///   - name: The name of the part in `states` and causes.
  ///   - path: The path to the look-ups in the state of the screen.
  ///   - commands: The names of the commands of the screen for the look-ups, for client developers.
  ///   - isShown: Returns whether the look-up of a field counts for the state of the part; unless given,
  ///     each does.
  ///   - delay: The time after which a look-up ends. The latency of the part replaces it if ``Latencies`` has the name
  ///     of the part; otherwise the latency of all other sources replaces a time of zero.
  ///   - value: Returns the value for the key of a view model and a query at the end of a look-up, or throws
  ///     if there is none. If it throws, its writes to stores are undone, and the look-up fails: see ``LoadFailure``.
  public init(
    _ name: Text, _ path: any WritableKeyPath<State, Lookups<Query, Value>> & Sendable,
    commands: LookupCommandNames = (nil, nil, nil, nil),
    isShown: @escaping @Sendable (State) -> (_ field: Text) -> Bool = { _ in { _ in true } },
    after delay: Duration = .zero,
    value: @escaping @Sendable (inout Transaction, _ key: Text, Query) throws -> Value
  ) {
    self.name = name
    self.path = path
    commandNames = commands
    self.isShown = isShown
    start = { _, _, _ in .succeeding(after: delay) }
    self.value = { _, key, query, transaction in try value(&transaction, key, query) }
  }

  /// Declares a part that looks up in a store. A write to the store changes what was found at once.
  ///
  /// - Parameters:
  ///   - name: The name of the part in `states` and causes.
  ///   - path: The path to the look-ups in the state of the screen.
  ///   - store: The store.
  ///   - commands: The names of the commands of the screen for the look-ups, for client developers.
  ///   - isShown: Returns whether the look-up of a field counts for the state of the part; unless given,
  ///     each does.
  ///   - value: Returns the value for the key of a view model and a query, or throws if there is none. If it
  ///     throws after a write, the value that was found before stays. A look-up that has failed stays so after a write:
  ///     if a write may bring the value, return an optional, and `nil` in place of an error.
  public init<Stored: StoreValue>(
    _ name: Text, _ path: any WritableKeyPath<State, Lookups<Query, Value>> & Sendable,
    reading store: Store<Stored>, commands: LookupCommandNames = (nil, nil, nil, nil),
    isShown: @escaping @Sendable (State) -> (_ field: Text) -> Bool = { _ in { _ in true } },
    value: @escaping @Sendable (Stored, _ key: Text, Query) throws -> Value
  ) {
    self.init(name, path, commands: commands, isShown: isShown) { transaction, key, query in
      try value(transaction[store], key, query)
    }
    shownStores = [.whole(of: store)]
    current = { try? value($0[store], $1, $2) }
  }
}

extension LookingUp: RunningPart {
  var place: AnyKeyPath { path }

  public var commands: [AnyCommand<State>] { [] }

  var stateMachine: StateMachine {
    Lookups<Int, Bool>.machine(of: name.string, commands: commandNames)
  }

  public var isOpened: Bool { false }

  public func stateName(in state: State) -> String {
    state[keyPath: path].stateName(where: isShown(state))
  }

  func running(in state: State) -> [(work: PartWork, token: LoadToken)] {
    state[keyPath: path].running.map { field in
      let request = Request(
        key: field.key, query: field.query, isReload: field.isReload ? true : nil)
      return (PartWork(part: name, request: try? JSONValue(encoding: request)), field.token)
    }
  }

  /// Does nothing, because only a query starts a look-up.
  public func load(_ state: inout State) {}

  func start(_ work: PartWork, for key: Text, in stores: Stores) -> Work {
    guard let request = try? work.request?.decode(Request.self) else {
      return .failing(.unreadable, after: .zero)
    }
    return start(key, request.query, stores).calling(anew: request.isReload == true)
  }

  func end(
    _ work: PartWork, _ token: LoadToken, bringing result: JSONValue?,
    failing failure: inout LoadFailure?, on state: inout State, for key: Text,
    in transaction: inout Transaction
  ) -> ScreenIncident.Kind? {
    // By the token, for a query that cannot be written as JSON has no request.
    let awaited = state[keyPath: path].field(of: token)
    guard let field = awaited?.key ?? (try? work.request?.decode(Request.self))?.key else {
      return nil
    }
    let before = state[keyPath: path][field].stateName
    let found = Result(failing: &failure) {
      // A late value must not be written to a store.
      guard let awaited else { throw LoadFailure.missing }
      // A look-up that writes and then throws has written nothing.
      var attempt = transaction
      let value = try value(result, key, awaited.query, &attempt)
      transaction = attempt
      return value
    }
    let action = LoadAction(found, token)
    let steps = state[keyPath: path].reduce(.end(action), for: field)
    return steps.lazy.compactMap { $0.incident(of: name, action.name, in: before) }.first
  }

  public func follow(_ stores: Stores, on state: inout State, for key: Text) {
    state[keyPath: path].replace { current(stores, key, $0) }
  }

  /// Returns no rows: the screen shows the found values beside its fields.
  public func rows(_ state: State) -> [RowPart] { [] }
}
