import CanonicalJSON
import HTTPTypes
import MicroHTTP
import Snapshots
import ViewState

/// The revision and the content that a client says it holds of a view model.
struct HeldRevision: Hashable, Sendable {
  /// The well-formed name of the revision; `nil` if the client holds nothing.
  var since: Text?
  /// The hash of the content, which finds a kept revision even if `since` does not.
  var have: ContentHash?
  /// The window through which the client has seen the revision; `nil` if it has seen all rows.
  var window: RowWindow?
  /// The window through which the client wants to see the view model; `nil` if it wants all rows.
  var next: RowWindow?

  /// The number of bytes that are hashed for one request at most, beside those of the current revision. A
  /// revision is hashed once, so the next request goes on behind the limit of this one.
  static let hashedByteLimit = 16 * 1024 * 1024

  /// The number of bytes that may be hashed on the thread that serves the connection.
  private static let briefByteCount = 64 * 1024

  /// Notes that the client holds this revision now, as it wants to see it. Its content has another hash then, which is
  /// unknown.
  mutating func move(to revision: Text) {
    if revision != since { (since, have) = (revision, nil) }
    window = next
  }

  /// Finds the change from what the client holds to a revision of an instance.
  ///
  /// - Parameters:
  ///   - instance: The instance.
  ///   - moment: The revision that the instance showed when it was read together with others; `nil` takes the
  ///     current one.
  ///   - registry: The screens on offer, which tell a revision of another instance from an unknown one.
  ///   - inStream: Whether the client may have gone on from the revision by the reply to a command, and does not ask
  ///     anew: it gets an empty diff if a revision in between may differ, and sees by it that it has missed something.
  ///   - budget: The number of bytes that the request may still hash, of which those that are hashed are taken.
  /// - Complexity: O(log *n*), and O(*n* + *m*) for a revision that is not kept, where *n* is the number of
  ///   kept revisions and *m* that of the screens on offer.
  func change(
    of instance: Instance, at moment: Revision? = nil, _ registry: ScreenRegistry,
    inStream: Bool = false, hashing budget: inout Int
  ) -> Change {
    // Read before the look-up: the client may hold a revision that is published in between, which is
    // then newer than this one and is noticed below.
    let current = moment ?? instance.current
    guard let since else { return .whole(SeenRevision(current, through: next)) }
    do throws(ResetReason) {
      let older = try registry.revision(named: since, of: instance)
      // A client that holds a newer one may want another window of it.
      let newest = older.token.number > current.token.number ? older : current
      let before = SeenRevision(older, through: window)
      let now = SeenRevision(newest, through: next)
      if before.isShown(as: now), !inStream || before.isShownAlways(until: now, of: instance) {
        return .nothing(since: newest)
      }
      return .diff(from: before, to: now, named: nil)
    } catch {
      guard let have,
        let older = Self.youngest(with: have, of: instance, upTo: current, hashing: &budget)
      else {
        return .reset(SeenRevision(current, through: next), error)
      }
      if older === current { return .nothing(since: current) }
      // A client that names a hash has no window.
      return .diff(from: SeenRevision(older), to: SeenRevision(current), named: since)
    }
  }

  /// Returns whether ``change(of:at:_:hashing:)`` may make or hash so much, or its reply encode so much, that other
  /// connections should not wait for it.
  ///
  /// - Complexity: O(log *n*) expected, where *n* is the number of kept revisions.
  func takesLong(of instance: Instance, _ registry: ScreenRegistry) -> Bool {
    if let since, instance.mustRecall(named: since) { return true }
    // It may be that no kept revision is hashed yet and that each is as large as the current one.
    let limit =
      have == nil ? ReplyThread.briefPlainContent : Self.briefByteCount / instance.revisionCount
    // Mostly the whole view model is small.
    if instance.current.snapshot.contentByteCount <= limit { return false }
    if next != nil, contentByteCount(of: instance) <= limit { return false }
    guard let since else { return true }
    return (try? registry.revision(named: since, of: instance)) == nil
  }

  /// Returns the size of the content of which the change may consist, in bytes: 0 if the revision is current.
  func changedByteCount(of instance: Instance) -> Int {
    since == Text(instance.current.token.description) && window == next
      ? 0 : contentByteCount(of: instance)
  }

  /// Returns the size of what the client wants to see, in bytes.
  private func contentByteCount(of instance: Instance) -> Int {
    SeenRevision(instance.current, through: next).contentByteCount
  }

  /// Finds the youngest kept revision with this content that is not newer than `current`.
  private static func youngest(
    with hash: ContentHash, of instance: Instance, upTo current: Revision,
    hashing budget: inout Int
  ) -> Revision? {
    var unlimited = Int.max
    if current.contentHash(spending: &unlimited) == hash { return current }
    return instance.kept(before: current.token, limit: .max).last {
      $0.contentHash(spending: &budget) == hash
    }
  }
}

extension Instance {
  /// Returns whether finding a revision may make it and those that follow it, which takes long.
  func mustRecall(named name: Text) -> Bool {
    guard let token = RevisionToken(name.string) else { return false }
    return mustRecall(token)
  }
}

/// The change of a view model that a client gets, in any representation.
enum Change: Sendable {
  /// The whole view model, for a client that holds nothing.
  case whole(SeenRevision)
  /// No change: the client holds what this revision shows, which is current.
  case nothing(since: Revision)
  /// The difference of two revisions. `named` is the name that the client has for the older one; `nil` if
  /// that is its token.
  case diff(from: SeenRevision, to: SeenRevision, named: Text?)
  /// The whole view model, for a client whose revision cannot be diffed.
  case reset(SeenRevision, ResetReason)

  /// The revision that the client holds afterwards.
  var revision: Revision {
    switch self {
    case .nothing(let revision): revision
    case .whole(let seen), .diff(_, let seen, _), .reset(let seen, _): seen.revision
    }
  }

  /// Refuses a reset, for a client that prefers an error to it.
  ///
  /// - Throws: A 410 problem if the change is a reset.
  func refuseReset() throws(ProblemDetails) {
    guard case .reset(_, let reason) = self else { return }
    throw .revisionExpired(reason, fields: [.preferenceApplied: "handling=strict"])
  }
}
