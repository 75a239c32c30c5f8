import CanonicalJSON

/// Records the inputs of an engine in a journal, and has the engine apply what is recorded.
protocol InputRecorder: Sendable {
  var journal: any Journal { get }
  /// The reason why inputs are refused now; `nil` if they are recorded.
  var failure: JournalError? { get }

  /// Writes the checkpoints.
  var checkpoints: CheckpointWriter { get }

  /// Returns why this server must get no new clients now; `nil` if it may.
  func doubt(at now: Duration) -> JournalDoubt?

  /// Lets turns be taken from now on.
  func open(_ engine: Engine)

  /// Writes a checkpoint after the last input, with which another program begins, and notes how view models look; does
  /// not if the journal does not answer.
  func close(_ engine: Engine)

  /// Takes the turns that wait in the queue of an engine, on the thread of the journal.
  func drain(_ engine: Engine)
}

extension InputRecorder {
  func doubt(at now: Duration) -> JournalDoubt? { nil }

  /// Returns the input of a turn as JSON. Refuses one that cannot be written, because it would never be recorded, and
  /// the others must not wait for it.
  func json(of turn: any Turn, in engine: Engine) -> JSONValue? {
    do throws(JSONShapeError) {
      return try turn.json()
    } catch {
      engine.environment.recordJournal(.unwritable("\(error)"))
      _ = turn.refuse()
      return nil
    }
  }
}

/// The reason why a server must get no new clients, of those that share a journal.
package enum JournalDoubt: Sendable {
  /// It has not applied all that the journal has, or has not heard from it what that is.
  case behind
  /// Its state differs from that of other servers.
  case differs
}
