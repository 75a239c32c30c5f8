package import CanonicalJSON
import Snapshots
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
  /// The position of the input that created what the instance shows when the instance was made.
  let born: Int
  let host: ScreenHost
  let publication: Mutex<Publication>
  /// The thread that applies an input changes it. Others read it between inputs, and readers who make an instance of
  /// another session also during one. Each holds the lock only for a moment.
  private let state: Mutex<InstanceState>
  let work: RunningWork
  /// Makes the revisions from before the instance was made; `nil` if it was made with a state of its own.
  let former: FormerRevisions?
  /// Whether the log may lack revisions that can be made again.
  let isCut = Atomic<Bool>(true)
  let touched = Atomic<Bool>(false)
  let use = InstanceUse()
  let rows: SharedRows

  /// Starts a history for the key with the screen's initial state, or with what was kept of it.
  ///
  /// - Parameters:
  ///   - first: The first view of another session of the same element. A session that begins with an equal state takes
  ///     it over, so that many sessions lay one view model out.
  ///   - rows: The rows to begin with.
  ///   - isForInput: Whether an input needs the instance. The view model of a rest is left to its first reader then,
  ///     because one input may need many.
  init(
    of host: ScreenHost, _ key: InstanceKey, rest: Rest?, like first: FirstView?,
    _ rows: SharedRows = SharedRows(nil), stores: Stores, forInput isForInput: Bool
  ) throws(ScreenLookupError) {
    let (screen, engine) = (host.screen, host.engine)
    (self.host, self.key) = (host, key)
    self.rows = rows
    name = host.name(of: key)
    loggedName = host.loggedName(key.text)
    let version = stores.version(of: screen.shownStores, for: key.element)
    let (known, value): (FirstView?, AnyState)
    if let rest {
      (known, value) = (nil, rest.state)
    } else {
      let initial = try screen.initialState(for: key.element, in: stores)
      known = first.flatMap { $0.state.isAlike(to: initial) ? $0 : nil }
      value = known?.state ?? initial
    }
    born = version.born
    epoch = rest?.token.epoch ?? engine.epoch(of: name, born: born)
    initialEpoch = key.hasSession ? engine.epoch(of: name, born: -1 - born) : epoch
    let environment = engine.environment
    let token = RevisionToken(
      epoch: rest == nil ? initialEpoch : epoch, number: rest?.token.number ?? version.changed)
    let date = rest?.date ?? stores.date(of: version)
    var (snapshot, fault) = (Snapshot.empty, Publication.Fault?.none)
    let left = isForInput ? rest : nil
    do {
      if rest == nil && known == nil { try screen.checkInitial(value) }
      if let known {
        snapshot = known.snapshot
      } else if left == nil {
        snapshot = try rows.assemble(value, at: token.number, by: screen).snapshot
      }
      #if DEBUG
        if left == nil, environment.checks(snapshot, at: token) {
          _ = try screen.checkedRecord(of: value, showing: snapshot, for: key.element, in: stores)
        }
      #endif
    } catch {
      fault = .init(message: "\(error)", token: token, date: date)
    }
    let head = Revision(
      of: name, token: token, .made(snapshot), cause: rest?.cause ?? .start,
      arguments: rest?.hadArguments == true ? .omitted : nil, date: date,
      publishedAt: environment.scheduler.now, shownSince: rest?.shownSince)
    publication = Mutex(
      Publication(log: RevisionLog(first: head, limits: environment.logLimits), fault: fault))
    state = Mutex(
      InstanceState(
        value: value, hasOwnState: rest != nil, measuredByteCount: rest?.measuredByteCount ?? 0,
        broughtByteCount: rest?.broughtByteCount ?? 0, share: rest?.share ?? 0))
    work = RunningWork(of: host, key, epoch)
    former =
      rest == nil
      ? FormerRevisions(of: name, screen, key, initialEpoch, born: born, until: token.number) : nil
    if let fault { record(.assembly(fault.message), at: fault.token, fault.date) }
    if let left { leave(left) }
  }

  deinit {
    host.released(ObjectIdentifier(self), of: key.text)
    engine.environment.freed(byteCount)
  }
}

extension Instance {
  var screen: any EngineScreen { host.screen }
  var engine: Engine { host.engine }

  /// The current revision, for those who do not show it.
  var head: Revision { publication.withLock { $0.log.current } }

  /// The current revision; `nil` if it is known that the state cannot be shown.
  var shownHead: Revision? {
    publication.withLock { $0.failure == nil ? $0.log.current : nil }
  }

  /// The current revision. If the instance fails, it is the last revision that could be shown, or an empty one.
  /// Reading it does not wait for an input.
  package var current: Revision {
    use.noteSeen()
    return publication.withLock { $0.log.current }
  }

  /// Returns whether `token` names the current revision and the instance does not fail.
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
  /// or it fails; `nil` if the current revision can be shown.
  package var failure: ScreenLookupError? {
    publication.withLock { Published(revision: $0.log.current, failure: $0.failure) }.shownFailure
  }

  /// Whether the key was removed, so that no further revision comes.
  package var isEnded: Bool { publication.withLock { $0.isRemoved } }

  /// The newest incidents of the view model, at most 50, newest first.
  package var incidents: [LoggedIncident] { engine.incidents.incidents(of: name) }

  /// The number of kept revisions, the current one included.
  package var revisionCount: Int { publication.withLock { $0.log.count } }

  /// Notifies `watcher` once when clients see other content than at `token`, or when the key is removed.
  ///
  /// - Parameters:
  ///   - token: The revision that the client has; `nil` if the client knows that the instance fails.
  ///   - watcher: The watcher.
  /// - Returns: The subscription; `nil` if this has happened already, so that `watcher` is not notified. No
  ///   change is lost in between.
  package func watch(
    after token: RevisionToken?, _ watcher: any RevisionWatcher
  ) -> (any Cancellable)? {
    // Makes the view model, if that is left to its first reader: only then it is known whether it fails.
    if (failure == nil) != (token != nil) { return nil }
    return publication.withLock { $0.watch(after: token, watcher) }
      .map { place in Cancellation { [self] in publication.withLock { $0.unwatch(place) } } }
  }

  /// Runs a command; see ``ScreenRegistry/send(_:to:_:expecting:once:)``.
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
    publication.withLock { publication in
      // The rows of the last assembly stay until the next one.
      let current = publication.log.current
      let shown = current.isMade ? current.snapshot : rows.snapshot
      return (Self.overhead + shown.byteCount, publication.log.byteCount)
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

  /// Starts the work again that runs in the state.
  ///
  /// - Parameter origin: Whether other servers may run it.
  func resumeWork(_ origin: InputOrigin) {
    touch()
    work.resume(in: state.withLock { $0.value }, origin)
    work.waitToRefresh(self)
  }

  /// Loads all sources again that the clock loads.
  func refreshAll() { work.refresh(self) }

  /// The sources that the state loads again by the clock, with the time between two loads.
  var refreshes: [(work: PartWork, interval: Duration)] {
    screen.refreshes(in: state.withLock { $0.value })
  }

  /// Whether a reader waits for the next revision.
  var hasWatchers: Bool { publication.withLock { $0.hasWatchers } }

  /// Returns whether something has read the instance, sent it a command or waited for it since some time.
  func wasUsed(since time: Duration) -> Bool { hasWatchers || use.isKnown(since: time) }

  /// Notes the first input that changes the instance.
  func touch() {
    if !touched.exchange(true, ordering: .acquiringAndReleasing) { host.touched(self) }
  }
}

/// What an input changes.
extension Instance {
  /// What an input begins with. An instance whose key was removed has left its host, so that no input finds it.
  var last: (state: InstanceState, head: Revision, fault: Publication.Fault?, isBlank: Bool) {
    state.withLock { state in
      publication.withLock { (state, $0.log.current, $0.fault, $0.isBlank) }
    }
  }

  /// What the instance shows without a state of its own; `nil` if it has one, or if its view model is not made.
  var firstView: FirstView? {
    let (state, head, fault, _) = last
    guard !state.hasOwnState, fault == nil, head.isMade, head.failure == nil else { return nil }
    return FirstView(state: state.value, snapshot: head.snapshot, rows: rows.cache)
  }

  /// Keeps the changes of an input, and shows them to all readers; called under the gate.
  ///
  /// - Returns: The watchers to notify.
  func publish(_ draft: InstanceDraft) -> [any RevisionWatcher] {
    state.withLock { state in
      publication.withLock {
        // The draft keeps the former state, so that it is released after the gate.
        state = draft.after
        if draft.change.revision != nil { use.noteRevision() }
        return $0.show(draft.change)
      }
    }
  }

  /// Records the incidents of an input, and leaves its host if the key was removed; called before watchers are
  /// notified.
  func conclude(_ draft: InstanceDraft, _ step: Step) {
    if draft.isRemoved {
      work.cancelAll()
      engine.incidents.removeAll(of: name)
      return host.ended(self)
    }
    for incident in draft.incidents { record(incident, at: draft.newToken, step.time) }
  }

  /// Runs the effects of an input; called last, without a lock.
  ///
  /// - Parameter origin: The place of the input. Work starts there; other servers take it over if it does not end.
  func finish(_ draft: InstanceDraft, _ origin: InputOrigin) {
    // Readers wait for the lock under which the revision was appended.
    _ = publication.withLock { $0.takeDropped() }
    guard draft.isSettled, !draft.isRemoved else { return }
    let isFirst = draft.after.hasOwnState && !draft.before.hasOwnState
    if draft.isMoved || isFirst { touch() }
    if isFirst { host.ownsState(self) }
    if case .content = draft.change { host.published(self) }
    if origin == .past || origin == .former { return }
    work.perform(draft, origin)
  }

  /// Records an incident.
  ///
  /// - Parameter time: The time of the input that made the incident; `nil` if none made it.
  func record(
    _ kind: ScreenIncident.Kind, at token: RevisionToken? = nil, _ time: Timestamp? = nil
  ) {
    engine.incidents.record(
      ScreenIncident(screen: loggedName, kind: kind), of: name,
      at: token ?? publication.withLock { $0.token }, time)
  }
}
