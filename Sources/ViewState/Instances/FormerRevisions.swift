import CanonicalJSON
import Snapshots

/// Makes the revisions from before an instance was made, which the stores alone gave. In a session they have an epoch
/// of their own, so that none is taken for a revision of a state that the session had and that was forgotten.
struct FormerRevisions: Sendable {
  private let screen: any EngineScreen
  private let key: Text
  private let name: Text
  private let epoch: RevisionEpoch
  private let born: Int
  /// The number of the revision with which the instance was made.
  let end: Int

  init(
    of name: Text, _ screen: any EngineScreen, _ key: InstanceKey, _ epoch: RevisionEpoch,
    born: Int, until end: Int
  ) {
    (self.name, self.screen, self.key, self.epoch) = (name, screen, key.element, epoch)
    (self.born, self.end) = (born, end)
  }

  /// Returns the revision with a number; `nil` if the stores are not known from then on.
  ///
  /// - Parameter first: The revision with which the history begins. A revision with the same content shares it.
  /// - Complexity: That of an assembly, and O(*m* log *n*), where *m* is the number of later changes of what is shown,
  ///   and *n* the number of kept values of the stores.
  func revision(_ number: Int, like first: Revision, in past: PastStores) -> Revision? {
    guard number < end, let version = version(upTo: number, in: past), version.number == number
    else { return nil }
    // A diff from this revision must still say the same about animation as before, unless clients saw nothing of a
    // later change: then it may be animated too often.
    var (animatedCount, next) = (0, end)
    while let later = self.version(upTo: next, in: past), later.number > number {
      if later.period.isAnimated { animatedCount -= 1 }
      next = later.number - 1
    }
    var rows = RowCache()
    return screen.initialSnapshot(for: key, in: version.period.stores, rows: &rows).map { made in
      made == first.snapshot
        ? revision(
          version, of: first.snapshot, animatedCount: animatedCount, shownSince: first.shownSince)
        : revision(version, of: made, animatedCount: animatedCount)
    }
  }

  /// Returns the last revisions that lead to the first one of a history, and that one as it follows them.
  ///
  /// - Parameters:
  ///   - first: The revision with which the instance was made.
  ///   - limit: The largest number of revisions.
  /// - Complexity: That of `limit` assemblies and differences; of up to eight times as many assemblies if clients saw
  ///   nothing of some changes.
  func leading(to first: Revision, in past: PastStores, atMost limit: Int) -> [Revision] {
    var rows = RowCache()
    // What clients saw, newest first, each with the versions that showed it: the oldest, and the number of the last.
    var shown: [(version: PastStores.Version, snapshot: Snapshot, end: Int)] = []
    var (next, count) = (end, 0)
    while count < 8 * limit, let version = version(upTo: next, in: past) {
      (next, count) = (version.number - 1, count + 1)
      let snapshot =
        version.number == end
        ? first.snapshot
        : screen.initialSnapshot(for: key, in: version.period.stores, rows: &rows)
      guard let snapshot else { continue }
      if shown.last?.snapshot == snapshot {
        shown[shown.count - 1].version = version
      } else if shown.count == limit {
        break
      } else {
        shown.append((version, snapshot, version.number))
      }
    }
    shown.reverse()
    guard let oldest = shown.first else { return [] }
    // Counted so that the revisions after these go on.
    let animated = shown.dropFirst().count { $0.version.period.isAnimated }
    var made = [
      revision(oldest.version, of: oldest.snapshot, animatedCount: first.animatedCount - animated)
    ]
    for (version, snapshot, _) in shown.dropFirst() {
      made.append(
        Revision(
          after: made[made.count - 1], token: token(version.number), .made(snapshot),
          cause: cause(of: version), date: version.time,
          isAnimated: version.period.isAnimated, publishedAt: version.period.publishedAt))
    }
    return zip(made, shown).map { revision, shown in
      shown.end == shown.version.number ? revision : revision.renamed(token(shown.end))
    }
  }

  private func version(upTo end: Int, in past: PastStores) -> PastStores.Version? {
    past.version(of: screen.shownStores, for: key, born: born, upTo: end)
  }

  private func revision(
    _ version: PastStores.Version, of snapshot: Snapshot, animatedCount: Int,
    shownSince: Int? = nil
  ) -> Revision {
    Revision(
      of: name, token: token(version.number), .made(snapshot), cause: cause(of: version),
      date: version.time, animatedCount: animatedCount,
      publishedAt: version.period.publishedAt, shownSince: shownSince)
  }

  private func token(_ number: Int) -> RevisionToken { RevisionToken(epoch: epoch, number: number) }

  private func cause(of version: PastStores.Version) -> RevisionCause {
    let source =
      version.period.position == version.number ? version.period.source(shownBy: screen) : nil
    return source.map { .storeWrite(source: $0) } ?? .start
  }
}

extension PastStores.Period {
  /// The name of the store that a screen shows and the input has changed.
  fileprivate func source(shownBy screen: any EngineScreen) -> Text? {
    sources.first { source in
      screen.shownStores.contains { $0.index == source.store }
    }?.name
  }
}
