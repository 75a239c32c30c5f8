import ViewState

extension ProfileStore {
  /// Loads a user.
  ///
  /// - Parameter deliver: is called once under the store's lock; it may do no more than post.
  func loadUser(
    _ id: ResourceID, deliver: @escaping @Sendable (Result<User, LoadFailure>) -> Wake
  ) -> any Cancellable {
    base.load(.profile, of: id, deliver: deliver) { data in
      Loadable.loaded(data.user(id)?.resource).unwrap()
    }
  }

  /// Loads the posts of a user, newest first, in the same way.
  func loadPosts(
    of userID: ResourceID, deliver: @escaping @Sendable (Result<[Post], LoadFailure>) -> Wake
  ) -> any Cancellable {
    base.load(.posts, of: userID, deliver: deliver) { data in
      Loadable.loaded(data.newestPosts(of: userID)).unwrap()
    }
  }
}
