import CanonicalJSON
public import ViewDeltaServer
public import ViewState

/// The podcasts screen, on a store of listeners and the podcasts that they follow, with the REST endpoints of
/// both.
public struct PodcastsFeature: Feature {
  /// The listeners and podcasts to start with if there is no data file.
  public var data: PodcastData
  /// The duration of a load of podcasts.
  public var latency: Duration
  /// Whether podcasts stay on the screen while they are loaded again, until a client chooses.
  public var refreshPolicy: RefreshPolicy
  /// Loads the podcasts that have feeds of their own.
  public var feeds: FeedReader

  /// The language of the texts of the screen, unless the server is started with another one.
  public var language: Language

  /// Configures the feature.
  public init(
    data: PodcastData = .demo(), latency: Duration = .zero,
    refreshPolicy: RefreshPolicy = .keepPrevious, feeds: FeedReader = FeedReader(),
    language: Language = .en
  ) {
    self.data = data
    self.latency = latency
    self.refreshPolicy = refreshPolicy
    self.feeds = feeds
    self.language = language
  }

  public func register(in application: inout ApplicationBuilder) throws {
    let store = PodcastStore(
      "podcasts", try application.takeData("listeners", or: data) { try PodcastData(reading: $0) },
      in: application.engine)
    let screen = PodcastsScreen(
      store: store, latency: application.latency(of: "podcasts", usually: latency),
      policy: application.refreshPolicy(usually: refreshPolicy),
      feeds: feeds,
      language: application.language(usually: language))
    for fragment in Self.documents(of: screen.rows) { application.document(fragment) }
    application.add(screen, keys: .collection(path: "/v1/listeners", title: "name"))
    application.add(collection: store, at: "/v1/listeners", children: "podcasts")
  }
}
