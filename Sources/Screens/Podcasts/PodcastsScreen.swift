public import CanonicalJSON
import Snapshots
public import ViewState

/// The podcasts that a listener follows, loaded from one source, with a refresh policy that each
/// client may choose for all.
public struct PodcastsScreen: Screen {
  let store: PodcastStore
  private let initialPolicy: RefreshPolicy
  private let children: [RefreshPolicy: LoadingChild<KeyedSequence<Podcast>>]

  /// - Parameters:
  ///   - store: where listeners and podcasts come from.
  ///   - policy: what stays on the screen while it is loaded again, until somebody chooses.
  public init(store: PodcastStore, policy: RefreshPolicy = .keepPrevious) {
    self.store = store
    initialPolicy = policy
    children = Dictionary(
      uniqueKeysWithValues: RefreshPolicy.allCases.map { ($0, .podcasts(of: store, policy: $0)) })
  }

  /// The list; only its rows depend on the policy.
  func child(_ policy: RefreshPolicy) -> LoadingChild<KeyedSequence<Podcast>> {
    children[policy] ?? .podcasts(of: store, policy: policy)
  }

  var child: LoadingChild<KeyedSequence<Podcast>> { child(initialPolicy) }

  public var descriptor: ScreenDescriptor {
    ScreenDescriptor(
      name: "podcasts", keyName: "listenerID",
      summary: "The podcasts that a listener follows, the newest episode first.",
      commands: child.commands + [RefreshPolicy.command],
      sources: PodcastsSource.allCases.map(\.rawValue), opening: child.load.type)
  }

  public var stateMachines: [StateMachine] { [child.stateMachine, initialPolicy.stateMachine] }

  public func initialState(for key: Text) throws(ScreenLookupError) -> PodcastsState {
    let id = ResourceID(named: key)
    try store.lookUp(id)
    guard let listener = try? store.holder(id) else { throw .deletedKey }
    return PodcastsState(listener: listener.resource, policy: initialPolicy)
  }

  public func plan(
    _ command: Command, in state: PodcastsState
  ) throws(CommandRefusal) -> CommandPlan<PodcastsAction> {
    if command.type == RefreshPolicy.command.type {
      return .steps([.policy(try RefreshPolicy(command))])
    }
    return .steps([child.action(for: command).map(PodcastsAction.podcasts)].compactMap(\.self))
  }

  public func reduce(
    _ state: inout PodcastsState, _ action: PodcastsAction
  ) -> [Effect<PodcastsSource>] {
    switch action {
    case .podcasts(let action): return state.podcasts.reduce(action, of: .podcasts)
    case .policy(let policy): state.policy = policy
    case .listener(let listener): state.listener = listener
    }
    return []
  }

  public func cause(of action: PodcastsAction) -> RevisionCause {
    switch action {
    case .podcasts(let action): child.cause(of: action)
    case .policy: .command(RefreshPolicy.command.type)
    case .listener: .storeWrite(source: "listeners")
    }
  }
}
