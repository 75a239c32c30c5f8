import Synchronization

/// The revisions before the current one.
extension Instance {
  /// Returns the newest kept revisions before another one; see ``RevisionLog/kept(before:limit:)``.
  package func kept(before end: RevisionToken?, limit: Int) -> [Revision] {
    recall()
    return publication.withLock { $0.log.kept(before: end, limit: limit) }
  }

  /// Returns the newest of the kept revisions before one, oldest first. Successive ones that show the same are one, with
  /// the newest token; those that cannot be shown are left out.
  ///
  /// - Parameters:
  ///   - end: A revision of this history; `nil` for the end of the history.
  ///   - limit: The largest number of revisions to return.
  /// - Complexity: That of ``kept(before:limit:)``, and of making the view models that are not made yet.
  package func shown(before end: Revision?, limit: Int) -> [Revision] {
    var shown: [Revision] = []
    var (place, newer) = (end?.token, end)
    // One more is looked at, because older ones may show the same as the oldest.
    while shown.count <= limit {
      let kept = kept(before: place, limit: limit + 1 - shown.count)
      guard let first = kept.first else { break }
      for older in kept.reversed() where older.failure == nil {
        if newer?.snapshot != older.snapshot {
          shown.append(older)
        } else if let last = shown.popLast() {
          shown.append(older.renamed(last.token))
        }
        newer = older
      }
      place = first.token
    }
    return shown.prefix(limit).reversed()
  }

  /// Returns whether the revision of a token may be from before the instance was made, so that finding it makes this
  /// and later revisions again.
  package func mustRecall(_ token: RevisionToken) -> Bool {
    guard let former, token.epoch == initialEpoch, token.number < former.end else { return false }
    // One older than those that were recalled is made anew for each request.
    return isCut.load(ordering: .acquiring)
      || publication.withLock { token.number < $0.log.first.shownSince }
  }

  /// Returns whether a token with the epoch may be one of this history.
  package func gives(_ epoch: RevisionEpoch) -> Bool {
    epoch == self.epoch || epoch == initialEpoch
  }

  /// Finds the revision of a token; see ``RevisionLog/revision(_:)``.
  package func revision(_ token: RevisionToken) throws(ResetReason) -> Revision {
    use.noteRead()
    func find() throws(ResetReason) -> Revision {
      let found = try publication.withLock { (publication) throws(ResetReason) in
        try publication.log.revision(token)
      }
      // A state that cannot be shown has no revision.
      if found.failure != nil { throw .historyExpired }
      return found
    }
    if !gives(token.epoch) { throw .epochChanged }
    do {
      return try find()
    } catch {
      guard error == .historyExpired, let former, token.epoch == initialEpoch else { throw error }
      recall()
      if let recalled = try? find() { return recalled }
      let first = publication.withLock { $0.log.first }
      guard let past = engine.past,
        let older = former.revision(token.number, like: first, in: past)
      else { throw error }
      return older
    }
  }

  /// Puts the last revisions from before the instance was made before its first one, once. Does nothing in a session,
  /// because there may be many sessions.
  private func recall() {
    guard let former, !key.hasSession, isCut.load(ordering: .acquiring), let past = engine.past
    else { return }
    let first = publication.withLock { $0.log.first }
    var leading: [Revision] = []
    if first.isShown(since: former.end) {
      leading = engine.watchdog.watch(loggedName) { () throws(Never) in
        former.leading(to: first, in: past, atMost: engine.environment.logLimits.count)
      }
    }
    guard let oldest = leading.first, !oldest.isShown(since: former.end) else {
      return isCut.store(false, ordering: .releasing)
    }
    // Between two inputs, because the next revision follows the current one, and may be the last one of the key.
    let isRecalled = engine.betweenInputs { () throws(Never) in
      if !isCut.exchange(false, ordering: .acquiringAndReleasing) { return false }
      let isRecalled = publication.withLock { publication in
        // It may have been dropped meanwhile, or the key removed.
        guard !publication.isRemoved, publication.log.first.isShown(since: former.end) else {
          return false
        }
        publication.recall(leading)
        return true
      }
      // Kept, and its history bounded, as that of an instance that was read all the time.
      if isRecalled { touch() }
      return isRecalled
    }
    if isRecalled { host.published(self) }
  }
}
