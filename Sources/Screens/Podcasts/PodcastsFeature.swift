import CanonicalJSON
public import MicroHTTP
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

  /// Configures the feature.
  public init(
    data: PodcastData = .demo(), latency: Duration = .zero,
    refreshPolicy: RefreshPolicy = .keepPrevious
  ) {
    self.data = data
    self.latency = latency
    self.refreshPolicy = refreshPolicy
  }

  public func register(in application: inout ApplicationBuilder) throws {
    for fragment in Self.documents { application.document(fragment) }
    application.document(causesNaming: ["listeners", "podcasts"])
    let store = PodcastStore(
      try application.takeData("listeners", or: data) { try PodcastData($0) },
      in: application.engine, latency: application.latencies([.podcasts: latency]))
    let policy = application.refreshPolicy(usually: refreshPolicy)
    application.add(
      PodcastsScreen(store: store, policy: policy),
      keys: .collection(path: "/v1/listeners", title: "name"))
    AccountEndpoints(
      store: store, path: "/v1/listeners", entries: (name: "podcasts", parameter: "podcastID")
    ).register(in: &application)
    application.addFaults(of: "podcasts", AccountFaults(store: store, source: .podcasts))
  }
}

extension PodcastSchema.Missing: MissingResource {
  public var problem: ProblemDetails {
    switch self {
    case .listener: .missing(code: "unknown-listener", "there is no listener of this id")
    case .podcast: .missing(code: "unknown-podcast", "the listener follows no podcast of this id")
    case .feed: .missing(code: "missing-feed", "the listener has not followed any podcast yet")
    }
  }
}
