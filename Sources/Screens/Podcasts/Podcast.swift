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
  public struct Episode: Codable, Hashable, Sendable {
    /// Not blank.
    public let title: Text
    /// When it was published.
    public let date: Timestamp?
  }
}

/// As the item of a feed that it can be read from.
extension Podcast: Codable {
  public init(from decoder: any Decoder) throws {
    let reader = try JSONReader(from: decoder)
    let item = try FeedItem(reader)
    do throws(LoadFailure) {
      try self.init(item)
    } catch {
      throw reader.error(error.message)
    }
  }
}
