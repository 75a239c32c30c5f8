package import CanonicalJSON
import Synchronization

/// A view model: the state, the history and the running work of one screen for one key.
///
/// Readers take the current revision from the log. The lock around the log is held for a look-up or an append,
/// never while the code of a screen runs.
package final class Instance: Sendable {
  /// The screen with its key, such as `profile/1`.
  package let name: Text
  /// The epoch of the tokens of its revisions once it has a state of its own.
  package let epoch: RevisionEpoch
  /// The epoch of the tokens of those before, which is another one in a session.
  let initialEpoch: RevisionEpoch
  let key: InstanceKey
  /// The name of the view model without its session.
  let loggedName: Text
  private let screen: any EngineScreen
  private let engine: Engine
  private let host: ScreenHost
  private let publication: Mutex<Publication>
  /// Changed by the thread that applies an input, and read by it and between inputs, so that nobody waits for
  /// the lock; it shows the compiler what the engine guarantees.
  private let state: Mutex<InstanceState>
  private let work: RunningWork
  /// Makes the revisions from before the instance was made; `nil` if they cannot be made again.
  private let former: FormerRevisions?
  /// Whether the log may lack revisions that can be made again.
  private let isCut = Atomic<Bool>(true)
  private let touched = Atomic<Bool>(false)
  private let use: InstanceUse
  private let rows = SharedRows()

  /// Starts a history for the key with the screen's initial state, or with what was kept of it.
  init(
    screen: any EngineScreen, key: InstanceKey, rest: Rest?, stores: Stores,
    engine: Engine, host: ScreenHost
  ) throws(ScreenLookupError) {
    let state = try InstanceState(screen, key, rest: rest, in: stores, of: engine, rows)
    (self.screen, self.key, self.engine, self.host) = (screen, key, engine, host)
    (name, epoch, initialEpoch) = (state.name, state.epoch, state.initialEpoch)
    loggedName = host.loggedName(key.text)
    let environment = engine.environment
    publication = Mutex(
      Publication(
        log: RevisionLog(first: state.head, limits: environment.logLimits),
        failure: state.fault == nil ? nil : .failed))
    self.state = Mutex(state)
    work = RunningWork(of: screen, engine: engine, host: host, key: key, epoch: epoch)
    former = FormerRevisions(state, of: key)
    use = InstanceUse(at: environment.scheduler.now)
    if let fault = state.fault { record(.assembly(fault.message), at: fault.token, fault.date) }
  }

  deinit {
    host.released(ObjectIdentifier(self), of: key.text)
    engine.environment.freed(byteCount)
  }
}

extension Instance {
  /// The current revision, for those who do not show it.
  var head: Revision { publication.withLock { $0.log.current } }

  /// The current revision; `nil` if it is known that the state cannot be shown.
  var shownHead: Revision? {
    publication.withLock { $0.failure == nil ? $0.log.current : nil }
  }

  /// The current revision. If the screen fails, it is the last revision that could be shown, or an empty one.
  /// Reading it does not wait for an input.
  package var current: Revision {
    use.noteSeen()
    return publication.withLock { $0.log.current }
  }

  /// Returns whether `token` names the current revision and the screen does not fail.
  ///
  /// It takes less time than reading ``current`` and ``failure``.
  package func shows(_ token: RevisionToken) -> Bool {
    use.noteSeen()
    let (isCurrent, deferred) = publication.withLock {
      ($0.log.current.token == token && $0.failure == nil, $0.log.current.deferred)
    }
    // Not under the lock, because it may make the view model.
    return isCurrent && deferred?.failure == nil
  }

  /// What readers get at one moment.
  struct Published: Sendable {
    let revision: Revision
    /// The reason why the revision is not shown, as far as it is known without the view model.
    fileprivate let failure: ScreenLookupError?

    /// The reason why the revision is not shown; `nil` if it is. The first call makes the view model.
    var shownFailure: ScreenLookupError? { failure ?? (revision.failure == nil ? nil : .failed) }
  }

  /// What is published now, for a reader.
  var published: Published {
    use.noteSeen()
    return publication.withLock { Published(revision: $0.log.current, failure: $0.failure) }
  }

  /// The reason why the view model cannot be shown: its key was removed, so that no further revision comes,
  /// or its screen fails; `nil` if the current revision can be shown.
  package var failure: ScreenLookupError? {
    publication.withLock { Published(revision: $0.log.current, failure: $0.failure) }.shownFailure
  }

  /// Whether the key was removed, so that no further revision comes.
  package var isEnded: Bool { failure == .deletedKey }

  /// The newest incidents of the view model, at most 50, newest first.
  package var incidents: [LoggedIncident] { engine.incidents.incidents(of: name) }

  /// The number of kept revisions, the current one included.
  package var revisionCount: Int { publication.withLock { $0.log.count } }

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
  /// and all later revisions again.
  package func mustRecall(_ token: RevisionToken) -> Bool {
    guard let former, token.epoch == epoch, isCut.load(ordering: .acquiring) else { return false }
    return token.number < former.end
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
      guard error == .historyExpired, let former else { throw error }
      recall()
      if let recalled = try? find() { return recalled }
      guard let past = engine.past, let older = former.revision(token.number, in: past) else {
        throw error
      }
      return older
    }
  }

  /// Puts the last revisions from before the instance was made before its first one, once.
  private func recall() {
    guard let former, isCut.load(ordering: .acquiring), let past = engine.past else { return }
    let first = publication.withLock { $0.log.first }
    var leading: [Revision] = []
    if first.isShown(since: former.end) {
      leading = engine.watchdog.watch(loggedName) { () throws(Never) in
        former.leading(to: first, in: past, atMost: engine.environment.logLimits.count)
      }
    }
    guard leading.count > 1 else { return isCut.store(false, ordering: .releasing) }
    // Between two inputs, because the next revision follows the head of the state.
    let isRecalled = engine.betweenInputs { () throws(Never) in
      if !isCut.exchange(false, ordering: .acquiringAndReleasing) { return false }
      return state.withLock { state in
        publication.withLock { publication in
          // It may have been dropped meanwhile.
          guard publication.log.first.isShown(since: former.end) else { return false }
          publication.recall(leading)
          if publication.log.current.token == state.head.token {
            state.recall(publication.log.current)
          }
          return true
        }
      }
    }
    guard isRecalled else { return }
    // Kept, and its history bounded, as that of an instance that was read all the time.
    touch()
    host.published(self)
  }

  /// Notifies `watcher` once when clients see other content than at `token`, or when the key is removed.
  ///
  /// - Parameters:
  ///   - token: The revision that the client has; `nil` if the client knows that the screen fails.
  ///   - watcher: The watcher.
  /// - Returns: The subscription; `nil` if this has happened already, so that `watcher` is not notified. No
  ///   change is lost in between.
  package func watch(
    after token: RevisionToken?, _ watcher: any RevisionWatcher
  ) -> (any Cancellable)? {
    // Makes the view model, if that is left to its first reader: only then it is known whether it fails.
    if (failure == nil) != (token != nil) { return nil }
    return publication.withLock { $0.watch(after: token, watcher) }
      .map { Watch(instance: self, place: $0) }
  }

  private struct Watch: Cancellable {
    let instance: Instance
    let place: Int

    func cancel() {
      instance.publication.withLock { $0.unwatch(place) }
    }
  }

  /// Runs a command.
  ///
  /// - Parameters:
  ///   - command: The command.
  ///   - expected: The revisions of which one must be current for the command to run; `nil` allows
  ///     any. No input comes between the check and the command.
  package func send(
    _ command: SentCommand, expecting expected: Set<RevisionToken>?
  ) async throws(CommandFailure) -> CommandOutcome {
    try await host.send(command, to: key.text, expecting: expected, once: nil)
  }
}

extension Instance {
  /// Whether an input has changed the state or started something since the instance was made, so that it
  /// cannot be made again as it is.
  var isTouched: Bool { touched.load(ordering: .acquiring) }

  /// The estimated memory of the revisions before the current one, in bytes.
  var historyByteCount: Int { byteCounts.history }

  /// The estimated memory of the instance, in bytes.
  var byteCount: Int { byteCounts.content + byteCounts.history }

  /// The estimated memory of the instance without the revisions before the current one, and of these, in bytes.
  var byteCounts: (content: Int, history: Int) {
    publication.withLock {
      (Self.overhead + $0.log.current.contentByteCount, $0.log.byteCount)
    }
  }

  /// The measured memory of an instance without its revisions and the content of the current one, in bytes.
  private static var overhead: Int { 4096 }

  /// Drops the oldest revisions until those before the current one take at most this many bytes.
  func cutHistory(to byteCount: Int) {
    let before = historyByteCount
    // Let go when the lock is free: readers must not wait for it.
    let dropped = publication.withLock { $0.cutLog(to: byteCount) }
    if !dropped.isEmpty { engine.environment.freed(before - historyByteCount) }
  }

  /// Gives the host a ``Rest``, of which the instance can be made again, if nothing has read the instance
  /// since the last call, nothing waits for it, and its history need not be kept. The keeper may drop it then, unless it
  /// is touched again. Called between two inputs.
  ///
  /// - Parameter isEarly: Whether its history goes, because other instances need the memory.
  func rest(at now: Duration, isEarly: Bool) {
    if use.take(at: now) || work.isLoading || isRemoved { return }
    let age = isEarly ? .zero : engine.environment.logLimits.age
    // The clock loads for an instance as long as it exists, so a history does not keep such an instance.
    let mayKeepHistory = !isEarly && refreshes.isEmpty
    let isReady = publication.withLock { publication in
      !publication.hasWatchers && now - publication.log.current.publishedAt >= age
        && !(mayKeepHistory && publication.log.keepsOldRevisions)
    }
    if !isReady { return }
    host.rests(self, as: state.withLock { $0.rest })
    touched.store(false, ordering: .releasing)
  }

  /// The rest of an instance that an input has touched; `nil` if it can be made without one.
  var newestRest: Rest? { isTouched ? state.withLock { $0.rest } : nil }

  /// Starts the work again that runs in the state.
  ///
  /// - Parameter origin: Whether other servers may run it.
  func resumeWork(_ origin: InputOrigin) {
    touch()
    work.resume(in: state.withLock { $0.state }, origin)
    work.waitToRefresh(self)
  }

  /// Loads all sources again that the clock loads.
  func refreshAll() { work.refresh(self) }

  /// The sources that the state loads again by the clock, with the time between two loads.
  var refreshes: [(work: PartWork, interval: Duration)] {
    screen.refreshes(in: state.withLock { $0.state })
  }

  /// Returns whether something has read the instance, sent it a command or waited for it within some time.
  func wasUsed(within time: Duration) -> Bool {
    publication.withLock { $0.hasWatchers }
      || use.isRecent(within: time, at: engine.environment.scheduler.now)
  }

  /// Notes the first input that changes the instance.
  private func touch() {
    if !touched.exchange(true, ordering: .acquiringAndReleasing) { host.touched(self) }
  }
}

extension Instance {
  /// Applies a command.
  func run(
    _ command: SentCommand, expecting expected: Set<RevisionToken>?, _ step: Step
  ) throws(CommandFailure) -> CommandOutcome {
    use.noteRead()
    do { try screen.check(command) } catch { throw .refused(error) }
    let transaction = try state.withLock { (state) throws(CommandFailure) in
      try state.run(command, expecting: expected, step)
    }
    step.move(self)
    step.settle(.command(command.type))
    return try state.withLock { (state) throws(CommandFailure) in
      if state.isOwnAndFails { throw .unavailable(.failed) }
      let (isPending, token) = (state.draft?.startsWork == true, state.newToken)
      return CommandOutcome(
        isAccepted: isPending || token != state.token || !transaction.changes.isEmpty,
        isPending: isPending, revision: token, details: transaction.details)
    }
  }

  /// Takes the end of a load.
  func end(
    _ source: PartWork, _ token: LoadToken, bringing result: JSONValue?,
    failing failure: LoadFailure?, _ step: Step
  ) {
    // What was under way when the key went comes too late.
    if isRemoved { return }
    let failure = state.withLock {
      $0.end(source, token, bringing: result, failing: failure, step)
    }
    step.move(self)
    let name = Text(String(describing: source))
    step.settle(failure.map { .failed(source: name, code: $0.code) } ?? .loaded(source: name))
  }

  /// Takes a value over that was loaded by the clock.
  func refresh(_ source: PartWork, with value: JSONValue, _ step: Step) {
    if isRemoved { return }
    state.withLock { $0.refresh(source, with: value, step) }
    step.move(self)
    step.settle(.loaded(source: Text(String(describing: source))))
  }

  /// Forgets the instance if its state still has the name.
  func end(_ token: RevisionToken, _ step: Step) {
    guard state.withLock({ $0.token }) == token else { return }
    state.withLock { $0.end(step) }
    step.move(self)
  }

  private var isRemoved: Bool { state.withLock { $0.isRemoved } }

  /// Returns whether the instance may show a change of a store.
  func shows(_ change: StoreChange, of store: Int) -> Bool {
    screen.shownParts.contains { part in
      switch part {
      case .element(let shown): shown == store && change.concerns(key.element)
      case .whole(let shown): shown == store
      }
    }
  }

  /// Updates the state after a change of a store.
  func follow(_ change: StoreChange, _ step: Step) {
    state.withLock { $0.follow(change, step) }
  }

  /// What the settled step has changed on each server; `nil` if it changed nothing, or only what one server has for
  /// its readers.
  var sharedChange: String? { state.withLock { $0.sharedChange } }

  /// Whether the revision of the step was made, if it has one.
  var isSettled: Bool { state.withLock { $0.draft?.isSettled == true } }

  /// Makes the revision of the step. If no reader waits for it, its view model is left to the first reader in two
  /// cases: if no reader has taken the previous revision, because few of many successive changes are ever read, and if
  /// the step changes many view models, so that one input does not make the view models of all sessions.
  func settle(_ cause: RevisionCause?, _ step: Step) {
    // A replay looks at each.
    let isSeen =
      use.isSeen && step.moved.count <= Self.seenLimit
      || engine.makesUnread.load(ordering: .relaxed)
      || publication.withLock { $0.hasWatchers }
    let time = step.time
    state.withLock { state in
      state.settle(
        cause, step, in: engine.environment,
        deferring: isSeen ? nil : { self.deferred($0, $1, time) })
    }
  }

  /// The number of changed view models beyond which a step makes only those for which a reader waits.
  private static var seenLimit: Int { 32 }

  private func deferred(
    _ state: AnyState, _ token: RevisionToken, _ time: Timestamp
  ) -> DeferredSnapshot {
    DeferredSnapshot { [rows, screen, loggedName, watchdog = engine.watchdog] in
      try watchdog.watch(loggedName) { try rows.assemble(state, by: screen) }
    } failed: { [weak self] message in
      self?.record(.assembly(message), at: token, time)
    }
  }

  /// Shows the revision to all readers; called under the gate.
  ///
  /// - Returns: The watchers to notify.
  func publish() -> [any RevisionWatcher] {
    state.withLock { state in
      publication.withLock {
        // Taken out once, because each look at a part of it copies the draft.
        guard let draft = state.draft else { return [] }
        switch draft.change {
        case .nothing: return []
        case .name(let revision):
          use.noteRevision()
          return $0.rename(revision)
        case .content(let revision):
          use.noteRevision()
          return $0.append(revision)
        case .fault: return $0.fail()
        case .removal: return $0.end()
        }
      }
    }
  }

  #if DEBUG
    /// The changes of the input so far.
    var trace: StepTrace { state.withLock { StepTrace(of: $0) } }

    /// Drops the changes of the input.
    func forget() { state.withLock { $0.forget() } }
  #endif

  /// Records an incident of the input, and leaves its host if the key was removed; called before watchers are
  /// notified.
  func conclude(_ step: Step) {
    let (isRemoved, incidents, token) = state.withLock {
      ($0.draft?.isRemoved == true, $0.newIncidents, $0.newToken)
    }
    if isRemoved {
      work.cancelAll()
      engine.incidents.removeAll(of: name)
      return host.ended(self)
    }
    for incident in incidents { record(incident, at: token, step.time) }
  }

  /// Keeps the changes of the input, and runs the effects; called last, without a lock.
  ///
  /// - Parameter origin: The place of the input. Work starts there; other servers take it over if it does not end.
  func finish(_ step: Step, _ origin: InputOrigin) {
    let (hadOwnState, finished) = state.withLock { ($0.hasOwnState, $0.finish()) }
    // Readers wait for the lock under which the revision was appended.
    _ = publication.withLock { $0.takeDropped() }
    guard let draft = finished, !draft.isRemoved else { return }
    let isNamed = draft.change.token != nil
    if draft.isMoved || draft.startsWork || draft.hasOwnState && isNamed { touch() }
    if draft.hasOwnState && !hadOwnState { host.ownsState(self) }
    if case .content = draft.change { host.published(self) }
    if origin == .past { return }
    work.perform(draft.effects, draft.works, of: self, at: step.time, origin)
    work.waitToRefresh(self)
  }

  /// Records an incident.
  ///
  /// - Parameter time: The time of the input that made the incident; `nil` if none made it.
  func record(
    _ kind: ScreenIncident.Kind, at token: RevisionToken? = nil, _ time: Timestamp? = nil
  ) {
    engine.incidents.record(
      ScreenIncident(screen: loggedName, kind: kind), of: name,
      at: token ?? state.withLock { $0.token }, time)
  }
}
