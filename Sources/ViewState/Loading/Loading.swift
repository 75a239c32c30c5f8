public import CanonicalJSON
public import Snapshots

/// A part of a screen that loads a value from a source, and can fail and be retried on its own.
///
/// ```swift
/// struct Profile: Screen {
///   struct State: ScreenState { var posts = LoadState<[Post]>() }
///
///   var parts: [any ScreenPart<State>] {
///     [
///       Loading("posts", \.posts, from: source) { posts, isLoading in
///         if let posts { ForEach(posts, as: Self.post) { "post/\($0.id)" } }
///       }
///     ]
///   }
/// }
/// ```
///
/// Its commands, its name in `states`, its causes, its error row with a retry and its state machine
/// follow from the name: the part above has the commands `loadPosts` and `cancelPosts`.
public struct Loading<State, Value: Codable & Equatable & Sendable>: ScreenPart {
  /// Returns the rows of a value, which is `nil` if there is none to show.
  public typealias Content = @Sendable (_ value: Value?, _ isLoading: Bool) -> [RowPart]

  public let name: Text
  private let path: any WritableKeyPath<State, LoadState<Value>> & Sendable
  private let fetch: Fetch<NoFields, Value>
  private let policy: @Sendable (State) -> RefreshPolicy
  private let shown: @Sendable (State, Value) -> Value
  private let heading: @Sendable () -> [RowPart]
  private let content: Content
  private let error: RowType<LoadFailure>
  /// The command that starts a load.
  public let load: Command<State>
  /// The command that cancels a running load.
  public let cancel: Command<State>

  /// Declares a part.
  ///
  /// - Parameters:
  ///   - name: The name of the part in `states`, in causes, and in the names of its commands.
  ///   - path: The path to the part in the state of the screen.
  ///   - source: The source of the value.
  ///   - commands: The names of the commands; unless given, `load` and `cancel` followed by `name`.
  ///   - policy: Decides whether the previous value is shown during a further load, and after that load fails. A
  ///     periodic load hides nothing, even if it fails: see ``Source/init(every:load:)``.
  ///   - shown: Returns a value as a state shows it, such as with the changes that are not written yet; unless given,
  ///     it is shown as it was loaded. See ``Saving``.
  ///   - type: The type of the row that shows a failure, with its code and an action that loads again. Its id is `name`
  ///     with `/error`, and the rows of a value that is still shown follow it.
  ///   - failure: The text of that row; unless given, it has `name` in English, and no name in other languages.
  ///   - language: The language of the failure and of its action.
  ///   - heading: The rows that come first, in every state.
  ///   - content: Makes the rows of the value. It is not called after a failure without a value to show.
  public init(
    _ name: Text, _ path: any WritableKeyPath<State, LoadState<Value>> & Sendable,
    from source: Source<Value>, commands: (load: Text, cancel: Text)? = nil,
    policy: @escaping @Sendable (State) -> RefreshPolicy = { _ in .keepPrevious },
    showing shown: @escaping @Sendable (State, Value) -> Value = { $1 },
    error type: Text = "loadError", failure: Text? = nil, language: Language = .en,
    @ListBuilder<RowPart> heading: @escaping @Sendable () -> [RowPart] = { [] },
    @ListBuilder<RowPart> content: @escaping Content
  ) {
    let names = commands ?? ("load\(name.capitalized)", "cancel\(name.capitalized)")
    let failure =
      failure ?? Localized(en: "Couldn't load \(name).", de: "Das Laden ist misslungen.")[language]
    let load = Command<State>(names.load, "Loads \(name). Ignored while it is loading.")
    self.name = name
    self.path = path
    self.policy = policy
    self.shown = shown
    self.heading = heading
    self.content = content
    self.load = load
    fetch = source.fetch
    cancel = Command(
      names.cancel, "Cancels the running load of \(name). Ignored while it is not loading.")
    error = .failure(type, "A failure to load, with a retry.", failure, retry: load, in: language)
  }
}

extension Loading: RunningPart {
  var place: AnyKeyPath { path }

  public var commands: [AnyCommand<State>] {
    [
      load.reducing { $0[keyPath: path].reduce(.load, of: name) },
      cancel.reducing { $0[keyPath: path].reduce(.cancel, of: name) },
    ]
  }

  public var rowTypes: [RowTypeDescriptor] { [error.descriptor] }

  var stateMachine: StateMachine {
    LoadState.machine(of: name, commands: (load.name, cancel.name))
  }

  var shownStores: [ShownStore] { fetch.shownStores }

  public func stateName(in state: State) -> String { state[keyPath: path].loadable.stateName }

  func running(in state: State) -> [(work: PartWork, token: LoadToken)] {
    let part = state[keyPath: path]
    guard part.loadable.isLoading else { return [] }
    return [(PartWork(part: name, request: part.isReload ? PartWork.reload : nil), part.token)]
  }

  public func load(_ state: inout State) { state[keyPath: path].load() }

  func start(_ work: PartWork, for key: Text, in stores: Stores) -> Work {
    fetch.work(key, NoFields(), stores).calling(anew: work.isReload)
  }

  func end(
    _ work: PartWork, _ token: LoadToken, bringing result: JSONValue?,
    failing failure: inout LoadFailure?, on state: inout State, for key: Text,
    in transaction: inout Transaction
  ) -> ScreenIncident.Kind? {
    let value = Result(failing: &failure) {
      try fetch.value(result, key, NoFields(), transaction.stores)
    }
    return state[keyPath: path].reduce(LoadAction(value, token), of: name)
  }

  /// Takes over the value that the store has now. If the store has no value, the loaded value stays, and the next
  /// load fails.
  public func follow(_ stores: Stores, on state: inout State, for key: Text) {
    guard !fetch.shownStores.isEmpty, let value = try? fetch.value(nil, key, NoFields(), stores)
    else {
      return
    }
    _ = state[keyPath: path].reduce(.changed(value))
  }

  func refresh(_ value: JSONValue, on state: inout State, for key: Text) {
    guard let value = try? value.decode(Value.self) else { return }
    state[keyPath: path].refresh(value)
  }

  func interval(in state: State) -> Duration? {
    switch state[keyPath: path].loadable {
    case .loaded, .failed(_, _?): fetch.interval
    case .notRequested, .isLoading, .failed(_, nil): nil
    }
  }

  @ListBuilder<RowPart>
  public func rows(_ state: State) -> [RowPart] {
    let loadable = state[keyPath: path].loadable
    let value = loadable.shown(under: policy(state)).map { shown(state, $0) }
    heading()
    switch loadable {
    case .notRequested: content(nil, false)
    case .isLoading: content(value, true)
    case .loaded: content(value, false)
    case .failed(let failure, _):
      error("\(name)/error", failure)
      if let value { content(value, false) }
    }
  }
}

extension Result where Failure == LoadFailure {
  /// Creates the result of work from its failure or, if there is none, from a value. Sets the failure if `value` throws.
  init(failing failure: inout LoadFailure?, _ value: () throws -> Success) {
    self =
      failure.map { .failure($0) }
      ?? Result<Success, any Error>(catching: value).mapError { LoadFailure($0) }
    if case .failure(let error) = self { failure = error }
  }
}

extension LoadAction {
  /// Creates the action that ends a load.
  init(_ result: Result<Value, LoadFailure>, _ token: LoadToken) {
    switch result {
    case .success(let value): self = .loaded(value, token)
    case .failure(let failure): self = .failed(failure, token)
    }
  }
}
