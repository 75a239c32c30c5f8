import ViewState

extension ProfileStore {
  /// Tells `subscriber` of every later write to the user or the posts, in the order of the writes.
  ///
  /// The subscriber is called under the store's lock: it may do no more than post.
  ///
  /// - Returns: `nil` where there is no such user.
  func subscribe(
    toUser id: ResourceID, _ subscriber: @escaping @Sendable (Change) -> Wake
  ) -> (any Cancellable)? {
    base.subscribe(to: id) { subscriber($0) }
  }
}
