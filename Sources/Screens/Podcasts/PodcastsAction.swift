public import Snapshots
public import ViewState

/// What can happen to the podcasts screen.
public enum PodcastsAction: Equatable, Sendable {
  /// Something to the list.
  case podcasts(LoadAction<KeyedSequence<Podcast>>)
  /// Somebody wants another refresh policy.
  case policy(RefreshPolicy)
  /// A write changed the listener.
  case listener(Listener)
}
