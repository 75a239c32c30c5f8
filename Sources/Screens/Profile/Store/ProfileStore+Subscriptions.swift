import Synchronization
import ViewState

extension ProfileStore {
  /// Tells `subscriber` of every later write to the user or the posts, in the order of the writes.
  ///
  /// The subscriber is called under the store's lock: it may do no more than post.
  ///
  /// - Returns: `nil` where there is no such user.
  func subscribe(
    toUser id: ResourceID, _ subscriber: @escaping Subscriber
  ) -> (any Cancellable)? {
    contents.withLock { contents in
      guard contents.data.user(id) != nil else { return nil }
      let number = contents.nextSubscriber
      contents.nextSubscriber += 1
      contents.subscribers[id, default: [:]][number] = subscriber
      return Subscription(store: self, userID: id, number: number)
    }
  }

  private struct Subscription: Cancellable {
    let store: ProfileStore
    let userID: ResourceID
    let number: Int

    func cancel() {
      store.contents.withLock { $0.subscribers[userID]?[number] = nil }
    }
  }
}
