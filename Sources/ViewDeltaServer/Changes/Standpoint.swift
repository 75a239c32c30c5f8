import Snapshots
import ViewState

/// What a client says that it holds of a view model.
struct Standpoint: Hashable, Sendable {
  /// The revision; `nil` where it holds nothing.
  var since: RevisionName?
  /// The hash of the content, by which it is known even if the revision is not.
  var have: ContentHash?

  /// How many bytes are hashed for one question at most, beside the newest revision. A revision is
  /// hashed once, so a client that comes again finds what the first question left out.
  private static let hashedByteLimit = 16 * 1024 * 1024

  /// How many bytes are hashed on the thread that serves the connection.
  private static let briefByteCount = 64 * 1024

  /// What there is to tell the client of a screen as it is now, or at a moment at which it was read.
  ///
  /// - Complexity: O(1), and O(n) for a revision that is not kept, where n is the number of kept
  ///   revisions and of view models in use.
  func change(
    in screen: any ScreenInstance, at moment: Revision? = nil, _ registry: ScreenRegistry
  ) -> Change {
    guard let since else { return .whole(moment ?? screen.current) }
    // Read before the look-up, so that a revision which is published in between cannot make the
    // client's newer than this one without being noticed below.
    let current = moment ?? screen.current
    switch since.lookup(in: screen, registry) {
    case .success(let older):
      if older.token.number > current.token.number { return .nothing(since: older) }
      if older.isShown(as: current) { return .nothing(since: current) }
      return .diff(from: older, to: current, named: nil)
    case .failure(let unknown):
      guard let have, let older = Self.youngest(with: have, in: screen, upTo: current) else {
        return .reset(current, unknown.reason)
      }
      if older === current { return .nothing(since: current) }
      return .diff(from: older, to: current, named: since.text)
    }
  }

  /// Whether so much may have to be hashed, to find out what the client holds, that others should not
  /// wait for it.
  ///
  /// - Complexity: O(1).
  func needsManyHashes(in screen: any ScreenInstance, _ registry: ScreenRegistry) -> Bool {
    guard have != nil, let since, case .failure = since.lookup(in: screen, registry) else {
      return false
    }
    let current = screen.current
    // Of all kept revisions, none may be hashed yet, and each may be as large as this one.
    return current.snapshot.contentByteCount > Self.briefByteCount / screen.revisionCount
  }

  /// The youngest kept revision with this content, from `current` on backwards.
  private static func youngest(
    with hash: ContentHash, in screen: any ScreenInstance, upTo current: Revision
  ) -> Revision? {
    var budget = Int.max
    if current.contentHash(spending: &budget) == hash { return current }
    budget = hashedByteLimit
    return screen.kept(before: current.token, limit: .max).last {
      $0.contentHash(spending: &budget) == hash
    }
  }
}
