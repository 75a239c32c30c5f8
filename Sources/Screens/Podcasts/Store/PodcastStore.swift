public import CanonicalJSON
public import ViewState

/// A person who follows podcasts.
public struct Listener: Hashable, Sendable {
  /// The id, unique among the listeners, which is also the key of the view model.
  public let id: ResourceID
  public var name: Text
}

extension Listener: Resource {
  public static let summary = "A person who follows podcasts."

  public static let fields = [
    Field("name", \Listener.name, .text(atMostBytes: LongestText.line))
  ]

  public init(id: ResourceID) { self.init(id: id, name: "") }
}

/// The listeners with the podcasts that they follow, their feed.
public typealias PodcastData = NestedCollection<FeedItem>

/// The listeners and their feeds in memory.
public typealias PodcastStore = Store<PodcastData>

extension FeedItem: ChildResource {
  public typealias Parent = Listener
  public typealias View = PodcastFeed

  public static let nouns: (parent: Text, child: Text) = ("listener", "podcast")
  public static let arrays: (parents: Text, children: Text) = ("listeners", "podcasts")
  public static let limits = CollectionLimits(
    count: 10_000, byteCount: 64 * 1024 * 1024, childCount: 1_000, totalChildCount: 100_000)
  public static let missingChild = MissingElement(
    "podcast", of: "listener", detail: "the listener follows no podcast of this id")
  /// The element that is missing if a listener has not followed any podcast yet.
  public static let missingList: MissingElement? = MissingElement(
    "feed", of: "listener", code: "missing-feed",
    detail: "the listener has not followed any podcast yet")
}
