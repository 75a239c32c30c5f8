public import CanonicalJSON
public import ViewState

/// A podcast that a listener follows, exactly as a client wrote it. ``Podcast`` decides whether it can be shown.
public struct FeedItem: Hashable, Sendable {
  /// Unique among the podcasts of a listener.
  public let id: ResourceID
  public var title: Text?
  public var author: Text?
  /// The address of a picture, or its path on this server.
  public var artworkURL: Text?
  /// The address of the podcast's own page, or its path on this server.
  public var podcastURL: Text?
  /// The address of the podcast's own feed, from which a load takes what the other members do not have.
  public var feedURL: Text?
  /// The episode published last.
  public var latestEpisode: FeedEpisode?
}

extension FeedItem {
  public static let summary =
    "A podcast that a listener follows. Members that were not given are absent, never `null`."

  public static let fields = [
    Field("title", \FeedItem.title, FeedEpisode.line), Field("author", \.author, FeedEpisode.line),
    Field("artworkURL", \.artworkURL, .optional(.webAddress(orPath: true))),
    Field("podcastURL", \.podcastURL, .optional(.webAddress(orPath: true))),
    Field("feedURL", \.feedURL, .optional(.webAddress())),
    Field("latestEpisode", \.latestEpisode),
  ]

  public init(id: ResourceID) { self.init(id: id, title: nil) }
}

/// An episode as the feed of its publisher has it.
public struct FeedEpisode: Hashable, Sendable {
  public var title: Text?
  /// The date of publication, as the publisher wrote it.
  public var date: Text?
}

extension FeedEpisode: FieldValue {
  public static let valueType = ValueType.object(
    FeedEpisode(),
    [Field("title", \FeedEpisode.title, line), Field("date", \.date, line)])

  fileprivate static let line =
    ValueType<Text>.text(atMostBytes: LongestText.line).optional
}
