import ViewState

extension PodcastStore {
  /// Loads what a listener follows: without a feed the load fails as `missing`, with one that
  /// cannot be shown as `malformed`.
  ///
  /// - Parameter deliver: is called once under the store's lock; it may do no more than post.
  func loadPodcasts(
    of listener: ResourceID, deliver: @escaping @Sendable (Result<[Podcast], LoadFailure>) -> Wake
  ) -> any Cancellable {
    base.load(.podcasts, of: listener, deliver: deliver) { data in
      Loadable.loaded(data.feed(of: listener)).unwrap().map(Podcast.list)
    }
  }

  /// Tells `subscriber` of every later write to the listener or the podcasts, in the order of the
  /// writes.
  ///
  /// - Parameters:
  ///   - shown: the listener as the subscriber knows it.
  ///   - subscriber: is called under the store's lock: it may do no more than post.
  /// - Returns: `nil` where that is not the listener as it is.
  func subscribe(
    showing shown: Listener, _ subscriber: @escaping @Sendable (Change) -> Wake?
  ) -> (any Cancellable)? {
    base.subscribe(
      to: shown.id, where: { (try? $0.listener(shown.id))?.resource == shown }, subscriber)
  }
}
