public import CanonicalJSON
public import ViewState

/// A person who follows podcasts.
public struct Listener: Hashable, Sendable {
  /// Unique among the listeners, and the key of the listener's screen.
  public let id: ResourceID
  public var name: Text
}

extension Listener: Resource {
  public static let summary = "A person who follows podcasts."

  public static let fields = [
    Field("name", \Listener.name, .text(atMostBytes: JSONReader.longestShownText))
  ]

  public init(id: ResourceID) { self.init(id: id, name: "") }
}

/// The source of the podcasts screen.
public enum PodcastsSource: Text, CaseIterable, Codable, CodingKeyRepresentable, Sendable {
  case podcasts
}

/// The accounts of the podcasts screen: listeners with the podcasts that they follow, their feed.
public enum PodcastSchema: AccountSchema {
  public typealias Holder = Listener
  public typealias Entry = FeedItem
  public typealias Source = PodcastsSource
  public typealias View = PodcastFeed

  /// The kinds of elements that the store may not have.
  public enum Missing: Codable, Hashable, Sendable {
    case listener
    case podcast
    /// The feed of a listener who has not followed any podcast so far.
    case feed
  }

  public static var name: Text { "podcasts" }
  public static var holdersName: Text { "listeners" }
  public static var entriesName: Text { "podcasts" }

  public static var missingHolder: Missing { .listener }
  public static var missingEntry: Missing { .podcast }
  public static var missingEntries: Missing? { .feed }
  public static var hasUniqueEntries: Bool { false }

  public static var limits: AccountLimits {
    AccountLimits(accounts: 10_000, entriesPerAccount: 1_000, byteCount: 64 * 1024 * 1024)
  }

  /// Orders a feed by the first write of each item; its screen has an order of its own.
  public static func precedes(
    _ left: WrittenEntry<FeedItem>, _ right: WrittenEntry<FeedItem>
  ) -> Bool {
    left.created < right.created
  }
}

/// The listeners and their feeds.
public typealias PodcastData = AccountData<PodcastSchema>

/// The listeners and their feeds in memory.
public typealias PodcastStore = AccountStore<PodcastSchema>

extension PodcastData {
  /// Reads an object with the array `listeners`, each with an `id`, a `name` and, if there is a feed,
  /// `podcasts`.
  ///
  /// Unknown members are ignored.
  ///
  /// - Throws: `JSONShapeError` for an invalid element, an id that is used twice, and more than the limits
  ///   allow.
  public init(
    _ file: JSONReader, limits: AccountLimits = PodcastSchema.limits
  ) throws(JSONShapeError) {
    self.init(limits: limits)
    for element in try file.nullableMember("listeners")?.elements() ?? [] {
      let listener = try Listener(element.omitting("podcasts"))
      try element.storing { () throws(Failure) in _ = try insert(listener) }
      guard let feed = try element.nullableMember("podcasts") else { continue }
      try feed.storing { () throws(Failure) in try startEntries(of: listener.id) }
      for item in try feed.elements() {
        let podcast = try FeedItem(item)
        try item.storing { () throws(Failure) in _ = try insert(podcast, of: listener.id) }
      }
    }
  }
}
