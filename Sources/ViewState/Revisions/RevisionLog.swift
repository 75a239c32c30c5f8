import DequeModule
import Snapshots

/// The last revisions of a view model, oldest first, and at least one.
///
/// The value has no clock and no lock: its owner guards it, and revisions have times.
struct RevisionLog: Sendable {
  private var revisions: Deque<Revision>
  /// The estimated memory of the revisions before the current one, in bytes.
  private(set) var byteCount = 0
  private let limits: RevisionLogLimits

  /// Creates a log with one revision.
  init(first: Revision, limits: RevisionLogLimits = RevisionLogLimits()) {
    revisions = [first]
    self.limits = limits
  }

  /// Returns a log with one revision and the same limits.
  func restarted(with first: Revision) -> RevisionLog { RevisionLog(first: first, limits: limits) }

  /// The oldest revision.
  var first: Revision { revisions[0] }

  /// The number of kept revisions, at least 1.
  var count: Int { revisions.count }

  /// The newest revision.
  var current: Revision { revisions[revisions.count - 1] }

  /// Whether the log keeps revisions before the current one however old they become.
  var keepsOldRevisions: Bool { count > 1 && limits.count > 1 }

  /// Returns the newest kept revisions before another one, oldest first.
  ///
  /// - Parameters:
  ///   - end: A revision of this history, kept or not; `nil` for the end of the history.
  ///   - limit: The largest number of revisions to return.
  /// - Complexity: O(log *m* + *n*), where *m* is the number of kept revisions and *n* the number of returned
  ///   revisions.
  func kept(before end: RevisionToken?, limit: Int) -> [Revision] {
    let upper =
      end.map { end in revisions.partitioningIndex { $0.token.number >= end.number } }
      ?? revisions.count
    return revisions[..<upper].suffix(limit)
  }

  /// Appends a revision, and drops the oldest ones that the limits no longer cover.
  ///
  /// - Parameter unmadeLimit: The number of revisions at the end, this one included, whose view models may wait for a
  ///   reader. The log drops the oldest of more, but never its first revision: a client may have read it before the
  ///   instance came to rest.
  /// - Returns: The dropped revisions.
  /// - Precondition: The revision is of this history and newer than the current one. It may have another epoch.
  /// - Complexity: O(1) amortised without a limit, else O(*n*), where *n* is the number of view models that wait.
  @discardableResult
  mutating func append(
    _ revision: Revision, unmadeLimit: Int = .max
  ) -> [Revision] {
    checkNewer(revision)
    current.forgetChanges()
    var dropped: [Revision] = []
    if unmadeLimit < count {
      let oldest = (revisions.lastIndex { $0.isMade } ?? 0) + 1
      while count - oldest >= unmadeLimit { dropped.append(revisions.remove(at: oldest)) }
      byteCount -= dropped.reduce(0) { $0 + $1.retainedByteCount }
    }
    revisions.append(revision)
    byteCount += revision.retainedByteCount
    return dropped + trim(at: revision.publishedAt)
  }

  /// Replaces the current revision.
  ///
  /// - Precondition: The new one is the current revision with a newer token.
  /// - Complexity: O(1).
  mutating func rename(_ revision: Revision) {
    checkNewer(revision)
    revisions[revisions.count - 1] = revision
  }

  private func checkNewer(_ revision: Revision) {
    precondition(
      revision.token.number > current.token.number,
      "the engine appends revisions in the order of its inputs")
  }

  /// Finds the revision of a token.
  ///
  /// - Throws: The reason why there is none.
  /// - Complexity: O(log *n*), where *n* is the number of kept revisions.
  func revision(_ token: RevisionToken) throws(ResetReason) -> Revision {
    // With another epoch than that of the revision, a number was given before a session was forgotten.
    if token.number > current.token.number {
      throw token.epoch == current.token.epoch ? .futureRevision : .historyExpired
    }
    let end = revisions.partitioningIndex { $0.shownSince > token.number }
    // A number between the last one of a revision and the next revision was never given.
    guard end > 0, token.number <= revisions[end - 1].token.number,
      token.epoch == revisions[end - 1].token.epoch
    else { throw .historyExpired }
    let revision = revisions[end - 1]
    return revision.token == token ? revision : revision.renamed(token)
  }

  /// Replaces the first revision by those that lead to it.
  ///
  /// - Parameter leading: Revisions of this history, oldest first, of which the last one shows what the first of this
  ///   log shows.
  /// - Complexity: O(*n*), where *n* is the number of revisions.
  mutating func recall(_ leading: [Revision]) {
    guard let last = leading.last else { return }
    let token = revisions[0].token
    revisions[0] = last.token == token ? last : last.renamed(token)
    revisions.prepend(contentsOf: leading.dropLast())
    for revision in revisions.dropLast() { revision.forgetChanges() }
    byteCount += leading.dropFirst().reduce(0) { $0 + $1.retainedByteCount }
    _ = cut(to: limits.byteCount)
  }

  /// Drops the oldest revisions until those before the current one take at most this many bytes.
  ///
  /// - Returns: The dropped revisions.
  mutating func cut(to byteCount: Int) -> [Revision] {
    var dropped: [Revision] = []
    while revisions.count > 1 && self.byteCount > byteCount { dropped.append(dropOldest()) }
    return dropped
  }

  private mutating func trim(at now: Duration) -> [Revision] {
    var dropped: [Revision] = []
    while revisions.count > 1 {
      let oldest = revisions[0]
      let isCovered =
        revisions.count <= limits.count || now - oldest.publishedAt < limits.age
      if isCovered && byteCount <= limits.byteCount { break }
      dropped.append(dropOldest())
    }
    return dropped
  }

  private mutating func dropOldest() -> Revision {
    defer { byteCount -= revisions[0].retainedByteCount }
    return revisions.removeFirst()
  }
}

/// The limits of the histories of view models.
///
/// A client whose revision is no longer kept gets a reset with the reason `history-expired`.
public struct RevisionLogLimits: Hashable, Sendable {
  /// The number of revisions that a history keeps, however old they are.
  public var count: Int
  /// The age up to which a history keeps revisions, however many there are.
  public var age: Duration
  /// The largest size of the older revisions of a history, in bytes, estimated. Beyond it, the oldest revisions are
  /// dropped, in spite of `count` and `age`.
  ///
  /// Revisions share their common rows, which count once, and not at all if the current revision has them.
  public var byteCount: Int
  /// The largest size of the older revisions of all histories together, in bytes, estimated in the same way.
  /// Beyond it, the oldest revisions of the largest histories are dropped.
  public var totalByteCount: Int

  /// Creates limits, by default 128 revisions, 10 minutes, 64 MiB for each history and 256 MiB for all.
  ///
  /// - Precondition: `count` is at least 1, and no size is negative.
  public init(
    count: Int = 128, age: Duration = .seconds(600), byteCount: Int = 64 * 1024 * 1024,
    totalByteCount: Int = 256 * 1024 * 1024
  ) {
    precondition(
      count >= 1 && byteCount >= 0 && totalByteCount >= 0,
      "a history keeps at least its current revision")
    self.count = count
    self.age = age
    self.byteCount = byteCount
    self.totalByteCount = totalByteCount
  }
}

/// The reason why a client's revision cannot be diffed. The text is part of the HTTP contract.
package enum ResetReason: String, Error, Hashable {
  /// The revision is of another history of the view model: of a run without the same journal, of another build, or of
  /// the key before it was deleted and created again.
  case epochChanged = "epoch-changed"
  /// The revision is of another instance.
  case otherInstance = "other-screen"
  /// The revision was one of this instance, and is no longer kept.
  case historyExpired = "history-expired"
  /// The instance has not reached the revision.
  case futureRevision = "future-revision"
}
