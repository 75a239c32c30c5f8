package import CanonicalJSON
import Foundation
import Synchronization

/// Starts an engine where its journal ends.
extension Engine {
  /// Restores the states that the journal has, and applies inputs from then on. Does nothing if the engine has no
  /// journal, or has started already.
  ///
  /// Call it after all stores and screens are added, and before the first client is served.
  ///
  /// ```swift
  /// let engine = try Engine(environment: environment, journal: SQLiteJournal(path: "notes.journal"))
  /// let notes = Store("notes", Notes(), in: engine)
  /// try engine.start()
  /// ```
  ///
  /// - Throws: `JournalError` if the journal cannot be read or written, or if it belongs to a program with other
  ///   stores, screens or settings.
  public func start() throws(JournalError) {
    guard let recorder, let recovery = takeRecovery() else { return }
    if let failure = recovery.failure { throw failure }
    let shared = recorder.journal as? any SharedJournal
    var report = StartReport(of: environment)
    if let checkpoint = recovery.checkpoint, let record = recovery.record {
      giveTokens(of: record.seed)
      // First, so that a program that cannot go on takes the journal over from no server.
      try restore(checkpoint, record, isShown: record.seed == seed, &report)
    }
    if let shared {
      try enter(shared)
      // The last server of another program may have recorded its state, and ended, since the journal was read.
      if let record = recovery.record, record.program != program,
        try shared.newestMark != recovery.marks.last
      {
        throw .replaced("a server of another program has ended")
      }
    }
    let hasOthers = try shared?.hasOthers ?? false
    if recovery.checkpoint != nil {
      defer { giveTokens(of: nil) }
      beginPast()
      // What servers that run have applied is not skipped.
      let progress =
        try shared.map { (shared) throws(JournalError) in
          try hasOthers ? ReplayProgress() : shared.replayProgress(of: program)
        } ?? recovery.progress
      var refused = RefusedInputs()
      let origin = recovery.isOther ? InputOrigin.former : .past
      let hasSkipped = try replay(recorder.journal, progress, from: origin, &refused, &report)
      if let shared, hasSkipped { try beginAnew(shared) }
      if recovery.isOther, let warning = refused.warning {
        environment.recordJournal(.warning(warning))
      }
    }
    let isRenewed = recovery.record.map { $0.seed != seed } ?? false
    if isRenewed { for host in contents.hosts { host.renewTokens() } }
    if past == nil { beginPast() }
    let moment = moment
    var marks = recovery.marks
    // A store that the journal does not have begins with data of the program, which may be other data next time. The
    // data of one that is retired goes.
    if isRenewed || recovery.checkpoint.map({ Set($0.stores) }) != Set(contents.storeIndexes.keys) {
      let checkpoint = try checkpoint(of: moment)
      if let shared {
        try shared.begin(with: checkpoint)
      } else {
        try recorder.journal.write(checkpoint)
        try recorder.journal.trim(to: moment.position)
      }
      marks = [checkpoint.mark]
    }
    if recovery.mustRenewTokens { try recorder.journal.write(false, named: JournalNote.copy) }
    try? recorder.journal.write(start: nil)
    for host in contents.hosts { host.resumeWork(hasOthers ? .elsewhere : .here) }
    if environment.settings != settings {
      post(Configured(settings: environment.settings))
    }
    recorder.journal.warning.map { environment.recordJournal(.warning($0)) }
    if isAhead(of: environment.now(), last.time) { warnOfClock(last.time) }
    recorder.checkpoints.resume(with: marks)
    recorder.open(self)
    // This server itself keeps other builds out from now on. A request that cannot be withdrawn expires.
    try? shared?.takeOver(false)
    // The checkpoint is gone when this function returns.
    environment.freed(recovery.checkpoint?.byteCount ?? 0)
  }

  /// Drops what a journal has of stores and screens that the program no longer has. Does nothing for those that it has.
  ///
  /// Call it before ``start()``.
  package func retire(stores: [Text], screens: [Text]) {
    contents.retire(stores.map(Checkpoint.storePart) + screens.map(Checkpoint.screenPart))
  }

  /// The time by which clocks of machines may differ.
  private static let clockTolerance = Duration.seconds(60)

  /// Returns whether an input has a time that the clock, which was set back, does not reach soon.
  func isAhead(of now: Timestamp, _ time: Timestamp) -> Bool { time > now + Self.clockTolerance }

  func warnOfClock(_ time: Timestamp) {
    environment.recordJournal(
      .warning(
        "its last input has the time \(time), ahead of the clock; new inputs get this time until the clock reaches it"
      ))
  }

  /// Returns whether a position is not reached.
  package func isBehind(_ position: Int) -> Bool {
    position > appliedPosition.load(ordering: .acquiring)
  }

  /// Waits until this server has reached a position, or knows that the journal does not have it; 2 s at most.
  ///
  /// - Returns: `false` if that is not known in time.
  package func catchUp(to position: Int) async -> Bool {
    guard let recorder = recorder as? SharedRecorder else { return true }
    return await recorder.catchUp(to: position, self)
  }

  /// Notes how view models look, for a check of another program. Called when no more inputs come.
  package func closeJournal() { recorder?.close(self) }

  /// Why inputs are refused now; `nil` if they are recorded, or if the engine has no journal.
  package var journalFailure: JournalError? { recorder?.failure }

  /// Why this server must get no new clients now; `nil` if it may.
  package var journalDoubt: JournalDoubt? { recorder?.doubt(at: environment.scheduler.now) }

  /// Takes over a checkpoint of the journal, to apply the entries after it with ``replay(until:_:)`` in place
  /// of ``start()``. Nothing is recorded and nothing outside is called then, and the tokens are those of the journal.
  ///
  /// - Returns: The position of the checkpoint; `nil` if the journal is empty.
  package func beginReplay() throws(JournalError) -> Int? {
    holdCalls()
    incidents.isSilent = true
    guard let recovery = takeRecovery(), let checkpoint = recovery.checkpoint,
      let record = recovery.record
    else { return nil }
    if let failure = recovery.failure { throw failure }
    giveTokens(of: record.seed)
    var report = StartReport(of: environment)
    try restore(checkpoint, record, isShown: false, &report)
    // Nobody reads what is looked at afterwards.
    makesUnread.store(true, ordering: .relaxed)
    return checkpoint.position
  }

  /// Applies the entries of the journal up to a position, and passes each on.
  package func replay(
    until end: Int, _ look: (ReplayedInput) throws(JournalError) -> Void
  ) throws(JournalError) {
    guard let journal = recorder?.journal else { return }
    try journal.read(after: last.position) { (entries, _) throws(JournalError) in
      for entry in entries where entry.position <= end {
        let (outcome, moved) = try replay(next: entry)
        let heads = moved.map(\.head).filter { $0.isShown(since: entry.position) }
        try look(ReplayedInput(entry, outcome, heads))
      }
      return entries.last.map { $0.position < end } ?? false
    }
  }

  /// Applies the entries after the checkpoint.
  ///
  /// - Parameter refused: Gets those that this program refuses.
  /// - Returns: Whether one was skipped.
  private func replay(
    _ journal: any Journal, _ progress: ReplayProgress, from origin: InputOrigin,
    _ refused: inout RefusedInputs, _ report: inout StartReport
  ) throws(JournalError) -> Bool {
    incidents.isSilent = true
    defer { incidents.isSilent = false }
    journal.note(progress.start(at: last.position, isApplying: false))
    var hasSkipped = false
    try journal.read(after: last.position) { (entries, isNearEnd) throws(JournalError) in
      // The last ones may be some that no process has applied to its end. A journal that servers share takes longer
      // to note them, so it does after a start has ended.
      let isNoted = progress.isCareful || isNearEnd && !isShared
      for entry in entries {
        let isSkipped = progress.skipped.contains(entry.position)
        if progress.suspects.contains(entry.position) {
          journal.note(progress.start(at: last.position, isApplying: false))
          Thread.sleep(forTimeInterval: Self.suspectDelay)
        }
        if isNoted { journal.note(progress.start(at: entry.position, isApplying: !isSkipped)) }
        do throws(JournalError) {
          let (outcome, _) = try replay(next: entry, isSkipped: isSkipped, from: origin)
          if !isSkipped { refused.add(entry, outcome) }
        } catch {
          // An entry of another program ends the start, and must not be skipped.
          if isNoted { journal.note(progress.start(at: last.position, isApplying: false)) }
          guard origin == .former else { throw error }
          throw .damaged("\(error): start the build before once more, and end it with SIGTERM")
        }
        if isSkipped {
          hasSkipped = true
          environment.recordJournal(.skipped(position: entry.position, input: entry.loggedName))
        }
        report.reach(entry.position)
      }
      // The next entries take a while to read.
      if isNoted { journal.note(progress.start(at: last.position, isApplying: false)) }
      return true
    }
    return hasSkipped
  }

  /// The seconds before an entry is applied at which a start has ended.
  private static let suspectDelay = 0.2

  /// Applies the next entry of a journal. Work is not started: its end is an entry too.
  ///
  /// - Precondition: The engine applies no input of its own meanwhile.
  @discardableResult
  package func replay(
    next entry: Entry, isSkipped: Bool = false, from origin: InputOrigin = .past
  ) throws(JournalError) -> (outcome: any Sendable, moved: [Instance]) {
    let position = last.position + 1
    guard entry.position == position else { throw .damaged("entry \(position) is missing") }
    if isSkipped { return apply(SkippedInput(), entry, from: origin) }
    do throws(JSONShapeError) {
      return apply(try contents.input(JSONReader(entry.input)), entry, from: origin)
    } catch {
      throw .damaged("entry \(entry.position): \(error)")
    }
  }
}
