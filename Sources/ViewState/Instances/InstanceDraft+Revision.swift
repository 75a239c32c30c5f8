import CanonicalJSON
import Snapshots
import Synchronization

// MARK: - The revision of an input

extension InstanceDraft {
  /// Notes whether the input changes the state.
  func compare() {
    if !isReached || isSettled { return }
    // Equal states may differ as JSON: `1` and `"1"` are one id. Of the view model's own states the one that is shown
    // stays, on all servers; one that is made of the stores is shown as it is, because not all servers had the other.
    let isKept =
      isOwn || before.hasOwnState
      ? after.value == before.value : after.value.isAlike(to: before.value)
    // Work that starts is a change even if the states are equal: the work of an initial state that is loading by
    // mistake starts only now.
    isMoved = !isKept || startsWork
    if isKept { after.value = before.value }
  }

  /// Makes the rows and the revision.
  func settle(_ cause: RevisionCause?, _ step: Step) {
    if !isReached || isSettled { return }
    isSettled = true
    if !isRemoved, isMoved || source != nil { show(cause, step) }
    let byteCount = isMoved ? self.byteCount : 0
    // What the stores give may be made again, and has nothing to remember then.
    after.broughtByteCount = after.hasOwnState ? before.broughtByteCount + byteCount : 0
    if !after.hasOwnState { after.measuredByteCount = 0 }
    // A write to a store keeps the share, because it brings nothing into the state and its view may be made later. An
    // input that does not change the state keeps the share, too.
    after.share = !isRemoved && after.hasOwnState ? before.share : 0
    if !isRemoved, after.hasOwnState, isOwn && isMoved || !before.hasOwnState {
      let revision = change.revision.flatMap { $0.failure == nil ? $0 : nil }
      let shown = revision?.snapshot.byteCount ?? shownByteCount + byteCount
      if mustMeasure(after, showing: shown) { measure(&after, step) }
      after.share = share(of: after, showing: shown)
    }
    step.memory.stateByteCount += after.share - before.share
  }

  private func show(_ cause: RevisionCause?, _ step: Step) {
    let environment = instance.engine.environment
    after.hasOwnState = before.hasOwnState || isOwn && !isInitial(step)
    let token = RevisionToken(
      epoch: after.hasOwnState ? instance.epoch : instance.initialEpoch, number: step.position)
    let cause = isOwn ? cause ?? .start : .storeWrite(source: source ?? "")
    let arguments = command.flatMap { Revision.Arguments(of: $0) }
    func next(_ content: Revision.Content, bringing byteCount: Int = 0) -> Revision {
      Revision(
        after: head, token: token, content, bringing: byteCount, cause: cause,
        arguments: arguments, date: step.time, isAnimated: step.transaction.isAnimated,
        publishedAt: environment.scheduler.now)
    }
    // A revision has tokens of one epoch. The next one has the same snapshot, so that clients see no change.
    func unseen() -> Publication.Change {
      token.epoch == head.token.epoch || head.failure != nil
        ? .name(head.renamed(token)) : .content(next(.made(head.snapshot)))
    }
    guard isMoved else {
      // An instance with its own state shows nothing else. If a write does not change this state, the revision keeps
      // its token, so that one write does not give new tokens to the sessions of all users.
      if before.hasOwnState { return }
      if let fault {
        change = .fault(.init(message: fault.message, token: token, date: fault.date))
      } else {
        change = unseen()
      }
      return
    }
    let hasRoom = hasRoomToDefer
    if mayDefer, hasRoom || changesMany(step), !isSeen(step) {
      let deferred = instance.deferred(after.value, token, step.time)
      change = .content(
        next(.deferred(deferred), bringing: stateByteCount(step)),
        unmadeLimit: hasRoom ? .max : unmadeLimit)
      return
    }
    do {
      if !isOwn && !before.hasOwnState { try screen.checkInitial(after.value) }
      // First the one before, which the change is compared with, so that both share what is the same.
      if !isBlank { _ = head.snapshot }
      let snapshot = try step.assemble(after.value, of: instance)
      #if DEBUG
        if environment.checks(snapshot, at: token) {
          encodedState = try screen.checkedRecord(
            of: after.value, showing: snapshot, for: key, in: step.transaction.stores)
        }
      #endif
      let isVisible = isBlank || snapshot != head.snapshot || head.failure != nil
      change = isVisible ? .content(next(.made(snapshot))) : unseen()
    } catch {
      // The state goes on without a view, so that another input can make it right.
      change = .fault(.init(message: "\(error)", token: token, date: step.time))
    }
  }

  /// Returns whether an instance that is made again would have the same state and token. It would have another epoch if
  /// the input has created what it shows.
  private func isInitial(_ step: Step) -> Bool {
    let stores = step.transaction.stores
    let version = stores.version(of: screen.shownStores, for: key)
    return version.changed == step.position && version.born == instance.born && !startsWork
      && (try? screen.initialState(for: key, in: stores))?.isAlike(to: after.value) == true
  }

  /// Whether the view model may be left to its first reader.
  ///
  /// What an input makes of a state of the view model's own is shown at once: whether it can be shown, and how much it
  /// shows, is part of the answer.
  private var mayDefer: Bool {
    let isDerived = before.hasOwnState ? !isOwn : !after.hasOwnState
    return isDerived && !isBlank && fault == nil
  }

  /// Whether one more view model may wait for its first reader. If not, it is made now. But if the step changes many,
  /// the oldest one that waits is dropped instead, so that one input does not make the view models of all sessions.
  private var hasRoomToDefer: Bool { head.deferredCount + 1 <= runLimit }

  /// The number of successive view models that may wait for a reader, judged by the size of the last one that was made.
  private var runLimit: Int {
    let rows = instance.rows
    if rows.unsharedCount > Self.unsharedLimit { return 0 }
    return min(
      Self.deferredLimit, Self.deferredRowLimit / max(1, rows.snapshot.numberOfItems),
      Self.deferredByteLimit / max(1, head.changeByteCount))
  }

  /// The number of successive view models that may wait for a reader if each new one drops the oldest; at least 1.
  private var unmadeLimit: Int {
    // Nothing is known of the size of an instance that was at rest.
    instance.rows.snapshot.numberOfItems == 0 ? 1 : max(1, runLimit)
  }

  /// Returns whether the view model is made at once. If no reader waits for it, it is left to the first reader in two
  /// cases: if no reader has taken the previous revision, because few of many successive changes are ever read, and if
  /// the step changes many view models, so that one input does not make the view models of all sessions.
  private func isSeen(_ step: Step) -> Bool {
    // A replay looks at each.
    instance.use.isSeen && !changesMany(step)
      || instance.engine.makesUnread.load(ordering: .relaxed) || instance.hasWatchers
  }

  /// Whether the step changes so many view models that it makes only those for which a reader waits.
  private func changesMany(_ step: Step) -> Bool { step.changedCount > Self.seenLimit }

  /// The largest number of successive view models that may be left to readers, as one run.
  static var deferredLimit: Int { 64 }
  /// The largest number of rows that those of a run may have together: an input may replace the elements of them all.
  private static var deferredRowLimit: Int { 64_000 }
  /// The largest memory that those of a run may have together, in bytes, if each change brings as much as the last one
  /// that was laid out.
  private static var deferredByteLimit: Int { 8 * 1024 * 1024 }
  /// The largest number of elements that a state may have for itself if its view model is left to a reader.
  private static var unsharedLimit: Int { 1_000 }
  /// The estimated memory of an element of an array in a state, without its texts, in bytes. Each change of the state
  /// copies the array.
  private static var elementByteCount: Int { 128 }

  /// The estimated memory of what the state does not share with the state before, in bytes, as far as the last assembly
  /// tells.
  private func stateByteCount(_ step: Step) -> Int {
    Stores.writeByteCount + step.byteCount + step.transaction.madeByteCount
      + instance.rows.unsharedCount * Self.elementByteCount
  }

  /// The number of changed view models beyond which a step makes only those for which a reader waits.
  private static var seenLimit: Int { 32 }

  /// Whether the settled input changes the state on each server, because it is the view model's own.
  var isSharedChange: Bool { isMoved && !isRemoved && (after.hasOwnState || before.hasOwnState) }

  /// What the settled input shows of a state that it changes on each server. Makes the view model.
  var sharedContent: String {
    let revision = change.revision ?? head
    if case .fault = change { return "\(instance.name) fault" }
    return
      "\(instance.name) \(revision.failure == nil ? "\(revision.snapshot.digest)" : "fault")"
  }
}

// MARK: - The memory of the state

extension InstanceDraft {
  /// Checks that the states of all view models may take more bytes, if the input changes the state. Commands of sessions
  /// leave a quarter to the view models that clients share; what sources bring is not refused.
  func checkRoom(_ step: Step) throws(CommandFailure) {
    let total = step.transaction.stores.settings.stateByteCount
    let limit = instance.key.hasSession ? total - total / 4 : total
    let room = limit - step.memory.stateByteCount + before.share
    var next = after
    next.broughtByteCount += byteCount
    // What is shown is only looked at near the limit, because it may have to be made.
    if share(of: next, showing: .max) <= room { return }
    let shown = shownByteCount
    if mustMeasure(next, showing: shown) { measure(&next, step) }
    let share = share(of: next, showing: shown + byteCount)
    // The states are compared last, because that takes longest.
    if share > before.share && share > room, startsWork || after.value != before.value {
      throw .full
    }
  }

  /// The estimated memory of what rows show of the state before, in bytes. While it cannot be shown, that which the
  /// share counts, because not every server has the revision before.
  private var shownByteCount: Int {
    fault == nil && head.failure == nil
      ? head.snapshot.byteCount
      : max(0, before.share - Self.restByteCount - instance.name.byteCount)
  }

  /// The estimated memory of a state at rest, in bytes: a fixed part, the name, and what inputs have brought, but no
  /// more than about what rows show or what was measured.
  private func share(of state: InstanceState, showing shown: Int) -> Int {
    Self.restByteCount + instance.name.byteCount
      + min(
        state.measuredByteCount + state.broughtByteCount, max(state.measuredByteCount, shown))
  }

  /// Returns whether inputs have brought more since the last measurement than the rows show, so that the share may count
  /// too little. Most inputs replace what others have brought, so few states are measured, and each a few times.
  private func mustMeasure(_ state: InstanceState, showing shown: Int) -> Bool {
    state.broughtByteCount > max(shown, state.measuredByteCount, Self.unmeasuredByteCount)
  }

  /// Measures what a state has besides the initial state of its key, and begins to count anew what inputs bring.
  private func measure(_ state: inout InstanceState, _ step: Step) {
    let brought = state.measuredByteCount + state.broughtByteCount
    state.measuredByteCount = min(brought, ownByteCount(of: state.value, step) ?? brought)
    state.broughtByteCount = 0
  }

  /// The estimated memory of what a state has besides the initial state of its key, in bytes; `nil` if it cannot be
  /// recorded.
  private func ownByteCount(of state: AnyState, _ step: Step) -> Int? {
    let (own, initial) = CommonParts.kept {
      (
        try? screen.record(state),
        try? screen.record(screen.initialState(for: key, in: step.transaction.stores))
      )
    }
    guard let own else { return nil }
    return (initial.map(own.changes) ?? own).byteCount
  }

  /// The memory of a small state with its places in tables, in bytes, as measured with sessions of a form.
  static let restByteCount = 1536
  /// What a state may bring before it is measured, in bytes.
  private static let unmeasuredByteCount = 8 * 1024
}

#if DEBUG
  extension ScreenEnvironment {
    /// Returns whether the state of a revision is checked. Unless all states are checked, only small ones are, after
    /// one input in eight, because the check takes longer than the rest of the step.
    func checks(_ snapshot: Snapshot, at token: RevisionToken) -> Bool {
      checksAllStates || snapshot.numberOfItems <= 100 && token.number % 8 == 0
    }
  }
#endif
