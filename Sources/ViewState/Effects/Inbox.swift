/// Where stores and loads drop what they have to say to one screen.
public struct Inbox<Action: Sendable>: Sendable {
  private let deliver: @Sendable (Delivery) -> Wake

  enum Delivery: Sendable {
    case action(Action)
    case removal
  }

  init(deliver: @escaping @Sendable (Delivery) -> Wake) {
    self.deliver = deliver
  }

  /// Queues an action. It runs nothing and may be called under a lock; call the returned `Wake`
  /// after the lock is released.
  public func post(_ action: Action) -> Wake {
    deliver(.action(action))
  }

  /// Queues the news that what the screen's key names is gone.
  public func postRemoval() -> Wake {
    deliver(.removal)
  }
}
