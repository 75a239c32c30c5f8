import CanonicalJSON

/// The changes that an input makes to an instance, until they are published.
///
/// A draft follows the stores that the input changes and is then settled: it gets its rows and its revision. Readers
/// see nothing of it before the instance publishes it, and a draft that is dropped has changed nothing of it.
///
/// Not `Sendable`, so that it cannot leave the thread that applies the input.
final class InstanceDraft {
  let instance: Instance
  /// The last revision that could be made before the input.
  let head: Revision
  /// Whether no revision could be made before the input, so that `head` is a placeholder.
  let isBlank: Bool
  /// The reason why the state before the input cannot be shown; `nil` if it can.
  let fault: Publication.Fault?
  /// The state before the input.
  let before: InstanceState
  /// The state after the input.
  var after: InstanceState
  private(set) var effects: [Effect] = []
  /// The work of the effects that start some.
  private(set) var works: [Effect: Work] = [:]
  private(set) var command: SentCommand?
  /// Whether the input is for this instance.
  private(set) var isOwn = false
  /// The memory of what the input brings, in bytes, estimated.
  private(set) var byteCount = 0
  /// The cause if the input is for another instance or a store.
  private(set) var source: Text?
  var change = Publication.Change.nothing
  var isSettled = false
  /// Whether the state has changed.
  var isMoved = false
  /// The incident to log after the input is published.
  private var incident: ScreenIncident.Kind?
  #if DEBUG
    /// The state as JSON, if it was checked.
    var encodedState: [UInt8] = []
  #endif

  init(of instance: Instance) {
    self.instance = instance
    (before, head, fault, isBlank) = instance.last
    after = before
  }

  var screen: any EngineScreen { instance.screen }
  /// The key that the screen is asked for.
  var key: Text { instance.key.element }

  /// Whether the input is for the instance, or changes what it shows. Otherwise, the input has found it only because an
  /// element of a store is named like its key with the session.
  var isReached: Bool { isOwn || source != nil }

  var startsWork: Bool { effects.contains { if case .start = $0 { true } else { false } } }

  var isRemoved: Bool { if case .removal = change { true } else { false } }

  /// The name of the state before the input.
  var token: RevisionToken { fault?.token ?? head.token }

  /// The name of the state after the input.
  var newToken: RevisionToken { change.token ?? token }

  /// What the log has to say of the input.
  var incidents: [ScreenIncident.Kind] {
    let known = fault?.message ?? (head.isMade ? head.failure : nil)
    var incidents = incident.map { [$0] } ?? []
    if case .fault(let fault) = change, fault.message != known {
      incidents.append(.assembly(fault.message))
    }
    return incidents
  }
}

// MARK: - The inputs

extension InstanceDraft {
  /// Runs a command, and settles the step.
  ///
  /// - Throws: ``CommandFailure``; nothing has changed then, unless the state cannot be shown.
  func run(
    _ command: SentCommand, expecting expected: Set<RevisionToken>?, _ step: Step
  ) throws(CommandFailure) -> CommandOutcome {
    instance.use.noteRead()
    do { try screen.check(command) } catch { throw .refused(error) }
    if let expected, !expected.contains(token) { throw .outdated(current: token) }
    var transaction = step.transaction
    transaction.key = key
    do throws(Refusal) {
      (effects, incident) = try screen.run(
        command, on: &after.value, isInitial: !before.hasOwnState, in: &transaction)
    } catch {
      throw .refused(error)
    }
    (self.command, isOwn) = (command, true)
    byteCount = command.body.value.memoryByteCount + transaction.broughtByteCount
    // The state keeps what is asked for until the answer comes, or longer.
    for case .start(let source, _) in effects {
      byteCount += source.request?.memoryByteCount ?? 0
    }
    try checkRoom(step)
    let (writes, details) = (!transaction.changes.isEmpty, transaction.details)
    step.transaction = transaction
    begin(effects, step)
    step.add(self)
    step.settle(.command(command.type))
    if isOwnAndFails { throw .unavailable(.failed) }
    let isPending = startsWork
    return CommandOutcome(
      isAccepted: isPending || newToken != token || writes, isPending: isPending,
      revision: newToken, details: details)
  }

  /// Whether the state is the view model's own, and cannot be shown after the input.
  ///
  /// It says nothing of one that is made of the stores: that is shown only if it has readers, and an answer does not
  /// depend on them.
  private var isOwnAndFails: Bool {
    if !after.hasOwnState { return false }
    return switch change {
    case .fault: true
    case .name, .content: false
    case .nothing, .removal: fault != nil || head.failure != nil
    }
  }

  /// Takes the end of a load, and settles the step.
  func end(
    _ source: PartWork, _ token: LoadToken, bringing result: JSONValue?,
    failing failure: LoadFailure?, _ step: Step
  ) {
    let isFound = failure == nil && result != nil
    var failure = failure
    step.transaction.key = key
    (effects, incident) = screen.end(
      source, token, bringing: result, failing: &failure, on: &after.value, for: key,
      in: &step.transaction)
    if step.origin == .former, isFound, failure?.isUnreadable == true {
      // Its source gives other values in this program, so the load goes on, and calls the source again.
      (after, effects, incident) = (before, [], nil)
      return
    }
    isOwn = true
    byteCount = result?.memoryByteCount ?? 0
    if incident == nil, let failure, failure != .cancelled, after.value != before.value {
      incident = screen.incident(failure, of: source)
    }
    begin(effects, step)
    step.add(self)
    step.settle(
      failure.map { .failed(source: source.part, code: $0.code) } ?? .loaded(source: source.part))
  }

  /// Takes a value over that was loaded by the clock, and settles the step.
  func refresh(_ source: PartWork, with value: JSONValue, _ step: Step) {
    (isOwn, byteCount) = (true, value.memoryByteCount)
    step.transaction.key = key
    effects = screen.refresh(source, with: value, on: &after.value, for: key)
    begin(effects, step)
    step.add(self)
    step.settle(.loaded(source: source.part))
  }

  /// Forgets the instance if its state still has the name.
  func end(_ token: RevisionToken, _ step: Step) {
    if token != self.token { return }
    (isOwn, change) = (true, .removal)
    step.add(self)
  }

  /// Decides how the work goes that effects start.
  private func begin(_ effects: [Effect], _ step: Step) {
    for effect in effects {
      guard case .start(let source, _) = effect else { continue }
      works[effect] = screen.start(source, for: key, in: &step.transaction)
    }
  }

  /// Updates the state if it shows a change of a store.
  ///
  /// - Parameter changes: The changes of the step.
  func follow(_ changes: [(store: Int, change: StoreChange)], _ step: Step) {
    // An instance may show what its own command wrote.
    guard let shown = changes.first(where: { shows($0.change, of: $0.store) }) else { return }
    source = shown.change.source
    let stores = step.transaction.stores
    do throws(ScreenLookupError) {
      if isOwn || before.hasOwnState {
        let effects = try screen.follow(stores, on: &after.value, for: key)
        begin(effects, step)
        self.effects += effects
      } else if stores.version(of: screen.shownStores, for: key).born == instance.born {
        after.value = try step.initialState(of: instance)
      } else {
        // Made again, so that the epoch does not depend on whether a reader came before the key was created.
        change = .removal
      }
    } catch {
      change = .removal
    }
  }

  /// Returns whether the instance may show a change of a store.
  private func shows(_ change: StoreChange, of store: Int) -> Bool {
    screen.shownStores.contains { $0.index == store && ($0.isWhole || change.concerns(key)) }
  }
}
