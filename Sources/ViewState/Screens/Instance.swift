import CanonicalJSON
import Snapshots
import Synchronization

/// The state, the history and the running work of one screen for one key.
///
/// Readers take the current revision from the log. The lock around the log is held for a look-up or an append,
/// never while the code of a screen runs.
final class Instance<S: Screen>: MovingInstance {
  let name: Text
  let epoch: RevisionEpoch

  let key: Text
  private let screen: DeclaredScreen<S>
  private let engine: Engine
  private let publication: Mutex<Publication>
  /// Touched by the thread that applies an input, and by no other; the lock shows the compiler what the
  /// engine guarantees, and is never contended.
  private let core: Mutex<Core>
  private let host: ScreenHost<S>
  private let work: RunningWork<S>
  /// The position of the input that created what the instance shows when the instance was made.
  private let born: Int
  private let touched = Atomic<Bool>(false)
  private let wasRead = Atomic<Bool>(false)

  private struct Core: Sendable {
    var state: S.State
    /// Whether `initialState` does not give the state.
    var hasOwnState: Bool
    var rows: RowCache
    /// The last revision that could be made.
    var head: Revision
    /// Whether none could be made so far, and the head only holds the place.
    var isBlank: Bool
    /// The reason why the state cannot be shown; `nil` if it can.
    var fault: Fault?
    var isRemoved = false
    /// The last time at which the instance is known to have been in use.
    var lastUse: Duration
    var draft: Draft?

    /// The name of the state.
    var token: RevisionToken { fault?.token ?? head.token }
  }

  /// The reason why a state cannot be shown, and the token of the state.
  private struct Fault: Sendable {
    let message: String
    let token: RevisionToken
  }

  /// The changes of the instance by an input.
  private struct Draft: Sendable {
    var state: S.State
    var effects: [Effect<PartWork>] = []
    /// The work of the effects that start some.
    var works: [Effect<PartWork>: Work] = [:]
    var command: SentCommand?
    /// Whether the input is for this instance.
    var isOwn = false
    /// The cause if it is not.
    var source: Text?
    var isRemoved = false
    var isSettled = false
    /// Whether the state has changed.
    var isMoved = false
    var hasOwnState = false
    /// The reason why the state cannot be shown; `nil` if it can.
    var fault: Fault?
    /// The state as JSON, if it was checked.
    var encodedState: [UInt8] = []
    /// The incident to log after the input is published.
    var incident: ScreenIncident.Kind?
    /// The revision to show, and whether a client sees a difference.
    var revision: Revision?
    var isVisible = false
  }

  /// Starts a history for the key with the screen's initial state, or with what was kept of it.
  init(
    screen: DeclaredScreen<S>, key: Text, rest: Rest<S.State>?, stores: Stores, engine: Engine,
    host: ScreenHost<S>
  ) throws(ScreenLookupError) {
    self.screen = screen
    self.key = key
    self.engine = engine
    self.host = host
    name = "\(screen.descriptor.name)/\(key)"

    let state = if let rest { rest.state } else { try screen.initialState(for: key, in: stores) }
    let version = stores.version(of: screen.shownParts, for: key)
    born = version.born
    epoch = rest?.token.epoch ?? engine.epoch(of: name, born: version.born)
    work = RunningWork(engine: engine, host: host, key: key, epoch: epoch)
    // Writes may have changed what it shows and not its state.
    let token = RevisionToken(
      epoch: epoch, number: max(rest?.token.number ?? 0, version.changed))
    var rows = RowCache()
    var snapshot = Snapshot.empty
    var fault: Fault?
    do {
      if rest == nil { try screen.checkInitial(state) }
      snapshot = try screen.assemble(state, rows: &rows)
      rows.endAssembly(of: snapshot)
      #if DEBUG
        if Self.isChecked(snapshot, token) {
          _ = try screen.checkedRecord(of: state, for: key, in: stores)
        }
      #endif
    } catch {
      fault = Fault(message: "\(error)", token: token)
    }
    let environment = engine.environment
    let first = Revision(
      of: name, token: token, snapshot: snapshot, cause: rest?.cause ?? .start,
      arguments: rest?.hadArguments == true ? .omitted : nil, date: rest?.date ?? environment.now(),
      operationCount: 0, publishedAt: environment.scheduler.now, retainedByteCount: 0,
      shownSince: rest?.shownSince)
    publication = Mutex(
      Publication(
        log: RevisionLog(first: first, limits: environment.logLimits),
        failure: fault == nil ? nil : .failed))
    core = Mutex(
      Core(
        state: state, hasOwnState: rest != nil, rows: rows, head: first, isBlank: fault != nil,
        fault: fault, lastUse: environment.scheduler.now))
    if let fault { record(.assembly(fault.message)) }
  }

  deinit {
    host.released(ObjectIdentifier(self), of: key)
    engine.environment.freed(byteCount)
  }
}

extension Instance {
  var current: Revision {
    noteRead()
    return publication.withLock { $0.log.current }
  }

  var failure: ScreenLookupError? { publication.withLock { $0.failure } }

  var incidents: [LoggedIncident] { engine.incidents.incidents(of: name) }

  var revisionCount: Int { publication.withLock { $0.log.count } }

  func kept(before end: RevisionToken?, limit: Int) -> [Revision] {
    publication.withLock { $0.log.kept(before: end, limit: limit) }
  }

  func revision(_ token: RevisionToken) throws(ResetReason) -> Revision {
    noteRead()
    return try publication.withLock { (publication) throws(ResetReason) in
      try publication.log.revision(token)
    }
  }

  /// Notes that the instance is in use. Most of the time this writes nothing, so that threads that read
  /// at once do not wait for each other.
  private func noteRead() {
    if !wasRead.load(ordering: .relaxed) { wasRead.store(true, ordering: .relaxed) }
  }

  func watch(
    after token: RevisionToken, _ watcher: any RevisionWatcher
  ) -> (any Cancellable)? {
    publication.withLock { $0.watch(after: token, watcher) }
      .map { Watch(instance: self, place: $0) }
  }

  private struct Watch: Cancellable {
    let instance: Instance
    let place: Int

    func cancel() {
      instance.publication.withLock { $0.unwatch(place) }
    }
  }

  func send(
    _ command: SentCommand, expecting expected: Set<RevisionToken>?
  ) async throws(CommandFailure) -> CommandOutcome {
    try await host.send(command, to: key, expecting: expected, once: nil)
  }
}

extension Instance {
  /// Whether an input has changed the state or started something since the instance was made, so that it
  /// cannot be made again as it is.
  var isTouched: Bool { touched.load(ordering: .acquiring) }

  var historyByteCount: Int { publication.withLock { $0.log.byteCount } }

  var byteCount: Int {
    publication.withLock { Self.overhead + $0.log.current.snapshot.byteCount + $0.log.byteCount }
  }

  /// The measured memory of an instance without its revisions and the content of the current one, in bytes.
  private static var overhead: Int { 4096 }

  func cutHistory(to byteCount: Int) {
    let before = historyByteCount
    // Let go when the lock is free: readers must not wait for it.
    let dropped = publication.withLock { $0.cutLog(to: byteCount) }
    if !dropped.isEmpty { engine.environment.freed(before - historyByteCount) }
  }

  func rest(at now: Duration) -> Bool {
    let isUsed = wasRead.exchange(false, ordering: .relaxed)
    let core = core.withLock { core in
      if isUsed { core.lastUse = now }
      return core
    }
    let isReady = publication.withLock { publication in
      !publication.hasWatchers
        && now - publication.log.current.publishedAt >= engine.environment.logLimits.age
    }
    if isUsed || !isReady || work.isLoading || core.isRemoved { return false }
    let rest = Rest(
      state: core.state, token: core.token,
      shownSince: core.fault?.token.number ?? core.head.shownSince, cause: core.head.cause,
      hadArguments: core.head.arguments != nil, date: core.head.date)
    host.rests(self, as: core.hasOwnState ? rest : nil)
    touched.store(false, ordering: .releasing)
    return true
  }

  /// Notes the first input that changes the instance.
  private func touch() {
    if !touched.exchange(true, ordering: .acquiringAndReleasing) { host.touched(self) }
  }
}

/// The state and the token of an instance that is not in use, from which it can be made again.
struct Rest<State: Sendable>: Sendable {
  let state: State
  let token: RevisionToken
  /// The number of the first token under which the view model was shown without a break.
  let shownSince: Int
  let cause: RevisionCause
  let hadArguments: Bool
  let date: Timestamp
}

extension Instance {
  /// Runs a command.
  func run(
    _ command: SentCommand, expecting expected: Set<RevisionToken>?, _ step: Step
  ) throws(CommandFailure) -> CommandOutcome {
    noteRead()
    do { try screen.check(command) } catch { throw .refused(error) }
    let (before, isInitial, token, isRemoved) = core.withLock {
      ($0.state, !$0.hasOwnState, $0.token, $0.isRemoved)
    }
    if isRemoved { throw .unavailable(.deletedKey) }
    if let expected, !expected.contains(token) { throw .outdated(current: token) }
    var (state, transaction) = (before, step.transaction)
    let effects: [Effect<PartWork>]
    do throws(Refusal) {
      transaction.key = key
      effects = try screen.run(
        command, on: &state, isInitial: isInitial, for: key, in: &transaction)
    } catch {
      throw .refused(error)
    }
    step.transaction = transaction
    prepare(Draft(state: state, effects: effects, command: command, isOwn: true), step)
    step.settle(.command(command.type))
    let (draft, head, fault) = core.withLock { ($0.draft, $0.head, $0.fault) }
    if draft?.fault != nil || fault != nil && draft?.revision == nil {
      throw .unavailable(.failed)
    }
    let isPending = draft?.effects.contains(where: \.isStart) == true
    return CommandOutcome(
      isAccepted: isPending || draft?.revision != nil || !transaction.changes.isEmpty,
      isPending: isPending, revision: (draft?.revision ?? head).token,
      details: transaction.details)
  }

  /// Takes the end of a load.
  func end(
    _ source: PartWork, _ token: LoadToken, bringing result: JSONValue?,
    failing failure: LoadFailure?, _ step: Step
  ) {
    let (before, isRemoved) = core.withLock { ($0.state, $0.isRemoved) }
    // What was under way when the key went comes too late.
    if isRemoved { return }
    var (state, failure) = (before, failure)
    let effects = screen.end(
      source, token, bringing: result, failing: &failure, on: &state, for: key,
      in: &step.transaction)
    prepare(Draft(state: state, effects: effects, isOwn: true), step)
    let name = Text(String(describing: source))
    step.settle(failure.map { .failed(source: name, code: $0.code) } ?? .loaded(source: name))
    if let failure, failure != .cancelled, state != before {
      let incident = screen.incident(failure, of: source)
      core.withLock { $0.draft?.incident = incident }
    }
  }

  /// Takes a value over that was loaded by the clock.
  func refresh(_ source: PartWork, with value: JSONValue, _ step: Step) {
    let (before, isRemoved) = core.withLock { ($0.state, $0.isRemoved) }
    if isRemoved { return }
    var state = before
    screen.refresh(source, with: value, on: &state, for: key)
    prepare(Draft(state: state, isOwn: true), step)
    step.settle(.loaded(source: Text(String(describing: source))))
  }

  private func prepare(_ draft: Draft, _ step: Step) {
    var draft = draft
    begin(draft.effects, &draft, step)
    core.withLock { $0.draft = draft }
    step.move(self)
  }

  /// Decides how the work goes that effects start.
  private func begin(_ effects: [Effect<PartWork>], _ draft: inout Draft, _ step: Step) {
    for effect in effects {
      guard case .start(let source, _) = effect else { continue }
      draft.works[effect] = screen.start(source, for: key, in: &step.transaction)
    }
  }

  func shows(_ change: StoreChange, of store: Int) -> Bool {
    screen.shownParts.contains { part in
      switch part {
      case .element(let shown): shown == store && change.keys.contains(key)
      case .whole(let shown): shown == store
      }
    }
  }

  func follow(_ change: StoreChange, _ step: Step) {
    var (draft, hasOwnState) = core.withLock {
      ($0.draft ?? Draft(state: $0.state), $0.hasOwnState)
    }
    defer { core.withLock { [draft] in $0.draft = draft } }
    draft.source = change.source
    let stores = step.transaction.stores
    do throws(ScreenLookupError) {
      if draft.isOwn || hasOwnState {
        let effects = try screen.follow(stores, on: &draft.state, for: key)
        begin(effects, &draft, step)
        draft.effects += effects
      } else if stores.version(of: screen.shownParts, for: key).born == born {
        draft.state = try screen.initialState(for: key, in: stores)
      } else {
        // Made again, so that the epoch does not depend on whether a reader came before the key was created.
        draft.isRemoved = true
      }
    } catch {
      draft.isRemoved = true
    }
  }

  var isSettled: Bool { core.withLock { $0.draft?.isSettled == true } }

  func settle(_ cause: RevisionCause?, _ step: Step) {
    let core = core.withLock { $0 }
    guard var draft = core.draft, !draft.isSettled else { return }
    draft.isSettled = true
    defer { self.core.withLock { [draft] in $0.draft = draft } }
    draft.hasOwnState = core.hasOwnState || draft.effects.contains(where: \.isStart)
    let isMoved = draft.state != core.state
    // Equal states may differ as JSON: `1` and `"1"` are one id. The one that is shown stays.
    if !isMoved { draft.state = core.state }
    draft.isMoved = isMoved
    if draft.isRemoved || !isMoved && draft.source == nil { return }
    let token = RevisionToken(epoch: epoch, number: step.position)
    draft.hasOwnState = core.hasOwnState || draft.isOwn && !isInitial(draft, token, step)
    guard isMoved else {
      draft.fault = core.fault.map { Fault(message: $0.message, token: token) }
      if draft.fault == nil { draft.revision = core.head.renamed(token) }
      return
    }
    var rows = core.rows
    do {
      if !draft.isOwn && !core.hasOwnState { try screen.checkInitial(draft.state) }
      let snapshot = try screen.assemble(draft.state, rows: &rows)
      rows.endAssembly(of: snapshot)
      #if DEBUG
        if Self.isChecked(snapshot, token) {
          draft.encodedState = try screen.checkedRecord(
            of: draft.state, for: key, in: step.transaction.stores)
        }
      #endif
      draft.isVisible = core.isBlank || snapshot != core.head.snapshot
      draft.revision =
        draft.isVisible
        ? revision(token, of: snapshot, after: core.head, draft, cause, step)
        : core.head.renamed(token)
      self.core.withLock { [rows] in $0.rows = rows }
    } catch {
      // The state goes on without a view, so that another input can make it right.
      draft.fault = Fault(message: "\(error)", token: token)
    }
  }

  /// Returns whether an instance that is made again would have the same state and token.
  private func isInitial(_ draft: Draft, _ token: RevisionToken, _ step: Step) -> Bool {
    let stores = step.transaction.stores
    let version = stores.version(of: screen.shownParts, for: key)
    return version.changed == token.number && !draft.effects.contains(where: \.isStart)
      && (try? screen.initialState(for: key, in: stores)) == draft.state
  }

  private func revision(
    _ token: RevisionToken, of snapshot: Snapshot, after previous: Revision, _ draft: Draft,
    _ cause: RevisionCause?, _ step: Step
  ) -> Revision {
    let changes = snapshot.difference(from: previous.snapshot)
    let arguments = draft.command.flatMap { Revision.Arguments(of: $0) }
    return Revision(
      of: name, token: token, snapshot: snapshot,
      cause: draft.isOwn ? cause ?? .start : .storeWrite(source: draft.source ?? ""),
      arguments: arguments, date: step.time,
      operationCount: changes.rows.operationCount + changes.sections.operationCount,
      publishedAt: engine.environment.scheduler.now,
      retainedByteCount: Revision.objectByteCount + (arguments?.byteCount ?? 0)
        + snapshot.byteCount(beside: previous.snapshot)
        + previous.snapshot.byteCount(beside: snapshot))
  }

  func publish() -> [any RevisionWatcher] {
    let core = core.withLock { $0 }
    guard let draft = core.draft else { return [] }
    if draft.isRemoved { return publication.withLock { $0.end() } }
    if draft.fault != nil { return publication.withLock { $0.fail() } }
    guard let revision = draft.revision else { return [] }
    return publication.withLock {
      draft.isVisible ? $0.append(revision) : $0.rename(revision)
    }
  }

  #if DEBUG
    var trace: StepTrace {
      let (draft, head) = core.withLock { ($0.draft, $0.head) }
      let revision = draft?.revision ?? head
      return StepTrace(
        name: name, revision: draft?.fault?.token ?? revision.token,
        digest: draft?.fault == nil ? revision.snapshot.digest : nil,
        state: draft?.encodedState ?? [], effects: draft?.effects.map(\.name) ?? [],
        isRemoved: draft?.isRemoved == true)
    }

    /// Returns whether the state is checked: a small one, after one input of eight, because the check takes
    /// longer than the rest of the step.
    private static func isChecked(_ snapshot: Snapshot, _ token: RevisionToken) -> Bool {
      snapshot.numberOfItems <= 100 && token.number % 8 == 0
    }

    func forget() {
      core.withLock { $0.draft = nil }
    }
  #endif

  func leave() {
    let isRemoved = core.withLock { core in
      guard core.draft?.isRemoved == true else { return false }
      core.isRemoved = true
      return true
    }
    guard isRemoved else { return }
    work.cancelAll()
    engine.incidents.removeAll(of: name)
    host.ended(self)
  }

  func finish(startingWork: Bool) {
    let (draft, before) = core.withLock { core -> (Draft?, Fault?) in
      guard let draft = core.draft else { return (nil, nil) }
      defer {
        core.state = draft.state
        core.hasOwnState = draft.hasOwnState
        core.head = draft.revision ?? core.head
        core.isBlank = core.isBlank && draft.revision == nil
        core.fault = draft.revision == nil ? draft.fault ?? core.fault : nil
        core.draft = nil
      }
      return (draft, core.fault)
    }
    guard let draft, !draft.isRemoved else { return }
    if let incident = draft.incident { record(incident) }
    if let fault = draft.fault, fault.message != before?.message {
      record(.assembly(fault.message))
    }
    let isNamed = draft.revision != nil || draft.fault != nil
    if draft.isMoved || draft.effects.contains(where: \.isStart) || draft.hasOwnState && isNamed {
      touch()
    }
    if draft.isVisible { host.published(self) }
    if startingWork {
      for effect in draft.effects { perform(effect, draft.works) }
      waitToRefresh()
    }
  }

  /// Lets the clock load the sources that the state loads again, unless it does already.
  private func waitToRefresh() {
    for (source, interval) in screen.refreshes(in: core.withLock { $0.state }) {
      work.waitToRefresh(source, for: interval) { [weak self] in self?.refresh(source) }
    }
  }

  /// Loads all sources again that the clock loads.
  func startRefreshes() {
    for (source, _) in screen.refreshes(in: core.withLock { $0.state }) { refresh(source) }
  }

  /// Whether something has read the instance, sent it a command or waited for it for as long as histories
  /// reach.
  private var isInUse: Bool {
    let lastUse = core.withLock { $0.lastUse }
    return wasRead.load(ordering: .relaxed) || publication.withLock { $0.hasWatchers }
      || engine.environment.scheduler.now - lastUse < engine.environment.logLimits.age
  }

  /// Loads a source again. The screen shows the old value until there is a new one. While the screen is not
  /// in use, the source is left alone, so that the screen comes to rest.
  private func refresh(_ source: PartWork) {
    guard isInUse else { return waitToRefresh() }
    var transaction = Transaction(engine.stores, at: 0, engine.environment.now())
    guard case .running(let load) = screen.unscripted(source, for: key, in: &transaction) else {
      return
    }
    work.refresh(source, by: load) { [weak self] result in
      guard let self else { return }
      switch result {
      case .success(let value):
        engine.post(Refresh(host: host, key: key, epoch: epoch, source: source, value: value))
      case .failure(let failure):
        record(screen.incident(failure, of: source))
      }
      waitToRefresh()
    }
  }

  private func record(_ kind: ScreenIncident.Kind) {
    engine.incidents.record(
      ScreenIncident(screen: name, kind: kind), at: core.withLock { $0.token })
  }

  private func perform(_ effect: Effect<PartWork>, _ works: [Effect<PartWork>: Work]) {
    switch effect {
    case .start(let source, let token):
      work.start(source, token, works[effect] ?? .hanging)
    case .end(let source, let token): work.end(source, token)
    case .record(let source, let refusal, let action, let state):
      record(.transition(source: "\(source)", refusal, action: action, state: state))
    }
  }
}

extension Effect {
  fileprivate var isStart: Bool {
    guard case .start = self else { return false }
    return true
  }
}
