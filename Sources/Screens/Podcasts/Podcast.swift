public import CanonicalJSON
public import ViewState

/// A podcast that can be shown.
public struct Podcast: Hashable, Identifiable, Sendable {
  /// Unique among the podcasts of a listener.
  public let id: ResourceID
  /// Not blank.
  public let title: Text
  public let author: Text?
  /// The address of a picture.
  public let artworkURL: Text?
  /// The episode published last.
  public let latestEpisode: Episode?

  /// An episode that can be shown.
  public struct Episode: Hashable, Sendable {
    /// Not blank.
    public let title: Text
    /// When it was published.
    public let date: Timestamp?
  }
}
