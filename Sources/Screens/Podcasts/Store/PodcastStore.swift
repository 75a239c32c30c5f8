import Snapshots
public import ViewState

/// The listeners and their podcasts in memory.
public typealias PodcastStore = AccountStore<PodcastSchema>

extension PodcastStore {
  /// - Parameter latency: how long a load takes where no fault script says otherwise.
  public convenience init(
    data: PodcastData, scheduler: any Scheduler, latency: Duration = .zero
  ) {
    self.init(data: data, scheduler: scheduler, latency: [.podcasts: latency]) { $0 }
  }

  /// Loads what a listener follows: without a feed the load fails as `missing`, with one that
  /// cannot be shown as `malformed`.
  ///
  /// - Parameter deliver: is called once under the store's lock; it may do no more than post.
  func loadPodcasts(
    of listener: ResourceID,
    deliver: @escaping @Sendable (Result<KeyedSequence<Podcast>, LoadFailure>) -> Wake
  ) -> any Cancellable {
    base.load(.podcasts, of: listener, deliver: deliver) { data in
      Loadable.loaded(data.entries(of: listener)).unwrap().map(Podcast.list)
    }
  }
}
