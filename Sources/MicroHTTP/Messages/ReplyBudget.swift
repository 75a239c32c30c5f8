import Synchronization

/// The memory of the replies that clients have not taken yet, shared by all engines of a server. A reply counts once,
/// however many connections send it.
///
/// A client that does not read holds its reply until the deadline. Without a limit a thousand of them that ask for a
/// hundred view models each, which no two have in common, would fill the memory of the process.
final class ReplyBudget: Sendable {
  /// The size up to which a reply is not counted, in bytes. It is part of the cost of a connection, so that small
  /// replies are sent even if large ones use up the budget.
  static let uncounted = 32 * 1024

  private struct State {
    var taken = 0
    /// The number of connections that send a reply.
    var senders: [ObjectIdentifier: Int] = [:]
  }

  private let limit: Int
  private let state = Mutex(State())

  /// Creates a budget of `limit` bytes.
  init(limit: Int) {
    self.limit = limit
  }

  /// Counts a connection that is about to send a reply. It must keep the reply, and call ``end(_:)`` once.
  ///
  /// - Parameter isDue: Whether the reply may exceed the limit, because something was done. Such replies have as much
  ///   room again.
  /// - Returns: `false` if there is no room; then nothing is counted.
  func begin(_ response: Response, isDue: Bool) -> Bool {
    guard Self.counts(response) else { return true }
    let id = ObjectIdentifier(response.storage)
    return state.withLock { state in
      if let count = state.senders[id] {
        state.senders[id] = count + 1
        return true
      }
      guard state.taken + response.bodySize <= (isDue ? 2 * limit : limit) else { return false }
      state.taken += response.bodySize
      state.senders[id] = 1
      return true
    }
  }

  /// Notes that a connection has sent a reply, or was closed.
  func end(_ response: Response) {
    guard Self.counts(response) else { return }
    let id = ObjectIdentifier(response.storage)
    state.withLock { state in
      guard let count = state.senders[id] else { return }
      state.senders[id] = count > 1 ? count - 1 : nil
      if count == 1 { state.taken -= response.bodySize }
    }
  }

  /// Whether a reply is counted.
  static func counts(_ response: Response) -> Bool { response.bodySize > uncounted }
}
