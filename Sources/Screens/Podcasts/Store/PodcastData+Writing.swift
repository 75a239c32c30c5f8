import OrderedCollections

/// Each write is done whole or, where it throws, not at all.
extension PodcastData {
  mutating func insert(
    _ listener: Listener
  ) throws(PodcastStoreError) -> Versioned<Listener> {
    guard accounts[listener.id] == nil else { throw .duplicateID(listener.id) }
    guard accounts.count < limits.listeners else { throw .full }
    let versioned = try take(listener, inPlaceOf: nil)
    accounts[listener.id] = Account(listener: versioned)
    deleted.remove(listener.id)
    nextListener = listener.id.following(nextListener)
    return versioned
  }

  mutating func replace(
    _ listener: Listener, expecting version: Int?
  ) throws(PodcastStoreError) -> Versioned<Listener> {
    let current = try self.listener(listener.id)
    try expect(version, current.version)
    let versioned = try take(listener, inPlaceOf: current.resource)
    accounts[listener.id]?.listener = versioned
    return versioned
  }

  /// Removes a listener together with the feed.
  mutating func removeListener(
    _ id: ResourceID, expecting version: Int?
  ) throws(PodcastStoreError) {
    guard let account = accounts[id] else { throw .unknownListener }
    try expect(version, account.listener.version)
    for podcast in (account.feed ?? [:]).values { ledger.release(podcast.resource) }
    ledger.release(account.listener.resource)
    accounts[id] = nil
    deleted.append(id)
    if deleted.count > limits.deletedListeners { deleted.removeFirst() }
  }

  /// Gives a listener without a feed an empty one.
  mutating func startFeed(of listener: ResourceID) throws(PodcastStoreError) {
    guard let account = accounts[listener] else { throw .unknownListener }
    if account.feed == nil { accounts[listener]?.feed = [:] }
  }

  /// Adds a podcast, with which a feed begins where there was none.
  mutating func insert(
    _ podcast: FeedItem, of listener: ResourceID
  ) throws(PodcastStoreError) -> Versioned<FeedItem> {
    guard let account = accounts[listener] else { throw .unknownListener }
    guard account.feed?[podcast.id] == nil else { throw .duplicateID(podcast.id) }
    guard (account.feed?.count ?? 0) < limits.podcastsPerListener else { throw .full }
    let versioned = try take(podcast, inPlaceOf: nil)
    accounts[listener]?.feed = account.feed ?? [:]
    accounts[listener]?.feed?[podcast.id] = versioned
    nextPodcast = podcast.id.following(nextPodcast)
    return versioned
  }

  mutating func replace(
    _ podcast: FeedItem, of listener: ResourceID, expecting version: Int?
  ) throws(PodcastStoreError) -> Versioned<FeedItem> {
    let current = try self.podcast(podcast.id, of: listener)
    try expect(version, current.version)
    let versioned = try take(podcast, inPlaceOf: current.resource)
    accounts[listener]?.feed?[podcast.id] = versioned
    return versioned
  }

  mutating func removePodcast(
    _ id: ResourceID, of listener: ResourceID, expecting version: Int?
  ) throws(PodcastStoreError) {
    let current = try podcast(id, of: listener)
    try expect(version, current.version)
    ledger.release(current.resource)
    accounts[listener]?.feed?[id] = nil
  }

  /// Makes room for a resource and gives it the next version.
  private mutating func take<Resource: SizedResource & Sendable>(
    _ resource: Resource, inPlaceOf old: Resource?
  ) throws(PodcastStoreError) -> Versioned<Resource> {
    guard let versioned = ledger.take(resource, inPlaceOf: old, limit: limits.byteCount) else {
      throw .full
    }
    return versioned
  }

  private func expect(_ expected: Int?, _ current: Int) throws(PodcastStoreError) {
    if let expected, expected != current { throw .changedMeanwhile }
  }
}
