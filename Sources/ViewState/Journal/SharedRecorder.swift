import CanonicalJSON
import Dispatch
import Synchronization

/// Records the inputs of an engine in a journal that other servers append to as well, and has the engine apply what
/// all of them append, in the order of the journal.
///
/// An input is sent, comes back with its place in the order, and is applied; then its sender gets the outcome. This
/// server's inputs come back in the order in which they were sent, so the oldest one that was sent is the next one
/// of this server. After a failure it is unknown which of them are recorded, until the journal says so.
final class SharedRecorder: InputRecorder {
  /// Whether inputs are sent.
  private enum Link: Sendable {
    /// They wait until the engine has begun.
    case closed
    /// They wait, at first and no longer than the server takes to start.
    case joining
    case joined
    /// They are refused.
    case failing(JournalError)

    var failure: JournalError? {
      switch self {
      case .closed, .joining: .unavailable("it is not joined yet")
      case .joined: nil
      case .failing(let error): error
      }
    }

    var isFailing: Bool { if case .failing = self { true } else { false } }
  }

  private struct State: Sendable {
    var link = Link.closed
    /// The time at which all was applied that the journal had.
    var levelTime = Duration.zero
    var sent = SentInputs()
    /// The inputs that wait until the journal takes them, because their outcomes cannot be refusals.
    var waiting: [any Turn] = []
    var hasAlarm = false
    /// The time up to which the senders of inputs were told that it is not known whether these are recorded.
    var toldUntil: Duration?
    var readers = PositionReaders()
    /// Whether a server of another program takes the journal over.
    var hasSuccessor = false
    /// The error if the journal has not confirmed the inputs that were sent last, which may be recorded.
    var doubt: JournalError?
    var failure: JournalError? { link.failure ?? doubt }
    var failures = ToldFailures()
  }

  private let shared: any SharedJournal
  private let state = Mutex(State())
  let checkpoints: CheckpointWriter
  /// Sends inputs.
  private let sendingThread = DispatchQueue(label: "viewdelta.journal")
  /// Applies inputs.
  private let applyingThread = DispatchQueue(label: "viewdelta.inputs")
  private let comparison: ServerComparison

  /// The time after which the sender of an input gets `Input.unconfirmed`, if the input has not come back.
  private static let patience = Duration.seconds(5)
  /// The time that a reader waits for a position.
  private static let readerPatience = Duration.seconds(2)
  /// The time within which a server that has applied everything hears so from the journal: twice the time that a read
  /// waits for entries, and some more.
  private static let levelPatience = Duration.milliseconds(150)

  init(_ journal: any SharedJournal, _ schedule: CheckpointSchedule) {
    shared = journal
    checkpoints = CheckpointWriter(journal, schedule)
    comparison = ServerComparison(journal, sendingOn: sendingThread)
  }

  var journal: any Journal { shared }

  var failure: JournalError? { comparison.failure ?? state.withLock { $0.failure } }

  /// Whether inputs are sent: not if this server is wrong.
  private var link: Link { comparison.failure.map(Link.failing) ?? state.withLock { $0.link } }

  func doubt(at now: Duration) -> JournalDoubt? {
    if comparison.isDoubtful { return .differs }
    // While the journal is away all servers show what they have: a balancer needs one to send readers to.
    return state.withLock { state in
      !state.link.isFailing && now - state.levelTime > Self.levelPatience ? .behind : nil
    }
  }

  func open(_ engine: Engine) {
    engine.beginBlocks()
    let now = engine.environment.scheduler.now
    state.withLock { ($0.link, $0.levelTime) = (.joining, now) }
    shared.follow { [weak self, weak engine] event in
      guard let self, let engine else { return false }
      return take(event, in: engine)
    }
  }

  /// Writes the checkpoint only if no other server goes on: a server of another program begins after all of them.
  func close(_ engine: Engine) {
    do throws(JournalError) {
      guard try shared.leave() else { return }
    } catch { return engine.environment.recordJournal(.checkpointFailed(error)) }
    // Not a state that may be wrong, or that is no longer that of the journal.
    if link.isFailing || comparison.isDoubtful { return }
    checkpoints.writeLast(of: engine, applyingThread.sync { engine.moment })
  }
}

// MARK: - Sending

extension SharedRecorder {
  func drain(_ engine: Engine) {
    sendingThread.async { [self] in
      switch link {
      case .closed, .joining: return
      case .joined, .failing: break
      }
      let isLeft = engine.queue.drainBatch(atMost: Engine.batch) { send($0, in: engine) }
      if isLeft { drain(engine) }
    }
  }

  /// Sends inputs, or refuses them if the journal fails.
  private func send(_ turns: [any Turn], in engine: Engine) {
    let time = engine.environment.now()
    let now = engine.environment.scheduler.now
    var inputs: [any Turn] = []
    var entries: [Entry] = []
    for turn in turns {
      guard turn.isInput else {
        applyingThread.async { turn.take(in: engine, at: time) }
        continue
      }
      guard let input = json(of: turn, in: engine) else { continue }
      inputs.append(turn)
      entries.append(Entry(position: 0, time: time, input: input))
    }
    if entries.isEmpty { return }
    guard case .joined = link else { return refuse(inputs) }
    state.withLock { [inputs] in $0.sent.begin(inputs, at: now) }
    do throws(JournalError) {
      try shared.append(entries)
      note(.joined, in: engine)
    } catch .unconfirmed(let reason) {
      // They may come back, but they are not yet where the journal must have them.
      for turn in inputs { turn.giveUp() }
      note(.joined, .unconfirmed(reason), in: engine)
    } catch .refused(let reason) {
      note(.failing(.refused(reason)), in: engine)
      // What cannot be refused is sent again with all that is lost when the journal is joined.
      for turn in inputs { _ = turn.refuse() }
    } catch {
      // They may be recorded all the same: the journal says so when it is joined again.
      note(.failing(error), in: engine)
    }
    for answer in state.withLock({ $0.sent.end() }) { answer() }
    setAlarm(engine)
  }

  /// Refuses inputs that are not recorded, or keeps them until they can be.
  private func refuse(_ turns: [any Turn]) {
    let waiting = turns.filter { !$0.refuse() }
    state.withLock { $0.waiting += waiting }
  }

  /// Tells senders after a while that it is not known whether their inputs are recorded.
  private func setAlarm(_ engine: Engine) {
    let oldest = state.withLock { state -> Duration? in
      if state.hasAlarm { return nil }
      let oldest = state.sent.firstTime(after: state.toldUntil)
      state.hasAlarm = oldest != nil
      return oldest
    }
    guard let oldest else { return }
    let scheduler = engine.environment.scheduler
    let rest = max(.zero, oldest + Self.patience - scheduler.now)
    _ = scheduler.schedule(after: rest) { [weak self, weak engine] in
      guard let self, let engine else { return }
      let end = engine.environment.scheduler.now - Self.patience
      let late = state.withLock { state in
        state.hasAlarm = false
        state.toldUntil = end
        return state.sent.sent(before: end)
      }
      for turn in late { turn.giveUp() }
      setAlarm(engine)
    }
  }

  /// Notes whether inputs can be sent and are confirmed, and tells the operator if that changes.
  private func note(_ link: Link, _ doubt: JournalError? = nil, in engine: Engine) {
    let incident = state.withLock { state in
      (state.link, state.doubt) = (link, doubt)
      return state.failures.note(state.failure)
    }
    incident.map(engine.environment.recordJournal)
  }
}

// MARK: - Receiving

extension SharedRecorder {
  /// Takes an event of the journal.
  ///
  /// - Returns: Whether to go on.
  private func take(_ event: JournalEvent, in engine: Engine) -> Bool {
    if comparison.failure != nil { return false }
    switch event {
    case .entries(let entries, let isEnd):
      do throws(JournalError) {
        try apply(entries, isEnd: isEnd, in: engine)
      } catch {
        return take(.replaced(error), in: engine)
      }
      return true
    case .digest(let digest, let position):
      comparison.take(digest, at: position, in: engine)
      return true
    case .takenOver:
      let isFirst = state.withLock { state in
        defer { state.hasSuccessor = true }
        return !state.hasSuccessor
      }
      if isFirst { engine.environment.recordJournal(.takenOver) }
      return true
    case .failing(let error):
      // No input is being sent afterwards.
      sendingThread.sync { note(.failing(error), in: engine) }
      drain(engine)
      return true
    case .joined:
      sendingThread.sync {
        let (lost, waiting) = state.withLock { state in
          defer { state.waiting = [] }
          return (state.sent.popAll(), state.waiting)
        }
        // Those that were sent came first.
        let inputs = lost.filter { !$0.refuse() } + waiting
        if inputs.isEmpty { return note(.joined, in: engine) }
        // It works again once these are recorded.
        state.withLock { $0.link = .joined }
        send(inputs, in: engine)
      }
      drain(engine)
      return true
    case .replaced(let error):
      sendingThread.sync { note(.failing(error), in: engine) }
      if case .lost = error, !applyingThread.sync(execute: { beginAnew(engine) }) { return true }
      engine.environment.recordJournal(.replaced(error))
      return false
    }
  }

  /// Begins a journal that has lost entries with what this server has applied, so that nothing is lost.
  ///
  /// - Returns: `false` if it has not begun. Try again then, because no other server may have what is lost.
  private func beginAnew(_ engine: Engine) -> Bool {
    do throws(JournalError) {
      // Another server may have applied less, so no token may be given again.
      try shared.begin(with: engine.checkpoint(of: engine.moment, seed: EngineRecord.noSeed))
    } catch .replaced {
      // Another server was first.
    } catch {
      return false
    }
    return true
  }

  /// Applies entries of all servers.
  ///
  /// - Parameter isEnd: Whether the journal had no more.
  private func apply(
    _ entries: [SharedEntry], isEnd: Bool, in engine: Engine
  ) throws(JournalError) {
    let now = engine.environment.scheduler.now
    let result = applyingThread.sync {
      Result { () throws(JournalError) in
        for entry in entries {
          switch entry {
          case .own(let time):
            guard let turn = state.withLock({ $0.sent.popFirst() }) else {
              throw .damaged("it has an entry that was never sent")
            }
            let answer = turn.apply(in: engine, at: time)
            if !state.withLock({ $0.sent.hold(answer) }) { answer() }
          case .other(let entry):
            try engine.replay(next: entry, from: .elsewhere)
          }
        }
        checkpoints.writeIfDue(of: engine)
      }
    }
    comparison.compareBlock(of: engine)
    let position = engine.appliedPosition.load(ordering: .acquiring)
    let ready = state.withLock { state in
      if isEnd { state.levelTime = now }
      return state.readers.takeReady(at: position, isEnd: isEnd)
    }
    for end in ready { end(true) }
    try result.get()
  }

  /// Waits until a position is applied, or the journal has said after now that it has no more.
  ///
  /// - Returns: `false` if neither has come after a while.
  func catchUp(to position: Int, _ engine: Engine) async -> Bool {
    await withCheckedContinuation { continuation in
      let sender = Sender(continuation)
      let number = state.withLock { $0.readers.add(position) { sender.answer($0) } }
      guard let number else { return sender.answer(false) }
      // It may have been applied before the reader was added.
      if !engine.isBehind(position) { return end(number, true) }
      _ = engine.environment.scheduler.schedule(after: Self.readerPatience) { [weak self] in
        self?.end(number, false)
      }
    }
  }

  private func end(_ reader: Int, _ isCaughtUp: Bool) {
    state.withLock { $0.readers.remove(reader) }?(isCaughtUp)
  }
}
