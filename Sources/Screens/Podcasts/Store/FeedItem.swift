public import CanonicalJSON
public import ViewState

/// A podcast as the feed of its publisher has it, kept word for word: whether it can be shown is decided by
/// ``Podcast``.
public struct FeedItem: Hashable, Sendable {
  /// Unique among the podcasts of a listener.
  public let id: ResourceID
  public var title: Text?
  public var author: Text?
  /// The address of a picture.
  public var artworkURL: Text?
  /// The episode published last.
  public var latestEpisode: FeedEpisode?
}

extension FeedItem {
  public static let summary =
    "A podcast as its feed has it. Members that were not given are absent, never `null`."

  public static let fields = [
    Field("title", \FeedItem.title, FeedEpisode.line), Field("author", \.author, FeedEpisode.line),
    Field(
      "artworkURL", \.artworkURL,
      ValueType.text(atMostBytes: LongestText.address).optional),
    Field("latestEpisode", \.latestEpisode),
  ]

  public init(id: ResourceID) { self.init(id: id, title: nil) }
}

/// An episode as the feed of its publisher has it.
public struct FeedEpisode: Hashable, Sendable {
  public var title: Text?
  /// The date of publication, in the words of the publisher.
  public var date: Text?
}

extension FeedEpisode: FieldValue {
  public static let valueType = ValueType.object(
    FeedEpisode(),
    [Field("title", \FeedEpisode.title, line), Field("date", \.date, line)])

  fileprivate static let line =
    ValueType<Text>.text(atMostBytes: LongestText.line).optional
}
