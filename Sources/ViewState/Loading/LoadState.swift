import CanonicalJSON

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
  private(set) var token: LoadToken
  /// Whether the running load calls its source anew; see ``reload()``.
  private(set) var isReload = false

  /// Creates a state, by default one without a load.
  public init(_ loadable: Loadable<Value> = .notRequested) { self.init(loadable, token: .none) }

  init(_ loadable: Loadable<Value>, token: LoadToken) {
    self.loadable = loadable
    self.token = token
  }
}

extension LoadState {
  /// Starts a load; does nothing if one runs.
  public mutating func load() { _ = reduce(.load) }

  /// Cancels the running load, and starts another one, which calls the source again: a call that is running
  /// already, also for another view model, may return a value from before a write.
  public mutating func reload() {
    _ = reduce(.cancel)
    load()
    isReload = true
  }

  /// Changes the value, such as by a change that was just written, until a load brings another one; does nothing
  /// without a value.
  ///
  ///     state.todos.change { $0.removeAll { $0.id == id } }
  public mutating func change(_ body: (inout Value) -> Void) {
    guard var value = loadable.value else { return }
    body(&value)
    _ = reduce(.changed(value))
  }

  /// Takes over a value that the clock has loaded while the state showed another one. It is newer than a failure.
  mutating func refresh(_ value: Value) {
    if case .failed(_, _?) = loadable, case .started(let token) = reduce(.load) {
      _ = reduce(.loaded(value, token))
    } else {
      _ = reduce(.changed(value))
    }
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
  /// | isLoading | – (duplicate) | loaded(x) | failed(e) | loaded(previous) or failed(cancelled) | the previous value, if any, is x, which is shown |
  /// | loaded | isLoading, start | – | – | – | loaded(x) |
  /// | failed | isLoading, start | – | – | – | the previous value, if any, is x, which is shown |
  ///
  /// A result with the token of an older load changes nothing in any state.
  package mutating func reduce(_ action: LoadAction<Value>) -> LoadStep {
    if isLate(action) { return .refused(.late) }
    switch (loadable, action) {
    case (.notRequested, .load), (.loaded, .load), (.failed, .load):
      token = token.next
      loadable = .isLoading(previous: loadable.value)
      return .started(token)
    case (.isLoading, .load):
      return .refused(.duplicate)

    case (.isLoading, .loaded(let value, _)):
      return end(.loaded(value))
    case (.isLoading(let previous), .failed(let failure, _)):
      return end(.failed(failure, previous: previous))
    case (.notRequested, .loaded), (.loaded, .loaded), (.failed, .loaded),
      (.notRequested, .failed), (.loaded, .failed), (.failed, .failed):
      return .refused(.impossible)

    case (.isLoading, .cancel):
      return end(loadable.cancelled())
    case (.notRequested, .cancel), (.loaded, .cancel), (.failed, .cancel):
      return .ignored

    case (.loaded, .changed(let value)):
      loadable = .loaded(value)
      return .replaced
    case (.isLoading(_?), .changed(let value)):
      loadable = .isLoading(previous: value)
      return .replaced
    case (.failed(let failure, _?), .changed(let value)):
      loadable = .failed(failure, previous: value)
      return .replaced
    case (.notRequested, .changed), (.isLoading(nil), .changed), (.failed(_, nil), .changed):
      return .ignored
    }
  }

  /// Applies an action to the part of a name, and returns the incident to log if the state does not allow the action.
  mutating func reduce(_ action: LoadAction<Value>, of part: Text) -> ScreenIncident.Kind? {
    let state = loadable.stateName
    return reduce(action).incident(of: part, action.name, in: state)
  }

  private mutating func end(_ loadable: Loadable<Value>) -> LoadStep {
    self.loadable = loadable
    isReload = false
    return .ended(token)
  }

  private func isLate(_ action: LoadAction<Value>) -> Bool {
    switch action {
    case .loaded(_, let named), .failed(_, let named): named != token
    case .load, .cancel, .changed: false
    }
  }
}

/// The result of an action on a source, with the work to do outside.
package enum LoadStep: Hashable, Sendable {
  /// The source is loading now: start this load.
  case started(LoadToken)
  /// The load has ended, by a result, a failure or a cancel: cancel its work and its time-out.
  case ended(LoadToken)
  /// The value was replaced.
  case replaced
  /// Nothing changed, because there was nothing to do.
  case ignored
  /// Nothing changed, because the state does not allow the action.
  case refused(ScreenIncident.Reason)
}

extension LoadStep {
  /// The names of the effects in state machines.
  var effects: [String] {
    switch self {
    case .started: ["start"]
    case .ended: ["end"]
    case .replaced: ["show"]
    case .ignored: []
    case .refused(let reason): ["record \(reason.rawValue)"]
    }
  }

  /// Returns the incident to log if the state did not allow an action.
  func incident(of part: Text, _ action: String, in state: String) -> ScreenIncident.Kind? {
    guard case .refused(let reason) = self else { return nil }
    return .transition(source: part.string, reason, action: action, state: state)
  }
}

extension LoadState<Bool> {
  /// Returns the state machine of a source, found by running the reducer on sample values.
  ///
  /// - Parameter commands: The names of the commands that load and cancel.
  static func machine(of name: Text, commands: (load: Text, cancel: Text)) -> StateMachine {
    typealias Event = (name: Text, command: Text?, action: LoadAction<Bool>)
    let token = LoadToken.none.next
    let events: [Event] = [
      (commands.load, commands.load, .load), ("loaded", nil, .loaded(true, token)),
      ("failed", nil, .failed(.unavailable, token)),
      ("late result", nil, .loaded(true, token.next)), (commands.cancel, commands.cancel, .cancel),
      ("changed", nil, .changed(true)),
    ]
    let states: [Loadable<Bool>] = [
      .notRequested, .isLoading(previous: nil), .isLoading(previous: true), .loaded(true),
      .failed(.unavailable, previous: nil), .failed(.unavailable, previous: true),
    ]
    return StateMachine(
      name: name.string, exploring: states.map { LoadState($0, token: token) }, on: events,
      stateName: \.loadable.stateName, eventName: \.name.string, command: \.command
    ) { state, event in state.reduce(event.action).effects }
  }
}
