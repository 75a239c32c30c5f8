/// Every write returns once the screens that show what it changed have published it, so that
/// whoever was told of the write also sees it.
extension PodcastStore {
  /// Creates a listener, who has no feed yet; `make` is given the id to use where the caller has
  /// none of its own.
  public func createListener(
    _ make: (ResourceID) throws -> Listener
  ) async throws -> Versioned<Listener> {
    try await base.create(make, assigned: \.nextListenerID) {
      listener throws(PodcastStoreError) in
      try await base.write { data throws(PodcastStoreError) in
        (try data.insert(listener), listener.id, [])
      }
    }
  }

  /// Puts the listener in the place of the one with the same id.
  ///
  /// - Parameter version: where it is given, only if the present one is of this version.
  public func replace(
    _ listener: Listener, expecting version: Int?
  ) async throws(PodcastStoreError) -> Versioned<Listener> {
    try await base.write { data throws(PodcastStoreError) in
      (try data.replace(listener, expecting: version), listener.id, [.listener(listener)])
    }
  }

  /// Deletes a listener with the feed.
  public func deleteListener(
    _ id: ResourceID, expecting version: Int?
  ) async throws(PodcastStoreError) {
    try await base.write { data throws(PodcastStoreError) in
      (try data.removeListener(id, expecting: version), id, [.removed])
    }
  }

  /// Has a listener follow a podcast; `make` is given the id to use where the caller has none of
  /// its own.
  public func createPodcast(
    of listener: ResourceID, _ make: (ResourceID) throws -> FeedItem
  ) async throws -> Versioned<FeedItem> {
    try await base.create(make, assigned: \.nextPodcastID) { podcast throws(PodcastStoreError) in
      try await writeFeed(of: listener) { data throws(PodcastStoreError) in
        try data.insert(podcast, of: listener)
      }
    }
  }

  /// Puts the podcast in the place of the one with its id.
  public func replace(
    _ podcast: FeedItem, of listener: ResourceID, expecting version: Int?
  ) async throws(PodcastStoreError) -> Versioned<FeedItem> {
    try await writeFeed(of: listener) { data throws(PodcastStoreError) in
      try data.replace(podcast, of: listener, expecting: version)
    }
  }

  /// Has a listener follow a podcast no longer.
  public func deletePodcast(
    _ id: ResourceID, of listener: ResourceID, expecting version: Int?
  ) async throws(PodcastStoreError) {
    try await writeFeed(of: listener) { data throws(PodcastStoreError) in
      try data.removePodcast(id, of: listener, expecting: version)
    }
  }

  private func writeFeed<Value: Sendable>(
    of listener: ResourceID, _ change: (inout PodcastData) throws(PodcastStoreError) -> Value
  ) async throws(PodcastStoreError) -> Value {
    try await base.write { data throws(PodcastStoreError) in
      let value = try change(&data)
      return (value, listener, [.feed(data.feed(of: listener) ?? [])])
    }
  }
}
