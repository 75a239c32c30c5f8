import CanonicalJSON
import Snapshots

/// The state of a screen for one key, and the changes that an input makes to it, as values: an ``Instance``
/// publishes them and runs their work.
///
/// An input first makes a draft, which follows the stores that the input changes and is then settled: it gets
/// its rows and its revision. ``finish()`` makes the settled draft the state.
struct InstanceState: Sendable {
  let screen: any EngineScreen
  /// The key that the screen is asked for.
  let key: Text
  private let hasSession: Bool
  let name: Text
  /// The epoch of tokens once the view model has a state of its own.
  let epoch: RevisionEpoch
  /// The epoch of tokens before. In a session it is another one: after the session was forgotten, no token of its
  /// state may name what the stores give.
  let initialEpoch: RevisionEpoch
  /// The position of the input that created what the instance shows when the instance was made.
  let born: Int

  private(set) var state: AnyState
  /// Whether `initialState` does not give the state.
  private(set) var hasOwnState: Bool
  private let rows: SharedRows
  /// The last revision that could be made.
  private(set) var head: Revision
  /// Whether none could be made so far, and the head only holds the place.
  private var isBlank: Bool
  /// The reason why the state cannot be shown; `nil` if it can.
  private(set) var fault: Fault?
  /// Whether the key was removed.
  private(set) var isRemoved = false
  /// The memory of all that inputs have brought into the state, in bytes, estimated.
  private var broughtByteCount: Int
  /// The share of the instance in ``EngineMemory/stateByteCount``, after the last input for it.
  private var share: Int
  private(set) var draft: Draft?

  /// The name of the state.
  var token: RevisionToken { fault?.token ?? head.token }

  /// The name of the state after the input.
  var newToken: RevisionToken { draft?.change.token ?? token }

  /// Whether the state is the view model's own, and cannot be shown after the input.
  ///
  /// It says nothing of one that is made of the stores: that is shown only if it has readers, and an answer does not
  /// depend on them.
  var isOwnAndFails: Bool {
    guard let draft, draft.hasOwnState else { return false }
    return switch draft.change {
    case .fault: true
    case .name, .content: false
    case .nothing, .removal: fault != nil || head.failure != nil
    }
  }

  /// What the log has to say of the input.
  var newIncidents: [ScreenIncident.Kind] {
    guard let draft else { return [] }
    let known = fault?.message ?? (head.isMade ? head.failure : nil)
    var incidents = draft.incident.map { [$0] } ?? []
    if case .fault(let fault) = draft.change, fault.message != known {
      incidents.append(.assembly(fault.message))
    }
    return incidents
  }

  /// The reason why a state cannot be shown, the token of the state, and the time of the input that made it.
  struct Fault: Sendable {
    let message: String
    let token: RevisionToken
    let date: Timestamp
  }

  /// What an input changes for readers.
  enum Change: Sendable {
    case nothing
    /// The revision is the same, with a newer token.
    case name(Revision)
    /// The revision shows something else.
    case content(Revision)
    /// The state cannot be shown.
    case fault(Fault)
    /// The key was removed.
    case removal

    /// The revision after the input; `nil` if there is no other one.
    var revision: Revision? {
      switch self {
      case .name(let revision), .content(let revision): revision
      case .nothing, .fault, .removal: nil
      }
    }

    /// The name of the state after the input; `nil` if it keeps its name.
    var token: RevisionToken? {
      if case .fault(let fault) = self { fault.token } else { revision?.token }
    }
  }

  /// The changes by an input.
  struct Draft: Sendable {
    fileprivate var state: AnyState
    fileprivate(set) var effects: [Effect] = []
    /// The work of the effects that start some.
    fileprivate(set) var works: [Effect: Work] = [:]
    fileprivate var command: SentCommand?
    /// Whether the input is for this instance.
    fileprivate var isOwn = false
    /// The memory of what the input brings, in bytes, estimated.
    fileprivate var byteCount = 0
    fileprivate var broughtByteCount = 0
    fileprivate var share = 0
    /// The cause if the input is for another instance or a store.
    fileprivate var source: Text?
    fileprivate(set) var change = Change.nothing
    fileprivate(set) var isSettled = false
    /// Whether the state has changed.
    fileprivate(set) var isMoved = false
    fileprivate(set) var hasOwnState = false
    /// The state as JSON, if it was checked.
    fileprivate(set) var encodedState: [UInt8] = []
    /// The incident to log after the input is published.
    fileprivate(set) var incident: ScreenIncident.Kind?

    var startsWork: Bool { effects.contains(where: \.isStart) }

    var isRemoved: Bool { if case .removal = change { true } else { false } }

    fileprivate var arguments: Revision.Arguments? {
      command.flatMap { Revision.Arguments(of: $0) }
    }
  }

  /// Begins with the screen's initial state, or with what was kept of the instance.
  init(
    _ screen: any EngineScreen, _ instance: InstanceKey, rest: Rest?, in stores: Stores,
    of engine: Engine, _ rows: SharedRows
  ) throws(ScreenLookupError) {
    let key = instance.element
    (self.screen, self.key, self.rows) = (screen, key, rows)
    hasSession = instance.hasSession
    name = "\(screen.descriptor.name)/\(instance.text)"
    state = if let rest { rest.state } else { try screen.initialState(for: key, in: stores) }
    hasOwnState = rest != nil
    broughtByteCount = rest?.broughtByteCount ?? 0
    share = rest?.share ?? 0
    let version = stores.version(of: screen.shownParts, for: key)
    born = version.born
    epoch = rest?.token.epoch ?? engine.epoch(of: name, born: version.born)
    initialEpoch =
      hasSession ? engine.epoch(of: name, born: -1 - version.born) : epoch
    let token = RevisionToken(
      epoch: rest == nil ? initialEpoch : epoch, number: rest?.token.number ?? version.changed)
    let date = rest?.date ?? stores.date(of: version)
    var snapshot = Snapshot.empty
    do {
      if rest == nil { try screen.checkInitial(state) }
      snapshot = try rows.assemble(state, by: screen)
      #if DEBUG
        if Self.isChecked(snapshot, token, engine.environment) {
          _ = try screen.checkedRecord(of: state, for: key, in: stores)
        }
      #endif
    } catch {
      fault = Fault(message: "\(error)", token: token, date: date)
    }
    isBlank = fault != nil
    head = Revision(
      of: name, token: token, snapshot: snapshot, cause: rest?.cause ?? .start,
      arguments: rest?.hadArguments == true ? .omitted : nil, date: date,
      publishedAt: engine.environment.scheduler.now, retainedByteCount: 0,
      shownSince: rest?.shownSince)
  }

  /// The rest of the instance, from which it can be made again; `nil` if it can be made from the stores.
  var rest: Rest? {
    guard hasOwnState else { return nil }
    return Rest(
      state: state, token: token, shownSince: fault?.token.number ?? head.shownSince,
      cause: head.cause, hadArguments: head.arguments != nil, date: fault?.date ?? head.date,
      broughtByteCount: broughtByteCount, share: share)
  }
}

// MARK: - The draft of an input

extension InstanceState {
  /// Runs a command, and makes a draft of what it changes.
  ///
  /// - Returns: The changes of stores by the command, and its details.
  /// - Throws: ``CommandFailure``; nothing has changed then.
  mutating func run(
    _ command: SentCommand, expecting expected: Set<RevisionToken>?, _ step: Step
  ) throws(CommandFailure) -> Transaction {
    if isRemoved { throw .unavailable(.deletedKey) }
    if let expected, !expected.contains(token) { throw .outdated(current: token) }
    var (state, transaction) = (state, step.transaction)
    var draft: Draft
    do throws(Refusal) {
      transaction.key = key
      let effects = try screen.run(
        command, on: &state, isInitial: !hasOwnState, for: key, in: &transaction)
      draft = Draft(state: state, effects: effects, command: command, isOwn: true)
    } catch {
      throw .refused(error)
    }
    draft.byteCount = command.body.value.memoryByteCount + transaction.broughtByteCount
    try checkRoom(for: draft, step)
    step.transaction = transaction
    prepare(draft, step)
    return transaction
  }

  /// Checks that the states of all view models may take more bytes, if a draft changes the state. Commands of sessions
  /// leave a quarter to the view models that clients share; what sources bring is not refused.
  private func checkRoom(for draft: Draft, _ step: Step) throws(CommandFailure) {
    let byteCount = draft.byteCount
    let total = step.transaction.stores.settings.stateByteCount
    let limit = hasSession ? total - total / 4 : total
    let room = limit - step.memory.stateByteCount + share
    let brought = broughtByteCount + byteCount
    // What is shown is only looked at near the limit, because it may have to be made.
    if share(bringing: brought, showing: brought) <= room { return }
    let growth = share(bringing: brought, showing: shownByteCount + byteCount) - share
    // The states are compared last, because that takes longest.
    if growth > 0 && step.memory.stateByteCount + growth > limit,
      draft.startsWork || draft.state != state
    {
      throw .full
    }
  }

  /// Takes the end of a load, and makes a draft of what it changes.
  ///
  /// - Returns: The failure of the load; `nil` if there is none.
  mutating func end(
    _ source: PartWork, _ token: LoadToken, bringing result: JSONValue?,
    failing failure: LoadFailure?, _ step: Step
  ) -> LoadFailure? {
    var (state, failure) = (state, failure)
    step.transaction.key = key
    let effects = screen.end(
      source, token, bringing: result, failing: &failure, on: &state, for: key,
      in: &step.transaction)
    var draft = Draft(state: state, effects: effects, isOwn: true)
    draft.byteCount = result?.memoryByteCount ?? 0
    if let failure, failure != .cancelled, state != self.state {
      draft.incident = screen.incident(failure, of: source)
    }
    prepare(draft, step)
    return failure
  }

  /// Takes a value over that was loaded by the clock, and makes a draft of what it changes.
  mutating func refresh(_ source: PartWork, with value: JSONValue, _ step: Step) {
    var draft = Draft(state: state, isOwn: true, byteCount: value.memoryByteCount)
    step.transaction.key = key
    draft.effects = screen.refresh(source, with: value, on: &draft.state, for: key)
    prepare(draft, step)
  }

  /// Makes a draft with which the instance is forgotten.
  mutating func end(_ step: Step) {
    draft = Draft(state: state, isOwn: true, change: .removal)
  }

  private mutating func prepare(_ draft: consuming Draft, _ step: Step) {
    begin(draft.effects, &draft, step)
    self.draft = draft
  }

  /// Decides how the work goes that effects start.
  private func begin(_ effects: [Effect], _ draft: inout Draft, _ step: Step) {
    for effect in effects {
      guard case .start(let source, _) = effect else { continue }
      draft.works[effect] = screen.start(source, for: key, in: &step.transaction)
    }
  }

  /// Updates the draft after a change of a store, and makes one if there is none.
  mutating func follow(_ change: StoreChange, _ step: Step) {
    var draft = draft.take() ?? Draft(state: state)
    defer { self.draft = draft }
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
        draft.change = .removal
      }
    } catch {
      draft.change = .removal
    }
  }
}

// MARK: - The revision of an input

extension InstanceState {
  /// Makes the rows and the revision of the draft.
  ///
  /// - Parameter deferring: Leaves the view model of a state to its first reader; `nil` if it must be made now.
  mutating func settle(
    _ cause: RevisionCause?, _ step: Step, in environment: ScreenEnvironment,
    deferring: ((AnyState, RevisionToken) -> DeferredSnapshot)?
  ) {
    guard draft?.isSettled == false, var draft = draft.take() else { return }
    draft.isSettled = true
    draft.hasOwnState = hasOwnState || draft.startsWork
    // Equal states may differ as JSON: `1` and `"1"` are one id. Of the view model's own states the one that is shown
    // stays, on all servers; one that is made of the stores is shown as it is, because not all servers had the other.
    let isKept =
      draft.isOwn || hasOwnState ? draft.state == state : draft.state.isAlike(to: state)
    draft.isMoved = !isKept
    if isKept { draft.state = state }
    // A session's first state of its own has a token of another epoch, even if it is as the stores give it.
    let isFirst = draft.hasOwnState && !hasOwnState && epoch != initialEpoch
    if !draft.isRemoved, draft.isMoved || draft.source != nil || isFirst {
      show(&draft, cause, step, environment, deferring)
    }
    let byteCount = draft.isMoved ? draft.byteCount : 0
    // What the stores give may be made again, and has nothing to remember then.
    draft.broughtByteCount = draft.hasOwnState ? broughtByteCount + byteCount : 0
    if !draft.isRemoved, draft.hasOwnState {
      // A write to a store brings nothing into the state, and may be shown later. What moves nothing is not kept.
      draft.share = share
    }
    if !draft.isRemoved, draft.hasOwnState, draft.isOwn && draft.isMoved || !hasOwnState {
      let revision = draft.change.revision.flatMap { $0.failure == nil ? $0 : nil }
      let shown = revision?.snapshot.byteCount ?? shownByteCount + byteCount
      draft.share = share(bringing: draft.broughtByteCount, showing: shown)
    }
    step.memory.stateByteCount += draft.share - share
    self.draft = draft
  }

  private mutating func show(
    _ draft: inout Draft, _ cause: RevisionCause?, _ step: Step, _ environment: ScreenEnvironment,
    _ deferring: ((AnyState, RevisionToken) -> DeferredSnapshot)?
  ) {
    draft.hasOwnState = hasOwnState || draft.isOwn && !isInitial(draft, step)
    let token = RevisionToken(
      epoch: draft.hasOwnState ? epoch : initialEpoch, number: step.position)
    let (cause, arguments) = (self.cause(of: draft, cause), draft.arguments)
    func next(_ content: Revision.Content, bringing byteCount: Int = 0) -> Revision {
      Revision(
        after: head, token: token, content, bringing: byteCount, cause: cause,
        arguments: arguments, date: step.time, isAnimated: step.transaction.isAnimated,
        publishedAt: environment.scheduler.now)
    }
    // A revision has tokens of one epoch. The next one has the same snapshot, so that clients see no change.
    func unseen() -> Change {
      token.epoch == head.token.epoch || head.failure != nil
        ? .name(head.renamed(token)) : .content(next(.made(head.snapshot)))
    }
    guard draft.isMoved else {
      // An instance with its own state shows nothing else. If a write does not change this state, the revision keeps
      // its token, so that one write does not give new tokens to the sessions of all users.
      if hasOwnState { return }
      if let fault {
        draft.change = .fault(Fault(message: fault.message, token: token, date: fault.date))
      } else {
        draft.change = unseen()
      }
      return
    }
    if let deferring, mayDefer(draft) {
      let content = Revision.Content.deferred(deferring(draft.state, token))
      draft.change = .content(next(content, bringing: step.byteCount))
      return
    }
    do {
      if !draft.isOwn && !hasOwnState { try screen.checkInitial(draft.state) }
      let snapshot = try rows.assemble(draft.state, by: screen)
      #if DEBUG
        if Self.isChecked(snapshot, token, environment) {
          draft.encodedState = try screen.checkedRecord(
            of: draft.state, for: key, in: step.transaction.stores)
        }
      #endif
      let isVisible = isBlank || snapshot != head.snapshot || head.failure != nil
      draft.change = isVisible ? .content(next(.made(snapshot))) : unseen()
    } catch {
      // The state goes on without a view, so that another input can make it right.
      draft.change = .fault(Fault(message: "\(error)", token: token, date: step.time))
    }
  }

  /// The estimated memory of what rows show of the state, in bytes. While it cannot be shown, that which the share
  /// counts, because not every server has the revision before.
  private var shownByteCount: Int {
    fault == nil && head.failure == nil
      ? head.snapshot.byteCount : max(0, share - share(bringing: 0, showing: 0))
  }

  /// The estimated memory of a state at rest, in bytes: a fixed part, the name, and what inputs have brought, but no
  /// more than about what rows show.
  private func share(bringing brought: Int, showing shown: Int) -> Int {
    Self.restByteCount + name.byteCount + min(brought, shown)
  }

  /// The memory of a small state with its places in tables, in bytes, as measured with sessions of a form.
  private static let restByteCount = 1536

  /// Returns whether an instance that is made again would have the same state and token.
  private func isInitial(_ draft: Draft, _ step: Step) -> Bool {
    let stores = step.transaction.stores
    let version = stores.version(of: screen.shownParts, for: key)
    return version.changed == step.position && !draft.startsWork
      && (try? screen.initialState(for: key, in: stores))?.isAlike(to: draft.state) == true
  }

  private func cause(of draft: Draft, _ cause: RevisionCause?) -> RevisionCause {
    draft.isOwn ? cause ?? .start : .storeWrite(source: draft.source ?? "")
  }

  /// Returns whether a view model may be left to its first reader.
  ///
  /// What an input makes of a state of the view model's own is shown at once: whether it can be shown, and how much it
  /// shows, is part of the answer.
  private func mayDefer(_ draft: Draft) -> Bool {
    let isDerived = hasOwnState ? !draft.isOwn : !draft.hasOwnState
    return isDerived && !draft.startsWork && !isBlank && fault == nil && head.maySucceedDeferred
  }

  /// What the settled draft changes if each server has the instance, because the state is its own; `nil` otherwise.
  var sharedChange: String? {
    guard let draft, draft.isMoved, !draft.isRemoved, draft.hasOwnState || hasOwnState
    else { return nil }
    let revision = draft.change.revision ?? head
    if case .fault = draft.change { return "\(name) fault" }
    return "\(name) \(revision.failure == nil ? "\(revision.snapshot.digest)" : "fault")"
  }

  /// Makes the settled draft the state.
  ///
  /// - Returns: The draft; `nil` if there is none.
  mutating func finish() -> Draft? {
    guard let draft = draft.take() else { return nil }
    state = draft.state
    hasOwnState = draft.hasOwnState
    (broughtByteCount, share) = (draft.broughtByteCount, draft.share)
    switch draft.change {
    case .nothing: break
    case .name(let revision), .content(let revision):
      (head, fault, isBlank) = (revision, nil, false)
    case .fault(let fault): self.fault = fault
    case .removal: isRemoved = true
    }
    return draft
  }

  /// Takes over the current revision as it follows those that were recalled.
  mutating func recall(_ head: Revision) { self.head = head }

  #if DEBUG
    /// Drops the draft.
    mutating func forget() { draft = nil }

    /// Returns whether the state is checked: unless all are, a small one, after one input of eight, because the check
    /// takes longer than the rest of the step.
    private static func isChecked(
      _ snapshot: Snapshot, _ token: RevisionToken, _ environment: ScreenEnvironment
    ) -> Bool {
      environment.checksAllStates || snapshot.numberOfItems <= 100 && token.number % 8 == 0
    }
  #endif
}

extension Effect {
  fileprivate var isStart: Bool {
    guard case .start = self else { return false }
    return true
  }
}
