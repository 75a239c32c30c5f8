import OrderedCollections

/// The listeners and the feeds that they follow, as a value: every rule that a write must hold,
/// without locks, time or observers.
///
/// Ids of listeners are unique, and ids of podcasts are among those of one listener.
public struct PodcastData: Sendable {
  var accounts: OrderedDictionary<ResourceID, Account> = [:]
  /// The ids of listeners deleted last, oldest first.
  var deleted: OrderedSet<ResourceID> = []
  /// The writes so far, and the size of all texts.
  var ledger = WriteLedger()
  /// The ids that come next.
  var (nextListener, nextPodcast) = (1, 1)
  let limits: PodcastStoreLimits

  /// A listener with the podcasts, in the order in which they were written.
  struct Account: Sendable {
    var listener: Versioned<Listener>
    /// `nil` until the first podcast is followed.
    var feed: OrderedDictionary<ResourceID, Versioned<FeedItem>>?
  }

  /// Nobody and nothing yet.
  public init(limits: PodcastStoreLimits = PodcastStoreLimits()) {
    self.limits = limits
  }
}

extension PodcastData {
  /// All listeners, in the order in which they were written.
  var listeners: [Listener] { accounts.values.map(\.listener.resource) }

  func listener(_ id: ResourceID) throws(PodcastStoreError) -> Versioned<Listener> {
    guard let listener = accounts[id]?.listener else { throw .unknownListener }
    return listener
  }

  /// What a listener follows, in the order of writing; `nil` where there is no such feed.
  func feed(of listener: ResourceID) -> [FeedItem]? {
    accounts[listener]?.feed?.values.map(\.resource)
  }

  /// What a listener follows.
  func podcasts(of listener: ResourceID) throws(PodcastStoreError) -> [FeedItem] {
    _ = try self.listener(listener)
    guard let feed = feed(of: listener) else { throw .missingFeed }
    return feed
  }

  func podcast(
    _ id: ResourceID, of listener: ResourceID
  ) throws(PodcastStoreError) -> Versioned<FeedItem> {
    guard let account = accounts[listener] else { throw .unknownListener }
    guard let podcast = account.feed?[id] else { throw .unknownPodcast }
    return podcast
  }

  /// The id that a new listener gets: the least whole number above all that were in use.
  var nextListenerID: ResourceID { ResourceID(nextListener) }
  /// The id that a new podcast gets.
  var nextPodcastID: ResourceID { ResourceID(nextPodcast) }
}

extension PodcastData: SourceResources {
  typealias Failure = PodcastStoreError

  func contains(_ key: ResourceID) -> Bool { accounts[key] != nil }

  func isDeleted(_ key: ResourceID) -> Bool { deleted.contains(key) }
}

extension PodcastStoreError: SourceResourcesError {
  static var unknownKey: PodcastStoreError { .unknownListener }
}
