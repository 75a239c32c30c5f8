import CanonicalJSON
import Dispatch
import Synchronization

/// Writes checkpoints of an engine to its journal, on a thread of its own, and removes what is not needed any more.
final class CheckpointWriter: Sendable {
  private let journal: any Journal
  private let schedule: Mutex<CheckpointSchedule>
  private let thread = DispatchQueue(label: "viewdelta.checkpoint")

  init(_ journal: any Journal, _ schedule: CheckpointSchedule) {
    self.journal = journal
    self.schedule = Mutex(schedule)
  }

  /// The position of the newest checkpoint; `nil` until the engine has begun.
  var newest: Int? { schedule.withLock { $0.newest } }

  /// Begins with a journal that has checkpoints.
  func resume(with marks: [Checkpoint.Mark]) {
    schedule.withLock { $0.resume(with: marks) }
  }

  /// Writes a checkpoint beside the inputs that follow if it is time for one. Called between two inputs.
  func writeIfDue(of engine: Engine) {
    guard schedule.withLock({ [weight = engine.weight] in $0.begin(at: weight) }) else { return }
    let moment = engine.moment
    let bookmark = (journal as? any SharedJournal)?.bookmark
    thread.async { [self] in
      do throws(JournalError) {
        try writeCheckpoint(of: engine, moment, bookmark)
        // A journal that servers share has no notes.
        if bookmark == nil { journal.note(Looks(moment)) }
        while true {
          let byteCount = try journal.byteCount
          guard let base = schedule.withLock({ $0.trim(byteCount) }) else { break }
          try journal.trim(to: base)
        }
      } catch {
        schedule.withLock { $0.fail() }
        engine.environment.recordJournal(.checkpointFailed(error))
      }
    }
  }

  /// Writes a checkpoint of the moment after the last input, unless the newest one is of this moment.
  func writeLast(of engine: Engine, _ moment: Moment) {
    let bookmark = (journal as? any SharedJournal)?.bookmark
    thread.sync {
      if newest == moment.position { return }
      do throws(JournalError) {
        try writeCheckpoint(of: engine, moment, bookmark)
      } catch {
        engine.environment.recordJournal(.checkpointFailed(error))
      }
    }
  }

  private func writeCheckpoint(
    of engine: Engine, _ moment: Moment, _ bookmark: JSONValue?
  ) throws(JournalError) {
    var byteCount = 0
    // A checkpoint is a copy of all states, which is gone by then.
    defer { engine.environment.freed(byteCount) }
    let checkpoint = try engine.checkpoint(of: moment, bookmark)
    byteCount = checkpoint.byteCount
    try journal.write(checkpoint)
    if let former = schedule.withLock({ $0.end(at: checkpoint.mark) }) {
      try journal.removeCheckpoints(in: former...former)
    }
  }
}
