public import ViewState

/// The listeners and their podcasts in memory, and whoever wants to hear of their changes.
public final class PodcastStore: Sendable {
  /// What a subscriber of a listener hears.
  enum Change: SourceChange {
    case listener(Listener)
    /// In the order of writing.
    case feed([FeedItem])
    case removed

    var isRemoval: Bool {
      switch self {
      case .removed: true
      case .listener, .feed: false
      }
    }
  }

  let base: SourceStore<PodcastData, PodcastsSource, Change>

  /// - Parameter latency: how long a load takes where no fault script says otherwise.
  public init(data: PodcastData, scheduler: any Scheduler, latency: Duration = .zero) {
    base = SourceStore(data, scheduler: scheduler, latency: [.podcasts: latency])
  }

  /// All listeners, in the order in which they were written.
  public var listeners: [Listener] { base.read(\.listeners) }

  /// The listener of this id.
  public func listener(_ id: ResourceID) throws(PodcastStoreError) -> Versioned<Listener> {
    try base.find { data throws(PodcastStoreError) in try data.listener(id) }
  }

  /// What a listener follows, in the order of writing.
  ///
  /// - Throws: `PodcastStoreError.missingFeed` where the listener has not followed anything yet.
  public func podcasts(of listener: ResourceID) throws(PodcastStoreError) -> [FeedItem] {
    try base.find { data throws(PodcastStoreError) in try data.podcasts(of: listener) }
  }

  /// The podcast of this id, where the listener follows it.
  public func podcast(
    _ id: ResourceID, of listener: ResourceID
  ) throws(PodcastStoreError) -> Versioned<FeedItem> {
    try base.find { data throws(PodcastStoreError) in try data.podcast(id, of: listener) }
  }

  /// The rest of the fault script of a listener's loads; `nil` where there is none.
  public func faultScript(
    of listener: ResourceID
  ) throws(PodcastStoreError) -> FaultScript? {
    try base.faultScript(.podcasts, of: listener)
  }

  /// Lets the loads of a listener go by a script from the next one on; `nil` ends that.
  public func setFaultScript(
    _ script: FaultScript?, of listener: ResourceID
  ) throws(PodcastStoreError) {
    try base.setFaultScript(script, for: .podcasts, of: listener)
  }
}
