import Snapshots
public import ViewState

/// The users and posts in memory.
public typealias ProfileStore = AccountStore<ProfileSchema>

extension ProfileStore {
  /// - Parameters:
  ///   - latency: how long a load of a source takes where no fault script says otherwise; a source
  ///     that is not named takes no time.
  ///   - now: the date that a post gets which is created without one.
  public convenience init(
    data: ProfileData, scheduler: any Scheduler, latency: [ProfileSource: Duration] = [:],
    now: @escaping @Sendable () -> Timestamp = { Timestamp.now() }
  ) {
    self.init(data: data, scheduler: scheduler, latency: latency) { post in
      var post = post
      post.date = post.date ?? now()
      return post
    }
  }

  /// Loads a user.
  ///
  /// - Parameter deliver: is called once under the store's lock; it may do no more than post.
  func loadUser(
    _ id: ResourceID, deliver: @escaping @Sendable (Result<User, LoadFailure>) -> Wake
  ) -> any Cancellable {
    base.load(.profile, of: id, deliver: deliver) { data in
      Loadable.loaded((try? data.holder(id))?.resource).unwrap()
    }
  }

  /// Loads the posts of a user, newest first, in the same way.
  func loadPosts(
    of user: ResourceID,
    deliver: @escaping @Sendable (Result<KeyedSequence<Post>, LoadFailure>) -> Wake
  ) -> any Cancellable {
    base.load(.posts, of: user, deliver: deliver) { data in
      Loadable.loaded(data.entries(of: user)).unwrap()
    }
  }
}
