import CanonicalJSON
public import Snapshots
public import ViewState

extension LoadFailure {
  /// The feed came, and something in it cannot be read.
  static func malformed(_ message: String) -> LoadFailure {
    LoadFailure(code: "malformed", message: message)
  }
}

extension Podcast {
  /// The podcast that an item of a feed describes.
  ///
  /// - Throws: `malformed` where the item has no title, an address of no picture, or an episode
  ///   without a title or with a date that is none.
  public init(_ item: FeedItem) throws(LoadFailure) {
    id = item.id
    title = try Self.text(item.title, "podcast \(item.id) has no title")
    author = item.author
    artworkURL = item.artworkURL
    if let artworkURL, !["https://", "http://"].contains(where: artworkURL.hasPrefix) {
      throw .malformed("The artwork of podcast \(item.id) has no address on the web.")
    }
    if let episode = item.latestEpisode {
      latestEpisode = Episode(
        title: try Self.text(episode.title, "latest episode of podcast \(item.id) has no title"),
        date: try Self.date(episode.date, of: item.id))
    } else {
      latestEpisode = nil
    }
  }

  /// A feed as it is shown: the newest latest episode first, then in the order of the feed, and
  /// what has no date last.
  ///
  /// - Throws: `malformed` where one item cannot be read.
  /// - Complexity: O(*n* log *n*), where *n* is the number of items.
  public static func list(
    _ feed: some Sequence<FeedItem>
  ) throws(LoadFailure) -> KeyedSequence<Podcast> {
    var podcasts: [Podcast] = []
    for item in feed { podcasts.append(try Podcast(item)) }
    return KeyedSequence(
      podcasts.sorted { left, right in
        switch (left.latestEpisode?.date, right.latestEpisode?.date) {
        case (let left?, let right?): left > right
        case (.some, nil): true
        case (nil, _): false
        }
      })
  }

  private static func text(_ text: Text?, _ fault: String) throws(LoadFailure) -> Text {
    guard let text, !text.trimmed.isEmpty else {
      throw .malformed("The \(fault).")
    }
    return text
  }

  private static func date(
    _ text: Text?, of podcast: ResourceID
  ) throws(LoadFailure) -> Timestamp? {
    guard let text else { return nil }
    guard let date = Timestamp(text.string) else {
      throw .malformed("The latest episode of podcast \(podcast) has a date that is none.")
    }
    return date
  }
}
