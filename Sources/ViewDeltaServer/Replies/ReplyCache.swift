import MicroHTTP
import Synchronization
import ViewState

/// Keeps encoded replies for the next client that asks for them, bounded in memory.
///
/// There are two generations: a reply that is found in the old one moves to the young one, and when the
/// young one is full, the old one is dropped. So a reply in use stays, a look-up costs one or two hash
/// look-ups, and the generations never take more than the limit. A reply that takes more than half of the limit
/// is not kept.
///
/// A problem is not kept either. Each id that does not exist would add one, under a key that has this id and whose
/// memory is not counted.
///
/// A small reply, of at most 4 KiB, is kept if a second client asks for it while it is one of the 64 latest. Clients
/// that fell behind by different amounts ask for each diff once. To keep all of these costs more than to make them,
/// because each takes new memory, which no processor has in its cache.
final class ReplyCache: Sendable {
  /// The content of a reply in all its representations.
  enum Subject: Hashable, Sendable {
    /// A reply about a view model. A token determines the screen, its key and its content, so two tokens with their
    /// windows and a form determine the reply.
    case view(Form, from: SeenRevision.Name?, to: SeenRevision.Name)
    /// The document at a target, as the write of this number left it.
    case document(target: String, version: Int)
  }

  /// The kind of a reply about a view model.
  enum Form: Hashable, Sendable {
    /// The current snapshot, or a kept one that the client names by its revision, which caches may keep for ever.
    case snapshot(isPinned: Bool)
    /// The change up to the current revision: a diff, or a snapshot if that is smaller and allowed.
    case change(mustBeDiff: Bool)
    /// The fields of all diffs up to the current revision, without a diff.
    case diffFields(Caching, mustBeDiff: Bool)
    /// The diff of two kept revisions that the client names. Caches may keep it for ever.
    case pinnedDiff
    /// The reply if nothing has changed.
    case nothingNew
    case reset(ResetReason)
    /// A page of the history, up to a revision.
    case history(isLast: Bool)
  }

  fileprivate struct Key: Hashable, Sendable {
    let subject: Subject
    let representation: Representation

    /// Hashes only what differs between most keys: each look-up hashes the key once or twice.
    func hash(into hasher: inout Hasher) {
      switch subject {
      case .view(_, let from, let to):
        hasher.combine(from?.token.number)
        // Many windows may lead to one.
        if let window = from?.window { hasher.combine(window) }
        hasher.combine(to.token)
        if let window = to.window { hasher.combine(window) }
      case .document(let target, let version):
        hasher.combine(target)
        hasher.combine(version)
      }
    }
  }

  fileprivate struct Generations: Sendable {
    /// The memory that the replies may take, in bytes, estimated.
    let byteLimit: Int
    var young: [Key: Response] = [:]
    var old: [Key: Response] = [:]
    var youngByteCount = 0
    var oldByteCount = 0
    /// The generation that has just given way, and its size.
    var dropped: (replies: [Key: Response], byteCount: Int)?
    /// The latest small replies, each of which one client has asked for. The hash of a key is the place of its reply,
    /// modulo the number of places.
    var latest = [(key: Key, reply: Response)?](repeating: nil, count: 64)
  }

  private let generations: Mutex<Generations>

  /// Creates an empty cache.
  ///
  /// - Parameter byteLimit: The memory that the replies may take, in bytes, estimated.
  init(byteLimit: Int) {
    generations = Mutex(Generations(byteLimit: byteLimit))
  }

  /// Returns the kept reply on a subject; `nil` if there is none.
  ///
  /// - Complexity: O(1) expected.
  func known(_ subject: Subject, as representation: Representation) -> Response? {
    let key = Key(subject: subject, representation: representation)
    return locked { $0.find(key) }
  }

  /// Returns the reply on a subject, which `make` makes if it is not kept. A compressed reply is made of the
  /// plain one.
  ///
  /// If two threads make the same reply at once, one of the two is kept and both return it.
  ///
  /// - Complexity: O(1) expected, and that of `make`.
  func reply(
    on subject: Subject, as representation: Representation, _ make: (DocumentFormat) -> Response
  ) -> Response {
    let key = Key(subject: subject, representation: representation)
    if let known = locked({ $0.find(key) }) { return known }
    var made: Response
    if representation.coding == .identity {
      made = make(representation.format)
    } else {
      let plain = representation.plain
      // The same client may have asked for it before, to know its size.
      let known = locked { $0.look(Key(subject: subject, representation: plain)) }
      made = known ?? reply(on: subject, as: plain, make)
    }
    if made.problem != nil { return made }
    made = made.coded(representation.coding)
    // A reply that gives way is freed after the lock.
    return locked { $0.add(made, for: key) }.reply
  }

  /// Runs a part of a look-up under the lock, and lets go of a generation that gives way to it.
  private func locked<Result>(_ body: (inout Generations) -> Result) -> Result {
    let (result, dropped) = generations.withLock { (body(&$0), $0.dropped.take()) }
    if let dropped {
      // To free thousands of replies takes many milliseconds, for which no client should wait.
      Task { withExtendedLifetime(dropped) { FreedMemory.note($0.byteCount) } }
    }
    return result
  }
}

extension ReplyCache.Generations {
  /// Returns the reply of a key, and keeps one that was not kept before.
  fileprivate mutating func find(_ key: ReplyCache.Key) -> Response? {
    if let reply = young[key] { return reply }
    if let reply = old[key] { return keep(reply, for: key) }
    let place = place(of: key)
    guard let (known, reply) = latest[place], known == key else { return nil }
    latest[place] = nil
    return keep(reply, for: key)
  }

  /// Returns the reply of a key, and leaves it where it is.
  fileprivate func look(_ key: ReplyCache.Key) -> Response? {
    if let reply = young[key] ?? old[key] { return reply }
    return latest[place(of: key)].flatMap { $0.key == key ? $0.reply : nil }
  }

  /// Adds a reply to the latest if it is small, or else keeps it.
  ///
  /// - Returns: The reply for all who ask, which another thread may have added before, and the reply that gives way.
  fileprivate mutating func add(
    _ reply: Response, for key: ReplyCache.Key
  ) -> (reply: Response, gone: Response?) {
    guard reply.bodySize <= ViewReplies.smallDocument, reply.memorySize <= byteLimit / 2 else {
      return (keep(reply, for: key), nil)
    }
    if let known = find(key) { return (known, nil) }
    let place = place(of: key)
    let gone = latest[place]?.reply
    latest[place] = (key, reply)
    return (reply, gone)
  }

  /// Returns the place of a key among the latest replies.
  private func place(of key: ReplyCache.Key) -> Int {
    Int(UInt(bitPattern: key.hashValue) % UInt(latest.count))
  }

  private mutating func keep(_ reply: Response, for key: ReplyCache.Key) -> Response {
    let byteCount = reply.memorySize
    guard byteCount <= byteLimit / 2 else { return reply }
    if youngByteCount + byteCount > byteLimit / 2, young[key] == nil {
      dropped = (old, oldByteCount)
      old = young
      oldByteCount = youngByteCount
      young = [:]
      youngByteCount = 0
    }
    // Mostly none is kept, so it is not asked for first.
    if let known = young.updateValue(reply, forKey: key) {
      young[key] = known
      return known
    }
    youngByteCount += byteCount
    return reply
  }
}
