import CanonicalJSON
public import ViewDeltaServer
public import ViewState

/// The podcasts screen, on a store of listeners and the podcasts that they follow, with the REST endpoints of
/// both.
public struct PodcastsFeature: Feature {
  /// The listeners and podcasts to start with if there is no data file.
  public var data = PodcastData.demo()
  /// Loads the podcasts that have feeds of their own.
  public var feeds: FeedReader
  /// The language of the texts of the screen, unless the server is started with another one.
  public var language = Language.en

  /// Creates the feature with the data of the demo, in English.
  ///
  /// - Parameter feeds: Loads the podcasts that have feeds of their own; unless given, they fail to load.
  public init(feeds: FeedReader = FeedReader()) {
    self.feeds = feeds
  }

  public func register(in application: inout ApplicationBuilder) throws {
    let store = PodcastStore(
      "podcasts", try application.takeData("listeners", or: data) { try PodcastData(reading: $0) },
      in: application.engine)
    let screen = PodcastsScreen(
      store: store, policy: application.refreshPolicy, feeds: feeds,
      language: application.language(usually: language))
    for fragment in Self.documents(of: screen.rows) { application.document(fragment) }
    application.add(screen, keys: .collection(path: "/v1/listeners", title: "name"))
    application.add(collection: store, at: "/v1/listeners", children: "podcasts")
  }
}
