import DequeModule
import Synchronization

/// A queue with at most one reader at a time, which makes whoever reads it a serial owner without
/// a thread or an actor of its own.
///
/// An actor would serialise as well, but it promises no order between two senders. Here the order
/// of `post` is the order of handling, and `post` may be called under another lock: a store posts
/// the news of a write under the lock that ordered the write, so that a screen hears of writes and
/// load results in the order in which they happened.
public final class Mailbox<Message: Sendable>: Sendable {
  fileprivate struct Contents {
    var messages: Deque<Message> = []
    var isBeingRead = false
  }

  private let contents = Mutex(Contents())

  /// An empty queue without a reader.
  public init() {}

  /// Appends a message. Runs nothing: the caller lets go of its locks and then calls `drain`.
  ///
  /// - Complexity: O(1) amortised.
  public func post(_ message: Message) {
    contents.withLock { $0.messages.append(message) }
  }

  /// Hands every message to `handle`, in order and one at a time, until there is none left.
  ///
  /// Returns at once where another thread is reading, or where `handle` itself posts and drains:
  /// the reader that is already there takes the message too.
  public func drain(_ handle: (Message) -> Void) {
    guard contents.withLock({ $0.begin() }) else { return }
    while let message = contents.withLock({ $0.next() }) {
      handle(message)
    }
  }
}

extension Mailbox.Contents {
  fileprivate mutating func begin() -> Bool {
    guard !isBeingRead else { return false }
    isBeingRead = true
    return true
  }

  /// The next message; without one, the reader steps down in the same breath, so that no message
  /// can fall between the last look and the step.
  fileprivate mutating func next() -> Message? {
    let message = messages.popFirst()
    if message == nil { isBeingRead = false }
    return message
  }
}
