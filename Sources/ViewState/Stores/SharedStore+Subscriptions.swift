import Synchronization

extension SharedStore {
  /// Has every later change of a part of the value put into the inbox, in the same turn as the
  /// write, and its removal.
  ///
  /// - Parameters:
  ///   - shown: the part as the screen shows it.
  ///   - part: the part in a value; `nil` where it is not there (any more). Pure, and O(1) if it
  ///     can be: it is asked after each write.
  /// - Returns: `nil` where `shown` is not what the part is now.
  /// - Precondition: the screen of the inbox has the owner of this store.
  public func subscribe<Part: Equatable & Sendable, Action>(
    showing shown: Part, _ part: @escaping @Sendable (Value) -> Part?, into inbox: Inbox<Action>,
    as action: @escaping @Sendable (Part) -> Action
  ) -> (any Cancellable)? {
    precondition(inbox.owner === owner, "a screen has the owner of the store that it shows")
    let subscriber: Subscriber = { old, new, turn in
      guard let changed = part(new) else { return inbox.deliver(.removal, in: turn) }
      if part(old) != changed { inbox.deliver(.action(action(changed)), in: turn) }
    }
    // The part is compared without a lock, and counts only if no write came meanwhile.
    while true {
      let (value, version) = contents.withLock { ($0.value, $0.version) }
      guard part(value) == shown else { return nil }
      if let subscription = subscribe(subscriber, at: version) { return subscription }
    }
  }

  /// At the gate, so that a write which is about to be shown either has told the subscriber or
  /// notices that it must.
  private func subscribe(_ subscriber: @escaping Subscriber, at version: Int) -> Subscription? {
    owner.atGate {
      contents.withLock { contents in
        guard contents.version == version else { return nil }
        let number = contents.nextSubscriber
        contents.nextSubscriber += 1
        contents.subscribers[number] = subscriber
        return Subscription(store: self, number: number)
      }
    }
  }

  private struct Subscription: Cancellable {
    let store: SharedStore
    let number: Int

    func cancel() {
      store.contents.withLock { $0.subscribers[number] = nil }
    }
  }
}
