import DequeModule

/// The instances that no input has touched, kept for the next reader.
///
/// They are in a queue. An instance that was read after it was queued is queued again when its turn comes, so
/// that a read only notes the time. The value has neither clock nor lock.
struct UntouchedInstances: Sendable {
  /// The time without a read after which an instance is dropped; it may take twice as long.
  static let lifetime = Duration.seconds(60)

  private struct Entry: Sendable {
    let instance: Instance
    let byteCount: Int
    var lastRead: Duration
  }

  private var entries: [ObjectIdentifier: Entry] = [:]
  private var queue: Deque<(id: ObjectIdentifier, since: Duration)> = []
  /// The estimated memory of all instances, in bytes.
  private(set) var byteCount = 0

  /// The time at which the next instance may have to go; `nil` if there is none.
  var nextTurn: Duration? { queue.first.map { $0.since + Self.lifetime } }

  /// Notes that an instance was read.
  ///
  /// - Complexity: O(1) expected.
  mutating func wasRead(_ instance: Instance, at now: Duration) {
    let id = ObjectIdentifier(instance)
    if (entries[id]?.lastRead = now) != nil { return }
    let entry = Entry(instance: instance, byteCount: instance.byteCount, lastRead: now)
    entries[id] = entry
    queue.append((id, now))
    byteCount += entry.byteCount
  }

  /// Removes an instance; does nothing if it is not among these.
  ///
  /// - Complexity: O(1) expected.
  mutating func remove(_ id: ObjectIdentifier) {
    if let entry = entries.removeValue(forKey: id) { byteCount -= entry.byteCount }
    // Otherwise its entry in the queue is skipped when its turn comes.
    if entries.isEmpty { (entries, queue) = ([:], []) }
  }

  /// Removes the instances that were not read for the lifetime. While all together take more than `limit`
  /// bytes, it also removes those that were not read for the longest time, but never the last one: a list
  /// that is larger than the limit would be made again by each read, and would have no history. A limit of
  /// 0 keeps none.
  ///
  /// - Returns: The removed instances.
  ///
  /// - Complexity: O(1) expected, amortised over the calls of `wasRead`.
  mutating func takeUnread(at now: Duration, limit: Int) -> [Instance] {
    var taken: [Instance] = []
    while let (id, since) = queue.first,
      now - since >= Self.lifetime || byteCount > limit && (entries.count > 1 || limit == 0)
    {
      queue.removeFirst()
      guard let entry = entries[id] else { continue }
      if entry.lastRead > since {
        queue.append((id, entry.lastRead))
      } else {
        taken.append(entry.instance)
        remove(id)
      }
    }
    return taken
  }
}
