import CanonicalJSON

/// Records the inputs of an engine in a journal, and has the engine apply what is recorded.
protocol InputRecorder: Sendable {
  var journal: any Journal { get }
  /// Identifies the program.
  var program: Text { get }
  /// The reason why inputs are refused now; `nil` if they are recorded.
  var failure: JournalError? { get }

  /// Lets turns be taken from now on.
  ///
  /// - Parameters:
  ///   - engine: The engine.
  ///   - marks: The checkpoints of the journal, oldest first.
  func open(_ engine: Engine, with marks: [Checkpoint.Mark])

  /// Notes how view models look after the last input.
  func close(_ engine: Engine)

  /// Takes the turns that wait in the queue of an engine, on the thread of the journal.
  func drain(_ engine: Engine)
}
