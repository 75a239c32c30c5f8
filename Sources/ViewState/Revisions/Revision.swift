package import CanonicalJSON
package import Snapshots
import Synchronization

/// A published view model at one moment. It is immutable, so that many threads can read it at once.
package final class Revision: Sendable {
  /// The name of the instance, such as `profile/1`.
  package let instanceName: Text
  /// The token of the revision. An input that changes nothing that clients see gives the revision a newer token.
  package let token: RevisionToken
  /// The number of the first token of this revision, after which clients saw no change.
  let shownSince: Int
  /// The view model, or what makes it.
  private let content: Content
  /// The cause of the revision.
  package let cause: RevisionCause
  /// The arguments of the command that made the revision; `nil` if the command has none, or if no command made it.
  package let arguments: Arguments?
  /// The time of the input that made the revision.
  package let date: Timestamp
  /// The number of revisions of the history up to this one that clients may animate, in this run.
  let animatedCount: Int
  /// The time of its publication on the clock of the scheduler.
  let publishedAt: Duration
  /// The estimated memory of keeping both this revision and the one before, beyond that of one of them, in
  /// bytes: the rows that they do not share, the arguments, and the object; 0 for the first revision.
  let retainedByteCount: Int
  /// The estimated memory of a revision without its snapshot and arguments, in bytes.
  private static let objectByteCount = 256
  /// The number of successive revisions up to this one that were published without their view models.
  let deferredCount: Int
  /// The memory that the last change did not share whose view model was published with it, in bytes.
  let changeByteCount: Int
  /// The number since which clients saw the revision before; `nil` if there was none.
  private let previousShownSince: Int?
  private let changes = Mutex(Changes())

  /// The changes since the revision before, which are made if a reader asks for them.
  private struct Changes: Sendable {
    /// Kept for those who wait for this revision, unless they are many.
    var latest: Changeset?
    /// Whether this revision is the current one.
    var isLatest = true
    /// The size of the diff without the names of its two revisions.
    var namelessSize: DiffSize?
  }

  /// The size of a diff: its operations on rows and sections, and its bytes.
  package struct DiffSize: Hashable, Sendable {
    /// The number of operations on rows and sections.
    package let operationCount: Int
    /// The size of the encoded diff, in bytes.
    package fileprivate(set) var byteCount: Int

    /// That of the first revision.
    package static let zero = DiffSize(operationCount: 0, byteCount: 0)
  }

  /// The largest number of operations that a revision keeps for its readers.
  static let keptOperationLimit = 1_000

  private let knownContentHash = Mutex<ContentHash?>(nil)

  /// Returns the hash of the content, which is computed by the first call.
  ///
  /// - Parameter budget: The number of bytes that may still be hashed. A call that computes the hash
  ///   subtracts the size of the content, and 64 KiB if it makes the view model.
  /// - Returns: `nil` if the hash is not known and the budget is 0 or less, or if the view model cannot be shown.
  /// - Complexity: O(*n*), where *n* is the number of bytes of the content, and O(1) for each further call.
  package func contentHash(spending budget: inout Int) -> ContentHash? {
    if let known = knownContentHash.withLock({ $0 }) { return known }
    if budget <= 0 { return nil }
    if !isMade { budget -= Self.makingByteCount }
    if failure != nil { return nil }
    budget -= snapshot.contentByteCount
    // Not under the lock, for it may take long. Two threads that hash at once get the same.
    let hash = ContentHash(of: snapshot)
    knownContentHash.withLock { $0 = hash }
    return hash
  }

  /// The arguments of a command in a history.
  package enum Arguments: Hashable, Sendable {
    /// The arguments as canonical JSON, one object.
    case kept([UInt8])
    /// The arguments were larger than ``Arguments/byteLimit``.
    case omitted

    /// The largest size of arguments that are kept, in bytes.
    static let byteLimit = 4 * 1024
  }

  /// Creates a revision, by default the first one of a history.
  init(
    of instanceName: Text, token: RevisionToken, _ content: Content, cause: RevisionCause,
    arguments: Arguments? = nil, date: Timestamp, animatedCount: Int = 0, publishedAt: Duration,
    retainedByteCount: Int = 0, shownSince: Int? = nil, previousShownSince: Int? = nil,
    deferredCount: Int = 0, changeByteCount: Int = 0
  ) {
    self.instanceName = instanceName
    self.token = token
    self.shownSince = shownSince ?? token.number
    self.content = content
    self.cause = cause
    self.arguments = arguments
    self.date = date
    self.animatedCount = animatedCount
    self.publishedAt = publishedAt
    self.retainedByteCount = retainedByteCount
    self.previousShownSince = previousShownSince
    self.deferredCount = deferredCount
    self.changeByteCount = changeByteCount
  }

  /// Creates the revision that follows another one.
  ///
  /// - Parameters:
  ///   - content: The view model, or what makes it for the first reader.
  ///   - byteCount: The memory of the state that the states before do not share, in bytes, if the view model is not made;
  ///     that of the last change that was made counts if it is more.
  ///   - isAnimated: Whether clients may animate the change.
  convenience init(
    after previous: Revision, token: RevisionToken, _ content: Content, bringing byteCount: Int = 0,
    cause: RevisionCause, arguments: Arguments? = nil, date: Timestamp, isAnimated: Bool,
    publishedAt: Duration
  ) {
    let (ownByteCount, deferredCount) =
      switch content {
      case .made(let snapshot):
        (Snapshot.byteCount(between: previous.snapshot, and: snapshot), 0)
      case .deferred: (max(byteCount, previous.changeByteCount), previous.deferredCount + 1)
      }
    // The same view model under another epoch does not tell what changes bring.
    let isMeasured = deferredCount == 0 && ownByteCount > 0
    self.init(
      of: previous.instanceName, token: token, content, cause: cause, arguments: arguments,
      date: date, animatedCount: previous.animatedCount + (isAnimated ? 1 : 0),
      publishedAt: publishedAt,
      retainedByteCount: Self.objectByteCount + (arguments?.byteCount ?? 0) + ownByteCount,
      previousShownSince: previous.shownSince, deferredCount: deferredCount,
      changeByteCount: isMeasured ? ownByteCount : previous.changeByteCount)
  }

  /// Returns the same view model under another token.
  func renamed(_ token: RevisionToken) -> Revision {
    let renamed = copy(token, content, deferredCount: deferredCount)
    let (hash, known) = (knownContentHash.withLock { $0 }, changes.withLock { $0 })
    renamed.knownContentHash.withLock { $0 = hash }
    renamed.changes.withLock { $0 = known }
    return renamed
  }

  /// Returns the first revision of a history with a view model that is left to its first reader.
  ///
  /// Nothing is known of the size of the view model, so that only one more may be left to readers with it.
  func left(to deferred: DeferredSnapshot) -> Revision {
    copy(token, .deferred(deferred), deferredCount: InstanceDraft.deferredLimit - 1)
  }

  private func copy(
    _ token: RevisionToken, _ content: Content, deferredCount: Int
  ) -> Revision {
    Revision(
      of: instanceName, token: token, content, cause: cause, arguments: arguments, date: date,
      animatedCount: animatedCount, publishedAt: publishedAt,
      retainedByteCount: retainedByteCount, shownSince: shownSince,
      previousShownSince: previousShownSince, deferredCount: deferredCount,
      changeByteCount: changeByteCount)
  }

  /// Drops the changes since the revision before, when this one is no longer the current one.
  func forgetChanges() {
    // Released without the lock.
    _ = changes.withLock { changes in
      changes.isLatest = false
      return changes.latest.take()
    }
  }

  /// Returns whether clients see the same content at another revision of the history.
  package func isShown(as other: Revision) -> Bool {
    // A reader may still have one whose predecessors were not known.
    shownSince == other.shownSince || snapshot.isIdentical(to: other.snapshot)
  }

  /// Returns whether it is of the same history as another revision, which was the current one just before.
  package func follows(_ other: Revision) -> Bool {
    token.epoch == other.token.epoch || previousShownSince == other.shownSince
  }

  /// Returns whether clients see it since the input at a position.
  func isShown(since position: Int) -> Bool { shownSince == position }

  /// Returns the difference from another revision of the history, older or newer, to this one. Its
  /// `isAnimated` is `false` if none of the revisions in between may be animated.
  ///
  /// - Complexity: That of `Snapshot.difference(from:)`; O(1) from the revision before to the current one, unless
  ///   there are many changes.
  package func difference(from other: Revision) -> Changeset {
    var changes = changes(since: other)
    changes.isAnimated = mayBeAnimated(since: other)
    return changes
  }

  /// Returns whether clients may animate the change from another revision of the history: not if none of those in
  /// between may be animated.
  package func mayBeAnimated(since other: Revision) -> Bool {
    isShown(as: other) || animatedCount != other.animatedCount
  }

  private func changes(since other: Revision) -> Changeset {
    if other.shownSince != previousShownSince { return snapshot.difference(from: other.snapshot) }
    if let known = changes.withLock({ $0.latest }) { return known }
    // Not under the lock, for it may take long. Two threads that compare at once get the same.
    let made = snapshot.difference(from: other.snapshot)
    changes.withLock { changes in
      if changes.isLatest, made.operationCount <= Self.keptOperationLimit { changes.latest = made }
    }
    return made
  }

  /// Returns the size of the diff from the revision before.
  ///
  /// The first call makes the diff, because few histories are ever read.
  ///
  /// - Parameter previous: The revision before this one.
  /// - Complexity: That of a diff and its encoding, and O(1) for each further call.
  package func diffSize(after previous: Revision) -> DiffSize {
    let (from, name) = (Text(previous.token.description), Text(token.description))
    // Either revision may have got a longer name since.
    let namesByteCount = from.byteCount + name.byteCount
    var size: DiffSize
    if let known = changes.withLock({ $0.namelessSize }) {
      size = known
    } else {
      let made = difference(from: previous)
      let diff = made.encoded(screen: instanceName, from: from, revision: name)
      size = DiffSize(
        operationCount: made.rows.operationCount + made.sections.operationCount,
        byteCount: diff.count - namesByteCount)
      changes.withLock { [size] in $0.namelessSize = size }
    }
    size.byteCount += namesByteCount
    return size
  }
}

// MARK: - View models that the first reader makes

extension Revision {
  enum Content: Sendable {
    case made(Snapshot)
    /// The view model is left to the first reader.
    case deferred(DeferredSnapshot)
  }

  /// The number of bytes that hashing may spend on making a view model.
  private static var makingByteCount: Int { 64 * 1024 }

  /// The view model, which the first call makes if the input has not made it. It is empty if the state cannot be shown.
  ///
  /// - Complexity: O(1); the first call may also run ``Screen/body(_:)``.
  package var snapshot: Snapshot {
    switch content {
    case .made(let snapshot): snapshot
    case .deferred(let deferred): deferred.snapshot ?? .empty
    }
  }

  /// The reason why the state cannot be shown; `nil` if it can. The first call makes the view model.
  package var failure: String? { deferred?.failure }

  /// Makes the view model; `nil` if the input has made it.
  var deferred: DeferredSnapshot? {
    guard case .deferred(let deferred) = content else { return nil }
    return deferred
  }

  /// Whether the state cannot be shown, as far as that is known without making the view model.
  var isKnownToFail: Bool { isMade && failure != nil }

  /// Whether the view model is made.
  var isMade: Bool { deferred?.isMade ?? true }
}

extension Revision.Arguments {
  /// Creates the arguments of a command for a history; `nil` if the command has none.
  ///
  /// - Complexity: O(*n* log *n*), where *n* is the size of the body in bytes.
  init?(of command: SentCommand) {
    guard var members = try? command.body.object() else { return nil }
    members["type"] = nil
    if members.isEmpty { return nil }
    let encoded = JSONValue.object(members).canonicalBytes()
    self = encoded.count <= Self.byteLimit ? .kept(encoded) : .omitted
  }

  /// The memory of the arguments, in bytes.
  var byteCount: Int {
    switch self {
    case .kept(let encoded): encoded.count
    case .omitted: 0
    }
  }
}

/// The cause recorded for a revision.
package enum RevisionCause: Codable, Hashable, Sendable {
  /// The view model was made from its initial state.
  case start
  /// A client sent the command with this name.
  case command(Text)
  /// A load of the source ended with a value.
  case loaded(source: Text)
  /// A load of the source ended with a failure of this code.
  case failed(source: Text, code: Text)
  /// A client wrote to the store that the source reads.
  case storeWrite(source: Text)
}
