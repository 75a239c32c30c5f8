public import Snapshots
public import ViewState

/// What the podcasts screen knows.
public struct PodcastsState: Codable, Equatable, Sendable {
  /// Whose podcasts it shows.
  public var listener: Listener
  /// In the order in which they are shown.
  public var podcasts: LoadState<KeyedSequence<Podcast>>
  /// What stays on the screen while they are loaded again.
  public var policy: RefreshPolicy

  /// Podcasts that nobody has asked for, unless told otherwise.
  public init(
    listener: Listener, podcasts: LoadState<KeyedSequence<Podcast>> = LoadState(),
    policy: RefreshPolicy = .keepPrevious
  ) {
    self.listener = listener
    self.podcasts = podcasts
    self.policy = policy
  }
}
