/// How much the podcast store takes, so that its clients cannot fill the memory.
public struct PodcastStoreLimits: Hashable, Sendable {
  /// A listener beyond this many is refused.
  public var listeners: Int
  /// A podcast beyond this many of one listener is refused.
  public var podcastsPerListener: Int
  /// A resource is refused that would take all together beyond this many bytes of text.
  public var byteCount: Int
  /// This many deleted listeners are remembered as deleted; older ones become unknown.
  public var deletedListeners: Int

  /// The defaults, where nothing else is said.
  public init(
    listeners: Int = 10_000, podcastsPerListener: Int = 1_000,
    byteCount: Int = 64 * 1024 * 1024, deletedListeners: Int = 10_000
  ) {
    self.listeners = listeners
    self.podcastsPerListener = podcastsPerListener
    self.byteCount = byteCount
    self.deletedListeners = deletedListeners
  }
}
