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
  /// The address of a picture, or its path on this server.
  public let artworkURL: Text?
  /// The address of the podcast's own page, or its path on this server.
  public let podcastURL: Text?
  /// The episode published last.
  public let latestEpisode: Episode?
  /// The position in the feed: smaller than that of each podcast that was followed later.
  let number: Int
  /// What was loaded from the podcast's own feed; `nil` if it has none.
  let loaded: LoadedChannel?

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
  /// - Parameters:
  ///   - loaded: What was loaded from the feed of the podcast, which has what the item does not have.
  ///   - number: The position in the feed.
  /// - Throws: `malformed` if there is no title, or if the item has an episode without a title or with an invalid
  ///   date.
  init(_ item: FeedItem, loaded: LoadedChannel? = nil, number: Int = 0) throws(LoadFailure) {
    let channel = loaded?.channel
    id = item.id
    title = try Self.text(
      item.title ?? channel?.title, en: "The podcast \(id) has no title.",
      de: "Der Podcast \(id) hat keinen Titel.")
    author = item.author ?? channel?.author
    artworkURL = item.artworkURL ?? channel?.artworkURL
    podcastURL = item.podcastURL ?? channel?.podcastURL
    latestEpisode =
      if let episode = item.latestEpisode {
        Episode(
          title: try Self.text(
            episode.title, en: "The latest episode of podcast \(id) has no title.",
            de: "Die neueste Folge des Podcasts \(id) hat keinen Titel."),
          date: try Self.date(episode.date, of: item.id))
      } else {
        channel?.latestEpisode
      }
    self.number = number
    self.loaded = loaded
  }

  private static func text(_ text: Text?, en: Text, de: Text) throws(LoadFailure) -> Text {
    guard let text, !text.trimmed.isEmpty else {
      throw .malformed(Localized(en: en, de: de))
    }
    return text
  }

  private static func date(
    _ text: Text?, of podcast: ResourceID
  ) throws(LoadFailure) -> Timestamp? {
    guard let text else { return nil }
    guard let date = Timestamp(text.string) else {
      throw .malformed(
        Localized(
          en: "The latest episode of podcast \(podcast) has an invalid date.",
          de: "Das Datum der neuesten Folge des Podcasts \(podcast) ist ungültig."))
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
  fileprivate static func malformed(_ message: Localized) -> LoadFailure {
    LoadFailure(code: FeedFault.malformedCode, message: message)
  }
}

/// The podcasts of a listener in the order in which they are shown, and the reason if one cannot be shown.
public struct PodcastFeed: ChildView {
  /// The podcasts without feeds of their own.
  private var podcasts: KeyedSequence<Podcast> = []
  /// The items with feeds of their own, which have what the items lack, in the order of the list.
  private var fed: KeyedSequence<Fed> = []
  /// The items that cannot be shown, in the order of the list.
  private var faults: KeyedSequence<Fault> = []

  private struct Fed: Equatable, Identifiable, Sendable {
    let item: FeedItem
    let number: Int

    var id: ResourceID { item.id }
  }

  private struct Fault: Equatable, Identifiable, Sendable {
    let id: ResourceID
    let number: Int
    let failure: LoadFailure
  }

  public init() {}

  public mutating func put(_ item: Created<FeedItem>) {
    let id = item.resource.id
    guard item.resource.feedURL == nil else {
      podcasts.remove(id: id)
      faults.remove(id: id)
      return fed.insert(Fed(item: item.resource, number: item.number)) { $0.number < $1.number }
    }
    fed.remove(id: id)
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
    fed.remove(id: id)
    faults.remove(id: id)
  }

  /// The addresses of the podcasts' own feeds by the ids of the podcasts; `nil` if none has one.
  var addresses: [ResourceID: Text]? {
    if fed.isEmpty { return nil }
    return fed.reduce(into: [:]) { $0[$1.id] = $1.item.feedURL }
  }

  /// Returns the podcasts. One whose feed was not loaded from the address that it has now is shown if it has a
  /// title of its own.
  ///
  /// - Parameter loaded: What was loaded from the podcasts' own feeds.
  /// - Throws: `malformed` if an item cannot be shown, with the reason of the first one.
  /// - Complexity: O(*n* log *m*), where *n* is the number of podcasts with feeds of their own, and *m* that of all.
  func list(
    _ loaded: [ResourceID: LoadedChannel] = [:]
  ) throws(LoadFailure) -> KeyedSequence<Podcast> {
    if let fault = faults.first { throw fault.failure }
    var list = podcasts
    for entry in fed {
      let found = loaded[entry.id]
      let channel = found?.address == entry.item.feedURL ? found : nil
      if channel == nil, entry.item.title == nil { continue }
      let podcast = try Podcast(entry.item, loaded: channel, number: entry.number)
      list.insert(podcast, by: Podcast.precedes)
    }
    return list
  }
}
