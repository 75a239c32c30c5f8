import Dispatch
import Synchronization

/// Records the inputs of an engine in a journal before the engine applies them.
///
/// Inputs that arrive during a write are appended together by the next write, so that many senders share one sync.
/// While they are applied, the next ones are appended. If the journal fails, the sender of an input gets a refusal.
/// An input whose outcome cannot be a refusal, such as the end of a load, waits until the journal takes it.
///
/// If a write takes too long, the senders of its inputs learn that it is not known whether they are recorded, and
/// those behind them get refusals until it ends.
final class Recorder: InputRecorder {
  private struct State: Sendable {
    /// The place of the last input that is recorded; `nil` until the engine has begun and turns may be taken.
    var last: (position: Int, time: Timestamp)?
    /// Whether the clock is behind that time, of which the operator was told.
    var isAhead = false
    /// The inputs that wait until the journal takes them, because their outcomes cannot be refusals.
    var waiting: [any Turn] = []
    /// Whether a timer tries to record them again.
    var hasAlarm = false
    /// The write to the journal under way: the inputs whose senders wait for it, and when it began; `nil` if none is.
    var write: (turns: [any Turn], began: Duration)?
    /// Whether a timer looks whether the write takes too long.
    var isWatched = false
    /// Whether the write takes too long.
    var isStalled = false
    /// Signalled if the write takes too long; `nil` unless the recorder is being closed.
    var closing: DispatchSemaphore?
    /// The reason why the last append has failed; `nil` if it has not.
    var failure: JournalError?
    var failures = ToldFailures()

    mutating func note(_ failure: JournalError?) -> JournalIncident? {
      self.failure = failure
      return failures.note(failure)
    }
  }

  let journal: any Journal
  private let state = Mutex(State())
  /// Appends inputs.
  private let thread = DispatchQueue(label: "viewdelta.journal")
  /// Applies inputs.
  private let applyingThread = DispatchQueue(label: "viewdelta.inputs")
  /// Admits one append while the inputs of the append before are applied.
  private let lead = DispatchSemaphore(value: 1)
  let checkpoints: CheckpointWriter

  /// The time after which inputs that could not be recorded are tried again.
  private static let patience = Duration.seconds(1)
  /// The time after which a write takes too long.
  private static let writePatience = Duration.seconds(5)
  /// The time by which a timer may be late.
  private static let timerPatience = Duration.seconds(1)

  init(_ journal: any Journal, _ schedule: CheckpointSchedule) {
    self.journal = journal
    checkpoints = CheckpointWriter(journal, schedule)
  }

  var failure: JournalError? { state.withLock { $0.failure } }

  func open(_ engine: Engine) {
    let last = engine.last
    let isAhead = engine.isAhead(of: engine.environment.now(), last.time)
    state.withLock { ($0.last, $0.isAhead) = (last, isAhead) }
    drain(engine)
  }

  func drain(_ engine: Engine) {
    if state.withLock({ $0.isStalled }) { return refuse(engine.queue.removeAll(), in: engine) }
    thread.async { [self] in
      guard state.withLock({ $0.last }) != nil else { return }
      let isLeft = engine.queue.drainBatch(atMost: Engine.batch) { take($0, in: engine) }
      if isLeft { drain(engine) }
    }
  }

  private func take(_ new: [any Turn], in engine: Engine) {
    let (turns, last) = state.withLock { state in
      defer { state.waiting = [] }
      return (state.waiting + new, state.last)
    }
    guard let last else { return }
    let now = engine.environment.now()
    let time = max(last.time, now)
    var (taken, entries): ([any Turn], [Entry]) = ([], [])
    for turn in turns {
      if turn.isInput {
        guard let input = json(of: turn, in: engine) else { continue }
        entries.append(
          Entry(position: last.position + entries.count + 1, time: time, input: input))
      }
      taken.append(turn)
    }
    do throws(JournalError) {
      if !entries.isEmpty {
        try write(taken, in: engine) { [entries] () throws(JournalError) in
          try journal.append(entries)
        }
      }
    } catch {
      note(error, in: engine)
      let inputs = taken.filter(\.isInput)
      // The first answer counts: if this process ends now, the next one may apply them.
      if case .unconfirmed = error { for turn in inputs { turn.giveUp() } }
      let waiting = inputs.filter { !$0.refuse() }
      apply(taken.filter { !$0.isInput }, at: time, in: engine)
      return wait(waiting, in: engine)
    }
    if !entries.isEmpty { note(nil, in: engine) }
    let isAhead = engine.isAhead(of: now, time)
    let wasAhead = state.withLock { state in
      defer { (state.last, state.isAhead) = ((last.position + entries.count, time), isAhead) }
      return state.isAhead
    }
    if isAhead, !wasAhead { engine.warnOfClock(time) }
    apply(taken, at: time, in: engine)
  }

  /// Writes to the journal, and looks whether that takes too long.
  ///
  /// - Parameter turns: The inputs whose senders wait for the write.
  private func write<Failure: Error>(
    _ turns: [any Turn], in engine: Engine, _ work: () throws(Failure) -> Void
  ) throws(Failure) {
    state.withLock { $0.write = (turns, engine.environment.scheduler.now) }
    watch(engine)
    defer {
      let wasStalled = state.withLock { state in
        defer { (state.write, state.isStalled) = (nil, false) }
        return state.isStalled
      }
      if wasStalled { thread.async { [self] in take([], in: engine) } }
    }
    try work()
  }

  /// Looks after a while whether the write takes too long; one timer is enough for all writes until then.
  private func watch(_ engine: Engine) {
    let began = state.withLock { state -> Duration? in
      guard let write = state.write, !state.isWatched else { return nil }
      state.isWatched = true
      return write.began
    }
    guard let began else { return }
    let scheduler = engine.environment.scheduler
    let now = scheduler.now
    let due = max(began + Self.writePatience, now)
    _ = scheduler.schedule(after: due - now) { [weak self, weak engine] in
      guard let self, let engine else { return }
      let now = engine.environment.scheduler.now
      let late = state.withLock { state -> (turns: [any Turn], incident: JournalIncident?)? in
        state.isWatched = false
        guard let write = state.write, write.began <= now - Self.writePatience else { return nil }
        // A timer that is late was held up with the whole process, and so was the write: it gets its time again.
        if now > due + Self.timerPatience {
          state.write?.began = now
          return nil
        }
        state.isStalled = true
        return (write.turns, state.note(.unavailable("it does not answer")))
      }
      guard let late else { return watch(engine) }
      late.incident.map(engine.environment.recordJournal)
      for turn in late.turns { turn.giveUp() }
      drain(engine)
      // Last, because the process may end then. If the write has ended meanwhile, `close` waits for a checkpoint.
      state.withLock { $0.isStalled ? $0.closing : nil }?.signal()
    }
  }

  /// Refuses inputs behind a write that takes too long, or keeps them until it ends.
  private func refuse(_ turns: [any Turn], in engine: Engine) {
    let waiting = turns.filter { !$0.isInput || !$0.refuse() }
    if waiting.isEmpty { return }
    let isOver = state.withLock { state in
      state.waiting += waiting
      return !state.isStalled
    }
    if isOver { thread.async { [self] in take([], in: engine) } }
  }

  /// Applies inputs that are recorded, after those before them.
  private func apply(_ turns: [any Turn], at time: Timestamp, in engine: Engine) {
    if turns.isEmpty { return }
    let work = { @Sendable [self] in
      for turn in turns { turn.take(in: engine, at: time) }
      checkpoints.writeIfDue(of: engine)
    }
    // A single one is not worth another thread.
    if turns.count == 1 { return applyingThread.sync(execute: work) }
    applyingThread.async { [lead] in
      work()
      lead.signal()
    }
    // With more appends ahead no input would be applied earlier, and fewer inputs would share a sync.
    lead.wait()
  }

  /// Notes how an append has ended, and tells the operator if that changes.
  private func note(_ failure: JournalError?, in engine: Engine) {
    let incident = state.withLock { $0.note(failure) }
    incident.map(engine.environment.recordJournal)
  }

  /// Keeps inputs that could not be recorded, and tries again after a while.
  private func wait(_ turns: [any Turn], in engine: Engine) {
    let setsAlarm = state.withLock { state in
      state.waiting = turns + state.waiting
      defer { state.hasAlarm = state.hasAlarm || !turns.isEmpty }
      return !state.hasAlarm && !turns.isEmpty
    }
    guard setsAlarm else { return }
    _ = engine.environment.scheduler.schedule(after: Self.patience) { [weak self, weak engine] in
      guard let self, let engine else { return }
      thread.async {
        self.state.withLock { $0.hasAlarm = false }
        self.take([], in: engine)
      }
    }
  }

  func close(_ engine: Engine) {
    let closing = DispatchSemaphore(value: 0)
    let isStalled = state.withLock { state in
      state.closing = closing
      return state.isStalled
    }
    thread.async { [self] in
      defer { closing.signal() }
      guard state.withLock({ $0.last }) != nil else { return }
      let moment = applyingThread.sync { engine.moment }
      let looks = Looks(moment)
      // Short, so that a disk that does not answer is seen before the checkpoint, which may take long.
      write([], in: engine) { () throws(Never) in journal.note(looks) }
      checkpoints.writeLast(of: engine, moment)
      journal.close()
    }
    if !isStalled { closing.wait() }
  }
}
