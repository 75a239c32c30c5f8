import Synchronization
import ViewState

extension ProfileStore {
  /// Loads a user: after the source's latency, and as its fault script wants it.
  ///
  /// - Parameter deliver: is called once under the store's lock, so that the result takes its place
  ///   among the writes; it may do no more than post.
  func loadUser(
    _ id: ResourceID, deliver: @escaping @Sendable (Result<User, LoadFailure>) -> Wake
  ) -> any Cancellable {
    load(.profile, of: id, deliver: deliver) { $0.user(id)?.resource }
  }

  /// Loads the posts of a user, newest first, in the same way.
  func loadPosts(
    of userID: ResourceID, deliver: @escaping @Sendable (Result<[Post], LoadFailure>) -> Wake
  ) -> any Cancellable {
    load(.posts, of: userID, deliver: deliver) { $0.newestPosts(of: userID) }
  }

  private func load<Value>(
    _ source: ProfileSource, of userID: ResourceID,
    deliver: @escaping @Sendable (Result<Value, LoadFailure>) -> Wake,
    read: @escaping @Sendable (ProfileData) -> Value?
  ) -> any Cancellable {
    let (outcome, latency) = contents.withLock { contents in
      let latency = contents.faults[userID]?[source]?.latency ?? self.latency[source] ?? .zero
      return (contents.faults[userID]?[source]?.next() ?? .succeed, latency)
    }
    // The value is read when the load ends, not when it starts: a write in between is in it.
    return scheduler.schedule(after: latency) { [self] in
      let wake: Wake? = contents.withLock { contents in
        switch outcome {
        case .succeed: deliver(read(contents.data).map(Result.success) ?? .failure(.missing))
        case .fail: deliver(.failure(.unavailable))
        case .hang: nil
        }
      }
      wake?()
    }
  }
}
