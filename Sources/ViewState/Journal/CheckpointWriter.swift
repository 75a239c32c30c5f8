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

  /// Begins with a journal whose oldest checkpoint is at a position.
  func resume(from position: Int, _ time: Timestamp) {
    schedule.withLock { $0.resume(from: position, time) }
  }

  /// Writes a checkpoint beside the inputs that follow if it is time for one. Called between two inputs.
  func writeIfDue(of engine: Engine) {
    let last = engine.last
    guard schedule.withLock({ $0.begin(at: last.position) }) else { return }
    let moment = engine.moment
    let bookmark = (journal as? any SharedJournal)?.bookmark
    thread.async { [self] in
      do throws(JournalError) {
        try journal.write(engine.checkpoint(of: moment, bookmark))
        let base = schedule.withLock { $0.end(at: moment.position, moment.time) }
        if let base { try journal.trim(to: base) }
      } catch {
        schedule.withLock { $0.fail() }
        engine.environment.recordJournal(.checkpointFailed(error))
      }
    }
  }
}
