import CanonicalJSON
import Synchronization

/// Going on where a journal ends.
extension Engine {
  /// Takes over what the journal has, and applies inputs from now on. Does nothing if the engine has no journal, or
  /// has begun.
  ///
  /// Call it after all stores and screens are added, and before the first client is served.
  ///
  /// ```swift
  /// let engine = try Engine(environment: environment, journal: SQLiteJournal(path: "notes.journal"))
  /// let notes = Store("notes", Notes(), in: engine)
  /// try engine.start()
  /// ```
  ///
  /// - Throws: `JournalError` if the journal cannot be read or written, or if it is one of other stores, screens or
  ///   settings.
  public func start() throws(JournalError) {
    guard let recorder, let recovery = takeRecovery() else { return }
    if let failure = recovery.failure { throw failure }
    let shared = recorder.journal as? any SharedJournal
    let hasOthers = try shared?.hasOthers ?? false
    if let checkpoint = recovery.checkpoint, let record = recovery.record {
      giveTokens(of: record.seed)
      defer { giveTokens(of: nil) }
      try restore(checkpoint, record)
      try replay(recorder.journal)
    }
    let isRenewed = recovery.record.map { $0.seed != seed } ?? false
    if hasOthers { try checkSame(isRenewed) }
    if isRenewed { for host in contents.hosts { host.renewTokens() } }
    let moment = moment
    var oldest = (recovery.checkpoint?.position ?? 0, recovery.record?.time ?? moment.time)
    // A store that the journal does not have begins with data of the program, which may be other data next time.
    if isRenewed || recovery.checkpoint?.stores.count != contents.storeNames.count {
      if let shared {
        try shared.begin(with: checkpoint(of: moment))
      } else {
        try recorder.journal.write(checkpoint(of: moment))
        try recorder.journal.trim(to: moment.position)
      }
      oldest = (moment.position, moment.time)
    }
    for host in contents.hosts { host.resumeWork() }
    if environment.settings != settings { post(Configured(environment.settings)) }
    // A client of another server may come with a revision of a view model that nobody has read here.
    makesUnread.store(shared != nil, ordering: .relaxed)
    recorder.open(self, from: oldest.0, oldest.1)
  }

  /// Checks that this server answers as the others do that share the journal.
  ///
  /// - Parameter isRenewed: Whether the journal is of another program.
  private func checkSame(_ isRenewed: Bool) throws(JournalError) {
    if isRenewed { throw .unavailable("servers with another build of the program use it") }
    if let option = settings.firstDifference(from: environment.settings) {
      throw .unavailable("servers with another --\(option) use it")
    }
  }

  /// Whether other servers may append to the journal.
  package var isShared: Bool { recorder?.journal is any SharedJournal }

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

  /// Why inputs are refused now; `nil` if they are recorded, or if the engine has no journal.
  package var journalFailure: JournalError? { recorder?.failure }

  private func restore(_ checkpoint: Checkpoint, _ record: EngineRecord) throws(JournalError) {
    do {
      try environment.settings.check(record.settings)
    } catch {
      throw .damaged("\(error.pointer): \(error.message), and the journal is for others")
    }
    if let store = checkpoint.stores.first(where: { !contents.storeNames.contains($0) }) {
      throw .damaged("the journal has the store \(store), which this program lacks")
    }
    resume(record, at: checkpoint.position)
    for screen in checkpoint.screens {
      guard let host = contents.hosts.first(where: { $0.descriptor.name == screen }) else {
        throw .damaged("the journal has the screen \(screen), which this program lacks")
      }
      host.restore(try checkpoint.decode(Checkpoint.screenPart(screen)), at: checkpoint.position)
    }
  }

  /// The number of entries that are read at once. The last ones, up to twice as many, also make the revisions that
  /// clients hold of view models that no command has changed.
  private static let readCount = 1_024

  /// Applies the entries after the checkpoint.
  private func replay(_ journal: any Journal) throws(JournalError) {
    incidents.isSilent = true
    defer {
      incidents.isSilent = false
      makesUnread.store(false, ordering: .relaxed)
    }
    var entries = try journal.entries(after: last.position, limit: Self.readCount)
    while let end = entries.last {
      let next = try journal.entries(after: end.position, limit: Self.readCount)
      makesUnread.store(next.count < Self.readCount, ordering: .relaxed)
      for entry in entries { try replay(next: entry) }
      entries = next
    }
  }

  private func replay(next entry: Entry) throws(JournalError) {
    do throws(JSONShapeError) {
      apply(try next(entry), entry, from: .past)
    } catch {
      throw .damaged("entry \(entry.position): \(error)")
    }
  }

  /// Returns the states as a checkpoint.
  ///
  /// - Precondition: No input is applied meanwhile.
  package func checkpoint() throws(JournalError) -> Checkpoint { try checkpoint(of: moment) }

  /// Returns a moment as a checkpoint.
  ///
  /// - Parameter bookmark: The place of the moment in a journal that servers share.
  func checkpoint(
    of moment: Moment, _ bookmark: JSONValue? = nil
  ) throws(JournalError) -> Checkpoint {
    let record = EngineRecord(
      seed: seed, program: recorder?.program ?? "", time: moment.time,
      settings: moment.stores.settings,
      outcomes: moment.memory.outcomes, stateByteCount: moment.memory.stateByteCount)
    do {
      var parts: [Text: JSONValue] = [EngineRecord.part: try JSONValue(encoding: record)]
      parts[Checkpoint.bookmark] = bookmark
      for (name, value) in try contents.records(of: moment.stores) {
        parts[Checkpoint.storePart(name)] = value
      }
      for host in contents.hosts {
        let name = host.descriptor.name
        let rests = try (moment.rests[name] ?? [:]).mapValues { try host.record($0) }
        if !rests.isEmpty { parts[Checkpoint.screenPart(name)] = try JSONValue(encoding: rests) }
      }
      for part in parts.values { try part.checkWritable() }
      return Checkpoint(position: moment.position, parts: parts)
    } catch {
      throw .unavailable("a state cannot be written as JSON: \(error)")
    }
  }
}
