public import CanonicalJSON
public import Snapshots
public import ViewState

/// The podcasts that a listener follows, loaded from one source under a refresh policy that clients choose.
public struct PodcastsScreen: Screen {
  public struct State: Codable, Equatable, Sendable {
    /// The listener who follows the podcasts.
    public var listener: Listener
    /// In the order in which they are shown.
    public var podcasts = LoadState<KeyedSequence<Podcast>>()
    /// Whether the podcasts stay on the screen while they are loaded again.
    public var policy: RefreshPolicy
  }

  public static let name: Text = "podcasts"
  public static let keyName = "listenerID"
  public static let summary = "The podcasts that a listener follows, the newest episode first."

  private let store: PodcastStore
  private let policy: RefreshPolicy
  private let podcasts: Loading<State, KeyedSequence<Podcast>>

  /// - Parameters:
  ///   - store: The listeners and podcasts.
  ///   - latency: The duration of a load.
  ///   - policy: Whether the podcasts stay on the screen while they are loaded again, until a client chooses.
  ///   - feeds: Loads the podcasts that have feeds of their own; unless given, they fail to load.
  public init(
    store: PodcastStore, latency: Duration = .zero, policy: RefreshPolicy = .keepPrevious,
    feeds: FeedReader = FeedReader()
  ) {
    self.store = store
    self.policy = policy
    podcasts = Loading(
      "podcasts", \.podcasts,
      from: Source(
        "podcasts", reading: store, usually: latency,
        asking: { data, listener in data.view(of: listener)?.addresses },
        load: { addresses in try await feeds.channels(at: addresses) }
      ) { (data, listener, loaded) throws(LoadFailure) in
        guard let podcasts = data.view(of: listener) else {
          if (try? data.parent(listener)) == nil { return nil }
          throw LoadFailure(
            code: LoadFailure.missing.code,
            message: "The listener has not followed any podcast yet.")
        }
        return try podcasts.list(loaded ?? [:])
      },
      commands: ("load", "cancel"), policy: \.policy,
      error: ("contentError", "Couldn't load podcasts.")
    ) { podcasts, isLoading in
      if isLoading { Self.contentLoading("podcasts/loading") }
      if let podcasts {
        if podcasts.isEmpty { Self.contentEmpty("podcasts/empty", "No podcasts yet") }
        ForEach(podcasts, as: Self.podcast) { "podcast/\($0.id)" }
      }
    }
  }

  static let setRefreshPolicy = Command(
    "setRefreshPolicy",
    "Chooses what is shown while the podcasts are loaded again, or if that fails.",
    Argument<RefreshPolicy>.value("policy")
      .described("`keepPrevious`: the rows there were; `blank`: none of them.")
  ) { (state: inout State, policy) in
    state.policy = policy
  }

  public var commands: [AnyCommand<State>] { Self.setRefreshPolicy }

  public var parts: [any ScreenPart<State>] { [podcasts] }

  public var opening: Text? { podcasts.load.name }

  public func initialState(
    for key: Text, in stores: Stores
  ) throws(ScreenLookupError) -> State {
    State(listener: try stores[store].parent(for: key), policy: policy)
  }

  public func follow(
    _ stores: Stores, on state: inout State, for key: Text
  ) throws(ScreenLookupError) {
    state.listener = try stores[store].parent(for: key)
    guard let feed = stores[store].view(of: state.listener.id) else { return }
    // A write loads no feed; what was loaded stays.
    var loaded: [ResourceID: LoadedChannel] = [:]
    if feed.addresses != nil {
      for podcast in state.podcasts.loadable.value ?? [] { loaded[podcast.id] = podcast.loaded }
    }
    if let list = try? feed.list(loaded) { _ = state.podcasts.reduce(.changed(list)) }
  }

  public var failures: [LoadFailure] { FeedFault.failures }

  public var stateMachines: [StateMachine] {
    [
      StateMachine(
        name: "refreshPolicy", exploring: [policy, policy.other], on: RefreshPolicy.allCases,
        stateName: { "\($0)" }, eventName: { "\(Self.setRefreshPolicy.name): \($0)" },
        command: { _ in Self.setRefreshPolicy.name }
      ) { policy, chosen in
        policy = chosen
        return []
      }
    ]
  }

  public func machineStates(_ state: State) -> [Text: Text] {
    ["refreshPolicy": "\(state.policy)"]
  }

  public func body(_ state: State) -> [ListSection] {
    ListSection("podcasts") {
      Self.header("podcasts/header", Header(listener: state.listener.name, policy: state.policy))
      podcasts.rows(state)
    }
  }

  public var rowTypes: [RowTypeDescriptor] {
    Self.header
    Self.contentLoading
    Self.contentEmpty
    Self.podcast
  }
}

/// The rows.
extension PodcastsScreen {
  struct Header: Equatable, Sendable {
    let listener: Text
    let policy: RefreshPolicy
  }

  static let header = RowType(
    "podcastsHeader", of: Header.self,
    "Whose podcasts these are, and what is shown while they are loaded again, which the action changes."
  ) {
    Field("text") { _ in "Podcasts" as Text }
    Field("listener", \.listener, "The name of the listener.")
    Field("refreshPolicy", \.policy)
    Action(
      setRefreshPolicy,
      title: { $0.policy == .blank ? "Keep rows on refresh" : "Blank on refresh" }
    ) { $0.policy.other }
  }
  static let contentLoading = RowType("contentLoading", of: NoFields.self, "A list is loading.")
  static let contentEmpty = RowType(text: "contentEmpty", "An empty list.")
  static let podcast = RowType(
    "podcast", of: Podcast.self,
    "A podcast; its id is `podcast/` and that of the podcast. What neither it nor its feed has is absent."
  ) {
    Field("title", \.title)
    Field("author", \.author)
    Field("artworkURL", \.artworkURL, .optional(.webAddress(orPath: true)))
    Field("podcastURL", \.podcastURL, .optional(.webAddress(orPath: true)))
    Field("latestEpisode", \.latestEpisode)
  }
}

extension Podcast.Episode: FieldObject {
  public static let fields = [
    Field("title", \Podcast.Episode.title), Field("date", \Podcast.Episode.date),
  ]
}

extension RefreshPolicy {
  /// The other policy.
  fileprivate var other: RefreshPolicy { self == .blank ? .keepPrevious : .blank }
}
