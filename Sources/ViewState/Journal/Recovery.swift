import CanonicalJSON

/// What a journal has when an engine begins with it.
struct Recovery: Sendable {
  /// The checkpoints of the journal, oldest first.
  let marks: [Checkpoint.Mark]
  /// The checkpoint to begin with; `nil` if the journal is empty. If another program wrote it, it is the newest one: no
  /// revision of that program is given again, and the rules of this one should refuse no input that the other has
  /// accepted.
  let checkpoint: Checkpoint?
  /// `nil` if the journal is empty.
  let record: EngineRecord?
  /// What starts before say of the entries; of a journal that servers share, it is read later.
  let progress: ReplayProgress
  /// Whether clients may know more than this engine will have under the tokens of the journal: it is a copy, or an entry
  /// is skipped that a server may have shown.
  let mustRenewTokens: Bool
  /// Whether another program wrote the checkpoint.
  let isOther: Bool
  /// The reason why a store cannot be read.
  private(set) var failure: JournalError?

  /// Reads a journal.
  ///
  /// - Parameters:
  ///   - schedule: Tells with which checkpoint of the same program an engine begins.
  ///   - program: The program that begins; `nil` for the one that has written the journal.
  init(
    _ journal: any Journal, _ schedule: CheckpointSchedule, _ program: Text?
  ) throws(JournalError) {
    (marks, checkpoint, record) = try Self.start(journal, schedule, program)
    isOther = record.map { program != nil && program != $0.program } ?? false
    progress =
      journal is any SharedJournal
      ? ReplayProgress() : try journal.replayProgress(of: program ?? record?.program ?? "")
    let isCopy = try journal.note(JournalNote.copy) == true
    let first = checkpoint?.position ?? 0
    mustRenewTokens = isCopy || progress.skipped.contains { $0 > first }
  }

  /// What a program must do with the stores and states of another one.
  static let demand = "this build must read or migrate what the build before has recorded"

  /// The number of times in turn that all checkpoints may be gone when they are read.
  private static let attempts = 10

  private static func start(
    _ journal: any Journal, _ schedule: CheckpointSchedule, _ program: Text?
  ) throws(JournalError) -> ([Checkpoint.Mark], Checkpoint?, EngineRecord?) {
    var former: [Checkpoint.Mark] = []
    for _ in 1...attempts {
      let marks = try journal.marks()
      if !marks.isEmpty, marks == former {
        throw .damaged("the entries after its checkpoints were removed")
      }
      former = marks
      guard var index = schedule.start(in: marks) else { return ([], nil, nil) }
      while index < marks.count {
        guard let checkpoint = try journal.checkpoint(at: marks[index].position) else {
          // The entries after a newer one may still be there.
          index += 1
          continue
        }
        // A revision has no such number.
        if checkpoint.position < 0 { throw .damaged("a checkpoint has a negative position") }
        let record: EngineRecord = try checkpoint.decode(EngineRecord.part)
        let isSame = program == nil || program == record.program
        if isSame || index == marks.count - 1 { return (marks, checkpoint, record) }
        index = marks.count - 1
      }
      // Another server may have removed them meanwhile. It has written a newer one then.
    }
    throw .unavailable("its checkpoints are removed again and again before they are read")
  }

  /// Returns the value of a store; `nil` if the journal does not have it, so that it begins with the value of the
  /// program.
  mutating func store<Value: StoreValue>(
    _ name: Text, as type: Value.Type
  ) -> StoreRecord<Value>? {
    let part = Checkpoint.storePart(name)
    guard let checkpoint, checkpoint.parts[part] != nil else { return nil }
    do throws(JournalError) {
      let record: StoreRecord<Value> = try checkpoint.decode(part)
      guard record.versions.areKnown(at: checkpoint.position) else {
        throw .damaged("the part \(part) of the checkpoint has positions that are not before it")
      }
      return record
    } catch {
      failure = failure ?? (isOther ? .damaged("\(error): \(Self.demand)") : error)
      return nil
    }
  }
}

/// A store that a checkpoint has; see ``Stores/record(of:)``.
struct StoreRecord<Value: Decodable & Sendable>: Decodable {
  let value: Value
  let versions: StoreVersions
}
