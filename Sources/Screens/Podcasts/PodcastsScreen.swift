public import CanonicalJSON
import Snapshots
public import ViewState

/// The podcasts that a listener follows, loaded from one source, with a refresh policy that each
/// client may choose for all.
public struct PodcastsScreen: ScreenMachine {
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
      uniqueKeysWithValues: RefreshPolicy.allCases.map { ($0, .podcasts(policy: $0)) })
  }

  /// The list; only its rows depend on the policy.
  func child(_ policy: RefreshPolicy) -> LoadingChild<KeyedSequence<Podcast>> {
    children[policy] ?? .podcasts(policy: policy)
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

  public var shownPart: StorePart? { .element(of: store.store) }

  public func initialState(
    for key: Text, in stores: Stores
  ) throws(ScreenLookupError) -> PodcastsState {
    PodcastsState(listener: try store.find(key, in: stores).resource, policy: initialPolicy)
  }

  public func run(
    _ command: SentCommand, on state: inout PodcastsState, for key: Text,
    in transaction: inout Transaction
  ) throws(Refusal) -> [Effect<PodcastsSource>] {
    if let action = child.action(for: command) {
      return state.podcasts.reduce(action, of: .podcasts)
    }
    state.policy = try RefreshPolicy(command)
    return []
  }

  /// Takes over what a write changed. A feed that cannot be read is ignored: what was loaded stays, and
  /// the next load fails as `malformed`.
  public func follow(
    _ stores: Stores, on state: inout PodcastsState, for key: Text
  ) throws(ScreenLookupError) -> [Effect<PodcastsSource>] {
    state.listener = try store.find(key, in: stores).resource
    guard let podcasts = loaded(stores[store.store], key).value else { return [] }
    return state.podcasts.reduce(.changed(podcasts), of: .podcasts)
  }

  public func start(
    _ source: PodcastsSource, for key: Text, in transaction: inout Transaction
  ) -> Work {
    store.start(source, for: key, in: &transaction)
  }

  public func end(
    _ source: PodcastsSource, _ token: LoadToken, failing failure: inout LoadFailure?,
    on state: inout PodcastsState, for key: Text, in transaction: inout Transaction
  ) -> [Effect<PodcastsSource>] {
    let podcasts = loaded(transaction[store.store], key)
    return state.podcasts.reduce(podcasts.end(token, &failure), of: source)
  }

  /// The podcasts of a listener: `missing` without a feed, `malformed` with one that cannot be shown.
  private func loaded(_ data: PodcastData, _ key: Text) -> Loadable<KeyedSequence<Podcast>> {
    Loadable.loaded(data.entries(of: ResourceID(named: key))).unwrap().map(Podcast.list)
  }
}
