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

  /// A log with the same limits that starts with another revision.
  func restarted(with first: Revision) -> RevisionLog { RevisionLog(first: first, limits: limits) }

  /// How many revisions are kept; at least 1.
  public var count: Int { revisions.count }

  /// The revision that the screen shows.
  public var current: Revision { revisions[revisions.count - 1] }

  /// The youngest of the kept revisions, oldest first.
  ///
  /// - Parameters:
  ///   - end: A revision of this history, kept or not; only older ones are given. `nil` for all.
  ///   - limit: How many are given at most.
  /// - Complexity: O(log m + n), where m is the number of kept revisions and n that of revisions given.
  public func kept(before end: RevisionToken?, limit: Int) -> [Revision] {
    let upper = end.map { end in firstIndex { $0.token.number >= end.number } } ?? revisions.count
    return revisions[..<upper].suffix(limit)
  }

  /// Appends a revision and drops what the limits no longer cover.
  ///
  /// - Precondition: It is of this history and newer than the current one.
  /// - Complexity: O(1) amortised.
  public mutating func append(_ revision: Revision) {
    checkNewer(revision)
    revisions.append(revision)
    byteCount += revision.retainedByteCount
    trim(at: revision.publishedAt)
  }

  /// Gives the current revision another name.
  ///
  /// - Precondition: The revision is the current one, renamed.
  /// - Complexity: O(1).
  mutating func rename(_ revision: Revision) {
    checkNewer(revision)
    revisions[revisions.count - 1] = revision
  }

  private func checkNewer(_ revision: Revision) {
    precondition(
      revision.token.epoch == current.token.epoch && revision.token.number > current.token.number,
      "only the engine appends, and numbers its inputs")
  }

  /// Finds the revision of a token.
  ///
  /// - Throws: The reason why there is none. A token of another epoch gets ``ResetReason/epochChanged``.
  /// - Complexity: O(log *n*), where *n* is the number of kept revisions.
  public func revision(_ token: RevisionToken) throws(ResetReason) -> Revision {
    guard token.epoch == current.token.epoch else { throw .epochChanged }
    if token.number > current.token.number { throw .futureRevision }
    let end = firstIndex { $0.shownSince > token.number }
    // A number between the last one of a revision and the next revision was never given.
    guard end > 0, token.number <= revisions[end - 1].token.number else {
      throw .historyExpired
    }
    let revision = revisions[end - 1]
    return revision.token == token ? revision : revision.renamed(token)
  }

  /// The index of the first revision of which a condition holds that holds of all later ones too.
  private func firstIndex(where isReached: (Revision) -> Bool) -> Int {
    var (low, high) = (0, revisions.count)
    while low < high {
      let middle = (low + high) / 2
      if isReached(revisions[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
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

/// The reason why a client's revision cannot be diffed. The text is part of the HTTP contract.
public enum ResetReason: String, Error, Hashable {
  /// The revision is of another run of the server, or of a key that was deleted and created anew.
  case epochChanged = "epoch-changed"
  /// The revision is of another screen or key.
  case otherScreen = "other-screen"
  /// The revision was one of this screen and key, and is no longer kept.
  case historyExpired = "history-expired"
  /// The screen has not reached the revision.
  case futureRevision = "future-revision"
}
