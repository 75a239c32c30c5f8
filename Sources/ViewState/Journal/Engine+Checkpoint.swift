import CanonicalJSON

/// Writes and takes over checkpoints.
extension Engine {
  /// Returns the states as a checkpoint.
  ///
  /// - Precondition: No input is applied meanwhile.
  package func checkpoint() throws(JournalError) -> Checkpoint { try checkpoint(of: moment) }

  /// Returns a moment as a checkpoint.
  ///
  /// - Parameters:
  ///   - bookmark: The place of the moment in a journal that servers share.
  ///   - seed: The bytes that tokens are made with; unless given, those of this engine.
  func checkpoint(
    of moment: Moment, _ bookmark: JSONValue? = nil, seed: [UInt8]? = nil
  ) throws(JournalError) -> Checkpoint {
    let record = EngineRecord(
      seed: seed ?? self.seed, program: program, time: moment.time,
      begun: moment.stores.begun, settings: moment.stores.settings,
      outcomes: moment.memory.outcomes)
    func written<Result>(
      _ subject: Text, _ write: () throws -> Result
    ) throws(JournalError) -> Result {
      do { return try write() } catch {
        throw .unavailable("the state of \(subject) cannot be written as JSON: \(error)")
      }
    }
    var parts = [
      EngineRecord.part: try written("the engine") { try JSONValue(encoding: record) }
    ]
    parts[Checkpoint.weight] = .integer(moment.weight)
    parts[Checkpoint.bookmark] = bookmark
    for (name, index) in contents.storeIndexes {
      parts[Checkpoint.storePart(name)] = try written(name) { try moment.stores.record(of: index) }
    }
    for host in contents.hosts {
      let name = host.descriptor.name
      var (rests, initial): ([Text: KeptState<RecordedState>], [Text: RecordedState]) = ([:], [:])
      try CommonParts.kept { () throws(JournalError) in
        for (key, rest) in moment.rests[name] ?? [:] {
          rests[key] = try written(host.loggedName(key)) {
            try host.record(rest, of: key, in: moment.stores, besides: &initial)
          }
        }
      }
      if rests.isEmpty { continue }
      parts[Checkpoint.screenPart(name)] = try written(name) { try JSONValue(encoding: rests) }
      if initial.isEmpty { continue }
      parts[Checkpoint.initialPart(name)] = try written(name) { try JSONValue(encoding: initial) }
    }
    for (name, part) in parts { try written(name) { try part.checkWritable() } }
    return Checkpoint(position: moment.position, parts: parts)
  }

  /// Takes over the states of a checkpoint.
  ///
  /// - Parameter isShown: Whether clients may see the states under the tokens of the journal.
  /// - Throws: `JournalError` if it belongs to a program with other stores, screens or settings.
  func restore(
    _ checkpoint: Checkpoint, _ record: EngineRecord, isShown: Bool, _ report: inout StartReport
  ) throws(JournalError) {
    do {
      try environment.settings.check(record.settings)
    } catch {
      throw .damaged(
        "it \(error.message): start as it needs, or with another journal")
    }
    let known = contents.storeIndexes
    for store in checkpoint.stores where known[store] == nil {
      guard contents.isRetired(Checkpoint.storePart(store)) else {
        throw .damaged(EngineContents.lacks(store: store))
      }
      environment.recordJournal(.warning("the store \(store) is dropped, because it is retired"))
    }
    resume(record, at: checkpoint.mark)
    for screen in checkpoint.screens {
      guard let host = contents.hosts.first(where: { $0.descriptor.name == screen }) else {
        guard contents.isRetired(Checkpoint.screenPart(screen)) else {
          throw .damaged(EngineContents.lacks(screen: screen))
        }
        environment.recordJournal(
          .warning("the states of \(screen) are dropped, because the screen is retired"))
        continue
      }
      let initial = Checkpoint.initialPart(screen)
      try CommonParts.kept { () throws(JournalError) in
        try host.restore(
          checkpoint.decode(Checkpoint.screenPart(screen)),
          besides: checkpoint.parts[initial] == nil ? [:] : checkpoint.decode(initial),
          at: checkpoint.position, byOther: record.program != program, isShown: isShown,
          &report)
      }
    }
    resume(stateByteCount: contents.hosts.reduce(0) { $0 + $1.restByteCount })
  }
}
