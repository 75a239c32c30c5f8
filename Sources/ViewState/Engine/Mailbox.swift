import DequeModule
import Synchronization

/// A queue of messages that are handled one at a time, in the order of `post`, on the threads that call
/// `drain`.
///
/// ```swift
/// let mailbox = Mailbox<Int>()
/// mailbox.post(1)
/// mailbox.drain { print($0) }  // 1
/// ```
///
/// An actor would handle one message at a time too, but not in the order in which two senders send them.
/// Another lock may be held during `post`, but not during `drain`.
final class Mailbox<Message: Sendable>: Sendable {
  fileprivate struct Contents {
    var messages: Deque<Message> = []
    var isDraining = false
  }

  private let contents = Mutex(Contents())

  /// The number of messages that wait.
  var count: Int { contents.withLock { $0.messages.count } }

  /// Appends a message. The caller releases its locks and then calls `drain`.
  ///
  /// - Complexity: O(1) amortised.
  func post(_ message: Message) {
    contents.withLock { $0.messages.append(message) }
  }

  /// Passes each message to `handle`, in order and one at a time, until the queue is empty.
  ///
  /// Returns at once if another thread is draining the queue, or if `handle` calls it: the call that is
  /// draining already handles all messages.
  ///
  /// - Parameters:
  ///   - limit: The largest number of messages to handle, so that a thread comes back although others
  ///     keep the queue full.
  ///   - isDue: Returns whether to handle a message; the first one that is not stays, with all behind it.
  /// - Returns: Whether messages are left, which the caller must have drained.
  @discardableResult
  func drain(
    atMost limit: Int = .max, while isDue: (Message) -> Bool = { _ in true },
    _ handle: (Message) -> Void
  ) -> Bool {
    guard contents.withLock({ $0.begin() }) else { return false }
    for _ in 0..<limit {
      let (message, isLeft) = contents.withLock { ($0.next(if: isDue), !$0.messages.isEmpty) }
      guard let message else { return isLeft }
      handle(message)
    }
    return contents.withLock { $0.pause() }
  }

  /// Passes the next messages to `handle`, all at once.
  ///
  /// - Parameter limit: The largest number of messages to handle.
  /// - Returns: Whether messages are left, which the caller must have drained; `false` if another thread is draining
  ///   the queue.
  func drainBatch(atMost limit: Int, _ handle: ([Message]) -> Void) -> Bool {
    guard contents.withLock({ $0.begin() }) else { return false }
    let batch = contents.withLock { $0.next(atMost: limit) }
    if !batch.isEmpty { handle(batch) }
    return contents.withLock { $0.pause() }
  }

  /// Removes and returns all messages that wait, also while another thread drains the queue.
  func removeAll() -> [Message] { contents.withLock { $0.next(atMost: .max) } }
}

extension Mailbox.Contents {
  fileprivate mutating func begin() -> Bool {
    guard !isDraining else { return false }
    isDraining = true
    return true
  }

  /// Ends the draining for now.
  ///
  /// - Returns: Whether there are messages left.
  fileprivate mutating func pause() -> Bool {
    isDraining = false
    return !messages.isEmpty
  }

  /// Removes and returns the next messages.
  fileprivate mutating func next(atMost limit: Int) -> [Message] {
    let batch = Array(messages.prefix(limit))
    messages.removeFirst(batch.count)
    return batch
  }

  /// Removes and returns the next message. If there is none that is due, the draining ends under the same lock, so that
  /// no message is left behind.
  fileprivate mutating func next(if isDue: (Message) -> Bool) -> Message? {
    isDraining = messages.first.map(isDue) ?? false
    return isDraining ? messages.popFirst() : nil
  }
}
