public import CanonicalJSON
public import Snapshots
import Synchronization

/// One published state of a screen. Immutable: any number of threads read it at once.
public final class Revision: Sendable {
  /// The screen with its key, such as `profile/1`.
  public let screen: Text
  /// Its name: the newest, if inputs that a client does not see have renamed it.
  public let token: RevisionToken
  /// The number of the first token under which the view model was shown without a break.
  let shownSince: Int
  /// The view model.
  public let snapshot: Snapshot
  /// What made it.
  public let cause: RevisionCause
  /// The arguments of the command that made it; `nil` if it has none, or something else made it.
  public let arguments: Arguments?
  /// When it was published, for people to read.
  public let date: Timestamp
  /// How many operations lead here from the revision before; 0 for the first.
  public let operationCount: Int
  /// When it was published, on the scheduler's clock.
  let publishedAt: Duration
  /// What keeping this revision and the one before costs beside keeping one of them, in bytes,
  /// estimated: what they do not share, the arguments, and the object itself; 0 for the first.
  let retainedByteCount: Int
  /// The memory of a revision without its snapshot and arguments, in bytes, estimated.
  static let objectByteCount = 256
  /// The size of the diff document that leads here, in bytes; negative as long as it is not known.
  private let diffByteCount = Atomic(-1)

  private let knownContentHash = Mutex<ContentHash?>(nil)

  /// The hash of the content, computed once, when it is first asked for.
  ///
  /// - Parameter budget: The bytes that may still be hashed; what is hashed here is taken off. At 0 or
  ///   less nothing is hashed.
  /// - Returns: `nil` if the hash is not known and the budget is spent.
  /// - Complexity: O(n), where n is the number of bytes of the content, and O(1) from the second time on.
  public func contentHash(spending budget: inout Int) -> ContentHash? {
    knownContentHash.withLock { known in
      if let known { return known }
      if budget <= 0 { return nil }
      budget -= snapshot.contentByteCount
      known = ContentHash(of: snapshot)
      return known
    }
  }

  /// The arguments of a command, as far as a history keeps them.
  public enum Arguments: Hashable, Sendable {
    /// An object, as canonical JSON.
    case kept([UInt8])
    /// They were larger than ``Arguments/byteLimit``.
    case omitted

    /// How large arguments may be to be kept, in bytes.
    public static let byteLimit = 4 * 1024
  }

  init(
    of screen: Text, token: RevisionToken, snapshot: Snapshot, cause: RevisionCause,
    arguments: Arguments? = nil,
    date: Timestamp, operationCount: Int, publishedAt: Duration, retainedByteCount: Int,
    shownSince: Int? = nil
  ) {
    self.screen = screen
    self.token = token
    self.shownSince = shownSince ?? token.number
    self.snapshot = snapshot
    self.cause = cause
    self.arguments = arguments
    self.date = date
    self.operationCount = operationCount
    self.publishedAt = publishedAt
    self.retainedByteCount = retainedByteCount
  }

  /// The same view model under another name.
  func renamed(_ token: RevisionToken) -> Revision {
    let renamed = Revision(
      of: screen, token: token, snapshot: snapshot, cause: cause, arguments: arguments,
      date: date, operationCount: operationCount, publishedAt: publishedAt,
      retainedByteCount: retainedByteCount, shownSince: shownSince)
    let hash = knownContentHash.withLock { $0 }
    renamed.knownContentHash.withLock { $0 = hash }
    return renamed
  }

  /// Whether a client that holds this revision sees the same as one that holds another of the same
  /// history, and saw it all the time in between.
  public func isShown(as other: Revision) -> Bool { shownSince == other.shownSince }

  /// The size of the diff document that leads here, in bytes.
  ///
  /// The document is made when its size is first asked for: few histories are ever looked at.
  ///
  /// - Parameter previous: The revision before this one.
  /// - Complexity: That of a diff and its encoding, and O(1) from the second time on.
  public func diffByteCount(after previous: Revision) -> Int {
    let known = diffByteCount.load(ordering: .relaxed)
    if known >= 0 { return known }
    let count = snapshot.difference(from: previous.snapshot).encoded(
      screen: screen, from: Text(previous.token.description), revision: Text(token.description)
    ).count
    diffByteCount.store(count, ordering: .relaxed)
    return count
  }
}

extension Revision.Arguments {
  /// What a history keeps of the arguments of a command; `nil` if it has none.
  ///
  /// - Complexity: O(*n* log *n*), where *n* is the size of the command's body.
  init?(of command: SentCommand) {
    guard var members = try? command.body.object() else { return nil }
    members["type"] = nil
    if members.isEmpty { return nil }
    let encoded = JSONValue.object(members).canonicalBytes()
    self = encoded.count <= Self.byteLimit ? .kept(encoded) : .omitted
  }

  /// What keeping them costs, in bytes.
  var byteCount: Int {
    switch self {
    case .kept(let encoded): encoded.count
    case .omitted: 0
    }
  }
}
