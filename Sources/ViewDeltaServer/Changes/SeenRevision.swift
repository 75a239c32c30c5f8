import CanonicalJSON
import Snapshots
import ViewState

/// A revision as a client sees it: whole, or through a window.
struct SeenRevision: Sendable {
  let revision: Revision
  let window: RowWindow?

  init(_ revision: Revision, through window: RowWindow? = nil) {
    (self.revision, self.window) = (revision, window)
  }

  /// Identifies the content that a client sees.
  struct Name: Hashable, Sendable {
    let token: RevisionToken
    let window: RowWindow?
  }

  var name: Name { Name(token: token, window: window) }
  var token: RevisionToken { revision.token }

  /// What the client sees.
  ///
  /// - Complexity: O(1), or that of `Snapshot.seen(through:)` with a window, each time.
  private var snapshot: Snapshot {
    window.map { revision.snapshot.seen(through: $0) } ?? revision.snapshot
  }

  /// The approximate size of what the client sees, in bytes.
  ///
  /// - Complexity: O(1), or that of `Snapshot.contentByteCount(through:)` with a window.
  var contentByteCount: Int {
    window.map { revision.snapshot.contentByteCount(through: $0) }
      ?? revision.snapshot.contentByteCount
  }

  /// Returns whether a client sees the same content in another revision of the history.
  ///
  /// - Complexity: O(1), or that of `Snapshot.isSame(as:through:)` with a window.
  func isShown(as other: SeenRevision) -> Bool {
    guard window == other.window else { return false }
    if revision.isShown(as: other.revision) { return true }
    guard let window else { return false }
    return revision.snapshot.isSame(as: other.revision.snapshot, through: window)
  }

  /// The number of revisions between two that ``isShownAlways(until:of:)`` compares at most.
  static let comparedCount = 16

  /// Returns whether a client sees the same content in all revisions from this one to a newer one of the instance;
  /// `false` also if there are more than ``comparedCount`` in between.
  ///
  /// - Complexity: O(log *n*), where *n* is the number of kept revisions, and that of ``isShown(as:)`` for each
  ///   revision in between.
  func isShownAlways(until newer: SeenRevision, of instance: Instance) -> Bool {
    guard token.number < newer.token.number else { return true }
    let between = instance.kept(before: newer.token, limit: Self.comparedCount + 1)
      .filter { $0.token.number > token.number && $0.failure == nil }
    return between.count <= Self.comparedCount
      && between.allSatisfy { SeenRevision($0, through: window).isShown(as: newer) }
  }
}

/// The documents of a revision, as JSON or as a JSON Patch. Events have those in JSON.
extension SeenRevision {
  func document(as format: DocumentFormat) -> [UInt8] { whole(.snapshot, as: format) }

  func reset(_ reason: ResetReason, as format: DocumentFormat) -> [UInt8] {
    whole(.reset(reason: Text(reason.rawValue)), as: format)
  }

  /// Encodes the diff from an older revision.
  ///
  /// - Parameter name: The name that the client has for the older revision.
  func diff(from older: SeenRevision, named name: Text, as format: DocumentFormat) -> [UInt8] {
    // Between whole revisions the change may be known, so that the older one need not be made.
    lazy var before = older.snapshot
    var change =
      window == nil && older.window == nil
      ? revision.difference(from: older.revision) : snapshot.difference(from: before)
    change.isAnimated = revision.mayBeAnimated(since: older.revision)
    let token = Text(token.description)
    return format == .jsonPatch
      ? change.encodedPatch(of: before, from: name, revision: token)
      : change.encoded(screen: revision.instanceName, from: name, revision: token)
  }

  private func whole(_ kind: Snapshot.DocumentKind, as format: DocumentFormat) -> [UInt8] {
    let token = Text(token.description)
    // A patch leads to the document of a snapshot, also instead of a reset.
    return format == .jsonPatch
      ? snapshot.encodedPatch(screen: revision.instanceName, revision: token)
      : snapshot.encoded(kind: kind, screen: revision.instanceName, revision: token)
  }

  /// Returns the body of a reply: a document, or an event with it.
  func body(with document: [UInt8]?, as format: DocumentFormat) -> [UInt8] {
    switch format {
    case .json, .jsonPatch: document ?? []
    case .eventStream, .firstEvent:
      EventBlock(id: token.description, data: document, isFirst: format == .firstEvent).bytes
    }
  }
}
