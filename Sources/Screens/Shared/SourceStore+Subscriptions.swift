import Synchronization
import ViewState

extension SourceStore {
  /// Tells `subscriber` of every later write to what belongs to the key, in the order of the
  /// writes.
  ///
  /// - Parameter isCurrent: whether what the subscriber knows is what there is.
  /// - Returns: `nil` where it is not, or the key names nothing.
  func subscribe(
    to key: ResourceID, where isCurrent: (Resources) -> Bool = { _ in true },
    _ subscriber: @escaping Subscriber
  ) -> (any Cancellable)? {
    contents.withLock { contents in
      guard contents.resources.contains(key), isCurrent(contents.resources) else { return nil }
      let number = contents.nextSubscriber
      contents.nextSubscriber += 1
      contents.subscribers[key, default: [:]][number] = subscriber
      return Subscription(store: self, key: key, number: number)
    }
  }

  private struct Subscription: Cancellable {
    let store: SourceStore
    let key: ResourceID
    let number: Int

    func cancel() {
      store.contents.withLock { contents in
        contents.subscribers[key]?[number] = nil
        if contents.subscribers[key]?.isEmpty == true { contents.subscribers[key] = nil }
      }
    }
  }
}
