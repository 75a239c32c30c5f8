/// Where stores and loads drop what they have to say to one screen.
public struct Inbox<Action: Sendable>: Sendable {
  /// Who reads it.
  let owner: SerialOwner
  private let receive: @Sendable (Delivery, Turn) -> Void

  enum Delivery: Sendable {
    case action(Action)
    case removal
  }

  init(owner: SerialOwner, receive: @escaping @Sendable (Delivery, Turn) -> Void) {
    self.owner = owner
    self.receive = receive
  }

  /// Queues an action. It runs nothing and may be called under a lock; call the returned `Wake`
  /// after the lock is released.
  public func post(_ action: Action) -> Wake {
    post(.action(action))
  }

  /// Queues the news that what the screen's key names is gone.
  public func postRemoval() -> Wake {
    post(.removal)
  }

  /// The inbox of a part of the screen: what is put into it is wrapped as an action of the screen.
  public func wrapping<Part>(
    _ wrap: @escaping @Sendable (Part) -> Action
  ) -> Inbox<Part> {
    Inbox<Part>(owner: owner) { [receive] delivery, turn in
      switch delivery {
      case .action(let action): receive(.action(wrap(action)), turn)
      case .removal: receive(.removal, turn)
      }
    }
  }

  /// Has something handled in a turn that is under way.
  func deliver(_ delivery: Delivery, in turn: Turn) {
    receive(delivery, turn)
  }

  private func post(_ delivery: Delivery) -> Wake {
    owner.post { [receive] turn in receive(delivery, turn) }
    return Wake(owner: owner)
  }
}
