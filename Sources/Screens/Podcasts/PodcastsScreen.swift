public import CanonicalJSON
public import Snapshots
public import ViewState

/// The podcasts that a listener follows, loaded from one source under a refresh policy that clients choose.
public struct PodcastsScreen: Screen {
  public struct State: Codable, Equatable, Sendable {
    /// The listener who follows the podcasts.
    public var listener: Listener
    /// The podcasts, in the order in which they are shown.
    public var podcasts = LoadState<KeyedSequence<Podcast>>()
    /// Whether the podcasts stay on the screen while they are loaded again.
    public var policy: RefreshPolicy
  }

  public static let name: Text = "podcasts"
  public static let keyName = "listenerID"
  public static let summary = "The podcasts that a listener follows, the newest episode first."

  public let language: Language?
  let rows: Rows
  private let store: PodcastStore
  private let policy: RefreshPolicy
  private let podcasts: Loading<State, KeyedSequence<Podcast>>

  /// - Parameters:
  ///   - store: The listeners and podcasts.
  ///   - policy: Whether the podcasts stay on the screen while they are loaded again, until a client chooses.
  ///   - feeds: Loads the podcasts that have feeds of their own; unless given, they fail to load.
  ///   - language: The language of the texts.
  public init(
    store: PodcastStore, policy: RefreshPolicy = .keepPrevious,
    feeds: FeedReader = FeedReader(), language: Language = .en
  ) {
    self.language = language
    let rows = Rows(language)
    self.rows = rows
    self.store = store
    self.policy = policy
    podcasts = Loading(
      "podcasts", \.podcasts,
      from: Source(
        reading: store,
        asking: { data, listener in data.view(of: listener)?.addresses },
        load: { addresses in try await feeds.channels(at: addresses) }
      ) { data, listener, loaded in
        guard let podcasts = data.view(of: listener) else {
          if (try? data.parent(listener)) == nil { return nil }
          throw LoadFailure(
            code: LoadFailure.missing.code,
            message: Localized(
              en: "The listener has not followed any podcast yet.",
              de: "Es wurde noch kein Podcast abonniert."))
        }
        return try podcasts.list(loaded ?? [:])
      },
      commands: ("load", "cancel"), policy: \.policy,
      error: "contentError",
      failure: Localized(
        en: "Couldn't load podcasts.", de: "Die Podcasts konnten nicht geladen werden.")[language],
      language: language
    ) { podcasts, isLoading in
      if isLoading { rows.contentLoading("podcasts/loading", Localized.loading[language]) }
      if let podcasts {
        if podcasts.isEmpty {
          rows.contentEmpty(
            "podcasts/empty", Localized(en: "No podcasts yet", de: "Noch keine Podcasts")[language])
        }
        ForEach(podcasts, as: rows.podcast) { "podcast/\($0.id)" }
      }
    }
  }

  static let setRefreshPolicy = Command(
    "setRefreshPolicy",
    "Chooses what is shown while the podcasts are loaded again, or if that fails.",
    Argument<RefreshPolicy>.value("policy")
      .described("`keepPrevious` keeps the rows; `blank` removes them.")
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
    if let list = try? feed.list(loaded) { state.podcasts.change { $0 = list } }
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
      rows.header("podcasts/header", Header(listener: state.listener.name, policy: state.policy))
      podcasts.rows(state)
    }
  }

  public var rowTypes: [RowTypeDescriptor] {
    rows.header
    rows.contentLoading
    rows.contentEmpty
    rows.podcast
  }
}

extension PodcastsScreen {
  struct Header: Equatable, Sendable {
    let listener: Text
    let policy: RefreshPolicy
  }

  /// An episode with its date for people.
  private struct Episode: FieldObject {
    let episode: Podcast.Episode
    let dateText: Text?

    static let fields = [
      Field("title", \Episode.episode.title), Field("date", \.episode.date),
      Field("dateText", \.dateText, "The day of `date` in UTC, for people: `1 March 2026`."),
    ]
  }

  /// The types of the rows, with their texts in a language.
  struct Rows: Sendable {
    let header: RowType<Header>
    let contentLoading = RowType(text: "contentLoading", "A list is loading.")
    let contentEmpty = RowType(text: "contentEmpty", "An empty list.")
    let podcast: RowType<Podcast>

    init(_ language: Language) {
      header = RowType(
        "podcastsHeader",
        "The listener, and the refresh policy, which the action changes."
      ) {
        Field("text") { _ in "Podcasts" as Text }
        Field("listener", \.listener, "The name of the listener.")
        Field("refreshPolicy", \.policy)
        Field("refreshPolicyText", "What `refreshPolicy` means, for people.") {
          $0.policy.meaning[language]
        }
        Action(setRefreshPolicy, title: { $0.policy.other.wish[language] }) { $0.policy.other }
      }
      podcast = RowType(
        "podcast",
        "A podcast; its id is `podcast/` and that of the podcast. What neither it nor its feed has is absent."
      ) {
        Field("title", \.title)
        Field("author", \.author)
        Field("artworkURL", \.artworkURL, .optional(.webAddress(orPath: true)))
        Field("podcastURL", \.podcastURL, .optional(.webAddress(orPath: true)))
        Field("latestEpisode") { podcast in
          podcast.latestEpisode.map { Episode(episode: $0, dateText: $0.date.map(language.date)) }
        }
      }
    }
  }
}

extension RefreshPolicy {
  /// What the policy does.
  fileprivate var meaning: Localized {
    switch self {
    case .keepPrevious:
      Localized(
        en: "Stays on screen while it is refreshed", de: "Bleibt sichtbar, während neu geladen wird"
      )
    case .blank:
      Localized(
        en: "Disappears while it is refreshed", de: "Verschwindet, während neu geladen wird")
    }
  }

  /// The title of the action that chooses the policy.
  fileprivate var wish: Localized {
    switch self {
    case .keepPrevious:
      Localized(en: "Keep rows on refresh", de: "Zeilen beim Neuladen behalten")
    case .blank: Localized(en: "Blank on refresh", de: "Beim Neuladen leeren")
    }
  }
}

extension RefreshPolicy {
  /// The other policy.
  fileprivate var other: RefreshPolicy { self == .blank ? .keepPrevious : .blank }
}
