import DequeModule

/// The last revisions of one screen, oldest first; never empty.
///
/// A value without clock or lock: its owner passes the time in and guards it.
public struct RevisionLog: Sendable {
  private var revisions: Deque<Revision>
  /// What the revisions before the current one cost, in bytes, estimated.
  private(set) var byteCount = 0
  private let limits: RevisionLogLimits

  /// A log that starts with `first`.
  public init(first: Revision, limits: RevisionLogLimits = RevisionLogLimits()) {
    revisions = [first]
    self.limits = limits
  }

  /// The revision that the screen shows.
  public var current: Revision { revisions[revisions.count - 1] }

  /// The youngest of the kept revisions, oldest first.
  ///
  /// - Parameters:
  ///   - end: A revision of this history, kept or not; only older ones are given. `nil` for all.
  ///   - limit: How many are given at most.
  /// - Complexity: O(n), where n is the number of revisions given.
  public func kept(before end: RevisionToken?, limit: Int) -> [Revision] {
    let count = end.map { min(max($0.number - revisions[0].token.number, 0), revisions.count) }
    let upper = count ?? revisions.count
    return revisions[..<upper].suffix(limit)
  }

  /// Appends the successor of the revision `expected` and drops what the limits no longer cover.
  ///
  /// - Returns: whether it was appended: not where `expected` is not the current revision, because
  ///   somebody else has appended since, nor where `revision` does not follow it.
  /// - Complexity: O(1) amortised.
  public mutating func append(_ revision: Revision, after expected: RevisionToken) -> Bool {
    guard current.token == expected, revision.token == expected.next else { return false }
    revisions.append(revision)
    byteCount += revision.retainedByteCount
    trim(at: revision.publishedAt)
    return true
  }

  /// Finds the revision a client names.
  ///
  /// - Complexity: O(1).
  public func lookup(_ token: RevisionToken) -> RevisionLookup {
    guard token.epoch == current.token.epoch else { return .foreign }
    let oldest = revisions[0].token.number
    if token.number < oldest { return .expired }
    if token.number > current.token.number { return .future }
    return .kept(revisions[token.number - oldest])
  }

  /// Drops the oldest revisions until the others cost no more than this; never the current one.
  ///
  /// - Returns: what was dropped.
  mutating func cut(to byteCount: Int) -> [Revision] {
    var dropped: [Revision] = []
    while revisions.count > 1 && self.byteCount > byteCount { dropped.append(dropOldest()) }
    return dropped
  }

  private mutating func trim(at now: Duration) {
    while revisions.count > 1 {
      let oldest = revisions[0]
      let isCovered =
        revisions.count <= limits.count || now - oldest.publishedAt < limits.age
      if isCovered && byteCount <= limits.byteCount { return }
      _ = dropOldest()
    }
  }

  private mutating func dropOldest() -> Revision {
    defer { byteCount -= revisions[0].retainedByteCount }
    return revisions.removeFirst()
  }
}
