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
  ///   - position: The position of the oldest checkpoint.
  ///   - time: Its time.
  func open(_ engine: Engine, from position: Int, _ time: Timestamp)

  /// Takes the turns that wait in the queue of an engine, on the thread of the journal.
  func drain(_ engine: Engine)
}
