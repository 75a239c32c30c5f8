public import CanonicalJSON
import Snapshots
public import ViewState

/// A podcast that can be shown.
public struct Podcast: Codable, Hashable, Identifiable, Sendable {
  /// Unique among the podcasts of a listener.
  public let id: ResourceID
  /// Not blank.
  public let title: Text
  public let author: Text?
  /// The address of a picture on the web.
  public let artworkURL: Text?
  /// The episode published last.
  public let latestEpisode: Episode?
  /// The position in the feed: smaller than that of each podcast that was followed later.
  let number: Int

  /// An episode that can be shown.
  public struct Episode: Codable, Hashable, Sendable {
    /// Not blank.
    public let title: Text
    public let date: Timestamp?
  }
}

extension Podcast {
  /// Reads the podcast that an item of a feed describes.
  ///
  /// - Parameter number: The position in the feed.
  /// - Throws: `malformed` if the item has no title, a picture without an address on the web, or an episode
  ///   without a title or with an invalid date.
  init(_ item: FeedItem, number: Int = 0) throws(LoadFailure) {
    id = item.id
    title = try Self.text(item.title, "podcast \(item.id) has no title")
    author = item.author
    artworkURL = item.artworkURL
    if let artworkURL, !["https://", "http://"].contains(where: artworkURL.hasPrefix) {
      throw .malformed("The artwork of podcast \(item.id) has no address on the web.")
    }
    latestEpisode =
      if let episode = item.latestEpisode {
        Episode(
          title: try Self.text(episode.title, "latest episode of podcast \(item.id) has no title"),
          date: try Self.date(episode.date, of: item.id))
      } else {
        nil
      }
    self.number = number
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
      throw .malformed("The latest episode of podcast \(podcast) has an invalid date.")
    }
    return date
  }

  /// Returns whether a podcast comes before another one: the newest latest episode first, then in the order
  /// of the feed, and those without a date last.
  fileprivate static func precedes(_ left: Podcast, _ right: Podcast) -> Bool {
    switch (left.latestEpisode?.date, right.latestEpisode?.date) {
    case (let date?, let other?) where date != other: date > other
    case (.some, nil): true
    case (nil, .some): false
    default: left.number < right.number
    }
  }
}

extension LoadFailure {
  fileprivate static func malformed(_ message: String) -> LoadFailure {
    LoadFailure(code: "malformed", message: message)
  }
}

/// The podcasts of a feed in the order in which they are shown, and what cannot be shown of it.
public struct PodcastFeed: ChildView {
  private var podcasts: KeyedSequence<Podcast> = []
  /// The items that cannot be shown, in the order of the feed.
  private var faults: KeyedSequence<Fault> = []

  private struct Fault: Equatable, Identifiable, Sendable {
    let id: ResourceID
    let number: Int
    let failure: LoadFailure
  }

  public init() {}

  public mutating func put(_ item: Created<FeedItem>) {
    let id = item.resource.id
    do throws(LoadFailure) {
      let podcast = try Podcast(item.resource, number: item.number)
      faults.remove(id: id)
      podcasts.insert(podcast, by: Podcast.precedes)
    } catch {
      podcasts.remove(id: id)
      faults.insert(Fault(id: id, number: item.number, failure: error)) { $0.number < $1.number }
    }
  }

  public mutating func remove(_ id: ResourceID) {
    podcasts.remove(id: id)
    faults.remove(id: id)
  }

  /// Returns all podcasts.
  ///
  /// - Throws: `malformed` if an item cannot be shown, with the reason of the first one.
  /// - Complexity: O(1).
  func list() throws(LoadFailure) -> KeyedSequence<Podcast> {
    if let fault = faults.first { throw fault.failure }
    return podcasts
  }
}
