import DequeModule

/// Instances that are kept in memory, and the order in which it is checked whether something still uses them.
///
/// The value has neither clock nor lock.
struct KeptInstances: Sendable {
  /// The time between two checks of an instance.
  static let interval = Duration.seconds(60)

  private struct Entry: Sendable {
    let instance: Instance
    /// The time of its place in the order.
    var since: Duration
    var byteCount = 0
  }

  private var entries: [ObjectIdentifier: Entry] = [:]
  /// A place that differs from that of the entry is skipped.
  private var order: Deque<(id: ObjectIdentifier, since: Duration)> = []
  /// The estimated memory of all instances without their histories, in bytes.
  private(set) var byteCount = 0

  /// The number of instances.
  var count: Int { entries.count }

  /// The time at which the next instance must be checked; `nil` if none is kept.
  var nextTurn: Duration? { order.first.map { $0.since + Self.interval } }

  /// The instance with an identifier; `nil` if it is not among these.
  subscript(id: ObjectIdentifier) -> Instance? { entries[id]?.instance }

  /// Keeps an instance, whose turn is after that of all others.
  mutating func queue(_ instance: Instance, at now: Duration) {
    let id = ObjectIdentifier(instance)
    if (entries[id]?.since = now) == nil {
      entries[id] = Entry(instance: instance, since: now)
      setByteCount(of: id, to: instance.byteCounts.content)
    }
    order.append((id, now))
  }

  /// Notes the size of an instance; does nothing if it is not among these.
  mutating func setByteCount(of id: ObjectIdentifier, to byteCount: Int) {
    guard let former = entries[id]?.byteCount else { return }
    entries[id]?.byteCount = byteCount
    self.byteCount += byteCount - former
  }

  /// Removes an instance; does nothing if it is not among these.
  mutating func remove(_ id: ObjectIdentifier) {
    byteCount -= entries.removeValue(forKey: id)?.byteCount ?? 0
    if entries.isEmpty { (entries, order) = ([:], []) }
  }

  /// Removes the first place in the order, and returns its instance, which is kept until it is removed.
  ///
  /// - Parameter now: The time at which the turn of the instance must have come; `nil` takes the first one in any case.
  /// - Complexity: O(1) expected, amortised over the calls of `queue`.
  mutating func takeFirst(dueAt now: Duration? = nil) -> Instance? {
    while let (id, since) = order.first, now.map({ $0 - since >= Self.interval }) ?? true {
      order.removeFirst()
      if let entry = entries[id], entry.since == since { return entry.instance }
    }
    return nil
  }
}
