public import CanonicalJSON
public import ViewState

/// The source of the podcasts screen.
public enum PodcastsSource: Text, CaseIterable, Codable, CodingKeyRepresentable, Sendable {
  case podcasts
}

/// The accounts of the podcasts screen: listeners with the podcasts that they follow, their feed.
public enum PodcastSchema: AccountSchema {
  public typealias Holder = Listener
  public typealias Entry = FeedItem
  public typealias Source = PodcastsSource

  /// What the store may turn out not to have.
  public enum Missing: Codable, Hashable, Sendable {
    case listener
    case podcast
    /// The listener has no feed yet: not even an empty one.
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

  /// A feed stays in the order of writing; how it is shown depends on what can be read of it.
  public static func precedes(
    _ left: WrittenEntry<FeedItem>, _ right: WrittenEntry<FeedItem>
  ) -> Bool {
    left.created < right.created
  }

  public static func holder(
    _ reader: JSONReader, assigned: ResourceID
  ) throws(JSONShapeError) -> Listener {
    try Listener(reader, assigned: assigned)
  }

  public static func entry(
    _ reader: JSONReader, assigned: ResourceID, of listener: ResourceID
  ) throws(JSONShapeError) -> FeedItem {
    try FeedItem(reader, assigned: assigned)
  }

  public static func entry(
    _ reader: JSONReader, replacing current: FeedItem
  ) throws(JSONShapeError) -> FeedItem {
    try FeedItem(reader, assigned: current.id)
  }
}

/// The listeners and the feeds that they follow, as a value.
public typealias PodcastData = AccountData<PodcastSchema>

/// The listeners and their podcasts in memory.
public typealias PodcastStore = AccountStore<PodcastSchema>
