import DequeModule

/// The instances that no input has touched, kept for the next reader.
///
/// They stand in a queue. One that was read since it was queued gets a second chance when its turn
/// comes, so that reading costs no more than a note of the time. A value without clock or lock.
struct UntouchedScreens: Sendable {
  /// Who was not read for so long goes; at the latest after twice the time.
  static let lifetime = Duration.seconds(60)

  private struct Entry: Sendable {
    let screen: any KeptScreen
    let byteCount: Int
    var lastRead: Duration
  }

  private var entries: [ObjectIdentifier: Entry] = [:]
  private var queue: Deque<(id: ObjectIdentifier, since: Duration)> = []
  /// What all of them take, in bytes, estimated.
  private(set) var byteCount = 0

  /// When the next one may have to go; `nil` if there is none.
  var nextTurn: Duration? { queue.first.map { $0.since + Self.lifetime } }

  /// Notes that an instance was read.
  ///
  /// - Complexity: O(1) expected.
  mutating func wasRead(_ screen: any KeptScreen, at now: Duration) {
    let id = ObjectIdentifier(screen)
    if (entries[id]?.lastRead = now) != nil { return }
    let entry = Entry(screen: screen, byteCount: screen.byteCount, lastRead: now)
    entries[id] = entry
    queue.append((id, now))
    byteCount += entry.byteCount
  }

  /// Removes an instance, if it is there.
  ///
  /// - Complexity: O(1) expected.
  mutating func remove(_ id: ObjectIdentifier) {
    if let entry = entries.removeValue(forKey: id) { byteCount -= entry.byteCount }
    // Otherwise its place in the queue is skipped when it is its turn.
    if entries.isEmpty { (entries, queue) = ([:], []) }
  }

  /// Takes out the instances that were not read for the lifetime. While all together take more than the
  /// limit, takes out those that were not read for the longest time, but never the last one: a list that
  /// is larger than the limit would be made anew by each read, and would have no history. A limit of 0
  /// keeps none.
  ///
  /// - Complexity: O(1) expected, amortised over the calls of `wasRead`.
  mutating func takeUnread(at now: Duration, limit: Int) -> [any KeptScreen] {
    var taken: [any KeptScreen] = []
    while let (id, since) = queue.first,
      now - since >= Self.lifetime || byteCount > limit && (entries.count > 1 || limit == 0)
    {
      queue.removeFirst()
      guard let entry = entries[id] else { continue }
      if entry.lastRead > since {
        queue.append((id, entry.lastRead))
      } else {
        taken.append(entry.screen)
        remove(id)
      }
    }
    return taken
  }
}
