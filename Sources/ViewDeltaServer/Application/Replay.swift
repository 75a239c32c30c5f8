package import CanonicalJSON
package import ViewState

/// Applies the inputs of a journal again to the screens and stores of features, without a server. It does not change
/// the journal, and calls nothing outside.
package struct Replay {
  /// The position of the checkpoint with which it begins.
  package let start: Int
  /// The number of inputs that were applied so far.
  package var count: Int { engine.position - start }
  private let engine: Engine
  private let registry: ScreenRegistry

  /// Combines features, and takes over a checkpoint and the settings of the journal.
  ///
  /// - Parameters:
  ///   - journal: The journal.
  ///   - schedule: The schedule that tells with which checkpoint it begins: the oldest one, unless given.
  ///   - program: The program that would start; `nil` for the one that has written the journal.
  ///   - incidents: What its start would log.
  ///   - features: The features that the journal is of.
  /// - Throws: The errors of features, and `JournalError`, also if the journal is empty.
  package init(
    _ journal: any Journal, _ schedule: CheckpointSchedule = .all, program: Text? = nil,
    noting incidents: @escaping @Sendable (JournalIncident) -> Void = { _ in },
    @FeatureBuilder features: () throws -> [any Feature]
  ) throws {
    var configuration = ApplicationConfiguration()
    configuration.journal = journal
    configuration.schedule = schedule
    configuration.program = program
    configuration.environment.recordJournal = incidents
    if let settings = try journal.settings { configuration.environment.settings = settings }
    var builder = try ApplicationBuilder(configuration, ReplyCache(byteLimit: 0))
    try builder.add(features())
    (engine, registry) = (builder.engine, builder.registry)
    guard let start = try engine.beginReplay() else { throw JournalError.damaged("it is empty") }
    self.start = start
  }

  /// Applies the inputs up to a position, and passes each on with what it did.
  package func run(
    until end: Int = .max, _ look: (ReplayedInput) throws(JournalError) -> Void
  ) throws(JournalError) {
    try engine.replay(until: end, look)
  }

  /// Returns the current revision of a view model; `nil` if there is none.
  ///
  /// - Parameter name: The screen with its key, such as `profile/1`.
  package func revision(of name: Text) -> Revision? {
    guard let path = InstancePath(name),
      let instance = try? registry.instance(screen: path.screen, key: path.key),
      instance.failure == nil
    else { return nil }
    return instance.current
  }
}
