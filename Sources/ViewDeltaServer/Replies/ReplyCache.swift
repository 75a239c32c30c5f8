import MicroHTTP
import Synchronization
import ViewState

/// Encoded replies by what they answer, bounded in memory.
///
/// Two generations stand in for a list of last uses: a reply that is found in the old one moves to
/// the young one, and when the young one is full the old one is dropped. So what is in use stays,
/// a look-up costs one or two hash look-ups, and no more than the limit is ever held. A reply that takes
/// more than half of it is not kept.
final class ReplyCache: Sendable {
  /// What a reply answers. A token names a screen, its key and its content, so two tokens, a form
  /// and a representation say it all.
  struct Key: Hashable, Sendable {
    let form: ReplyForm
    let representation: Representation
    let from: RevisionToken?
    let to: RevisionToken
  }

  fileprivate struct Generations: Sendable {
    var young: [Key: Response] = [:]
    var old: [Key: Response] = [:]
    var youngByteCount = 0
    var oldByteCount = 0
  }

  private let generations = Mutex(Generations())
  private let byteLimit: Int

  /// - Parameter byteLimit: how much is held at most, in bytes, estimated.
  init(byteLimit: Int = 64 * 1024 * 1024) {
    self.byteLimit = byteLimit
  }

  /// The reply under `key`, from `make` where it is not held.
  ///
  /// Two threads may make the same reply at once; one of the two is kept and both return it.
  ///
  /// - Complexity: O(1) expected, beside `make`.
  func reply(for key: Key, _ make: () -> Response) -> Response {
    if let known = generations.withLock({ $0.find(key, limit: byteLimit) }) { return known }
    let made = make()
    return generations.withLock { $0.keep(made, for: key, limit: byteLimit) }
  }
}

extension ReplyCache.Generations {
  fileprivate mutating func find(_ key: ReplyCache.Key, limit: Int) -> Response? {
    if let reply = young[key] { return reply }
    guard let reply = old[key] else { return nil }
    return keep(reply, for: key, limit: limit)
  }

  fileprivate mutating func keep(
    _ reply: Response, for key: ReplyCache.Key, limit: Int
  ) -> Response {
    if let known = young[key] { return known }
    let byteCount = reply.memorySize
    guard byteCount <= limit / 2 else { return reply }
    if youngByteCount + byteCount > limit / 2 {
      FreedMemory.note(oldByteCount)
      old = young
      oldByteCount = youngByteCount
      young = [:]
      youngByteCount = 0
    }
    young[key] = reply
    youngByteCount += byteCount
    return reply
  }
}
