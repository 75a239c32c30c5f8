import Snapshots
import Synchronization

/// An instance at rest.
extension Instance {
  /// Gives the host a ``Rest``, of which the instance can be made again, if nothing has read the instance
  /// since the last call, nothing waits for it, and its history need not be kept. The keeper may drop it then, unless it
  /// is touched again. Called between two inputs.
  ///
  /// - Parameter isEarly: Whether its history goes, because other instances need the memory.
  func rest(at now: Duration, isEarly: Bool) {
    if use.take(at: now) || work.isLoading { return }
    let age = isEarly ? .zero : engine.environment.logLimits.age
    // The clock loads for an instance as long as it exists, so a history does not keep such an instance.
    let mayKeepHistory = !isEarly && refreshes.isEmpty
    let isReady = publication.withLock { publication in
      !publication.isRemoved && !publication.hasWatchers
        && now - publication.log.current.publishedAt >= age
        && !(mayKeepHistory && publication.log.keepsOldRevisions)
    }
    if !isReady { return }
    host.rests(self, as: rest)
    touched.store(false, ordering: .releasing)
  }

  /// The rest of an instance that an input has touched; `nil` if it can be made without one.
  var newestRest: Rest? { isTouched ? rest : nil }

  /// The rest of the instance, from which it can be made again; `nil` if it can be made from the stores.
  private var rest: Rest? {
    let (state, head, fault, _) = last
    guard state.hasOwnState else { return nil }
    return Rest(
      state: state.value, token: fault?.token ?? head.token,
      shownSince: fault?.token.number ?? head.shownSince, cause: head.cause,
      hadArguments: head.arguments != nil, date: fault?.date ?? head.date,
      measuredByteCount: state.measuredByteCount, broughtByteCount: state.broughtByteCount,
      share: state.share)
  }
}

/// View models that are left to their first readers.
extension Instance {
  /// Returns what makes the view model of a state for its first reader.
  ///
  /// - Parameters:
  ///   - token: The name of the state.
  ///   - time: The time of the input that made it.
  func deferred(
    _ state: AnyState, _ token: RevisionToken, _ time: Timestamp
  ) -> DeferredSnapshot {
    let (name, rows, screen, watchdog) = (loggedName, rows, screen, engine.watchdog)
    return DeferredSnapshot { [weak self] in
      let snapshot = try watchdog.watch(name) {
        try rows.assemble(state, at: token.number, by: screen).snapshot
      }
      // Only now it is known how much memory the instance takes.
      if let self { host.laidOut(self) }
      return snapshot
    } failed: { [weak self] message in
      self?.record(.assembly(message), at: token, time)
    }
  }

  /// Leaves the view model of a rest to its first reader.
  func leave(_ rest: Rest) {
    let deferred = deferred(rest.state, rest.token, rest.date)
    publication.withLock { $0.begin(with: deferred) }
  }
}
