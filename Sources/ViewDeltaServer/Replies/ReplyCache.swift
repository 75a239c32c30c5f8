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
  /// What a reply answers, whatever its representation.
  enum Subject: Hashable, Sendable {
    /// What there is to say of a revision. A token names a screen, its key and its content, so two
    /// tokens and a form say it all.
    case view(ReplyForm, from: RevisionToken?, to: RevisionToken)
    /// What stands at a target, as the write of this number made it.
    case document(target: String, version: Int)
  }

  fileprivate struct Key: Hashable, Sendable {
    let subject: Subject
    let representation: Representation
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

  /// The reply on a subject, from `make` where it is not held. A coded one is made of the plain one.
  ///
  /// Two threads may make the same reply at once; one of the two is kept and both return it.
  ///
  /// - Complexity: O(1) expected, beside `make`.
  func reply(
    on subject: Subject, as representation: Representation, _ make: (DocumentFormat) -> Response
  ) -> Response {
    let key = Key(subject: subject, representation: representation)
    if let known = generations.withLock({ $0.find(key, limit: byteLimit) }) { return known }
    let made: Response
    if representation.coding == .identity {
      made = make(representation.format)
    } else {
      let plain = Representation(format: representation.format, coding: .identity)
      made = reply(on: subject, as: plain, make).coded(representation.coding)
    }
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
