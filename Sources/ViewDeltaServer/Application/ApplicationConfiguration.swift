package import CanonicalJSON
package import ViewState

/// Configures how an ``Application`` runs and serves its features. A feature has its own configuration, such
/// as the data that it starts with.
package struct ApplicationConfiguration: Sendable {
  /// The environment that the screens run in.
  package var environment: ScreenEnvironment
  /// The content of a data file, as an object. Each feature starts with the members that it knows. If it is
  /// `nil`, each feature starts with its own data.
  package var data: JSONValue?
  /// The latencies of sources, for tests of clients. A source that no screen has is an error:
  /// ``ApplicationError/unknownSource(_:known:)``.
  package var latencies = Latencies()
  /// Secret bytes that tokens and entity tags are made with: equal requests to applications of one seed get
  /// equal replies.
  package var seed = Engine.randomSeed()
  /// The journal of the inputs, so that a restart loses none and clients go on with their revisions; `nil` keeps the
  /// inputs only in memory. If the journal is not empty, the data comes from it, and ``data`` and the data of features
  /// are not used.
  package var journal: (any Journal)?
  /// How long the journal keeps inputs that a start does not need, to see later what has happened.
  package var retention = JournalRetention()
  /// The schedule of checkpoints; `nil` takes the usual one.
  package var schedule: CheckpointSchedule?
  /// Identifies the program to the journal: another program may show the same state in another way, so it goes on with
  /// the data but starts new revisions. `nil` takes it for the program that has written the journal.
  package var program: Text?
  /// Whether clients may script faults under `/v1/faults`.
  package var allowsFaults = false
  /// The page for browsers and its files; `nil` serves only the API.
  package var publicFiles: PublicFiles?
  /// The memory for encoded replies that further clients get, in bytes, estimated.
  package var replyCacheByteLimit = 64 * 1024 * 1024
  /// The limits on requests that wait for a change.
  package var waitingLimits = WaitingLimits()
  /// The range of the lifetime of event streams, after which their clients connect again. The lifetime of each stream
  /// is random, so that clients that connect together do not all connect again together.
  package var eventStreamLifetime: ClosedRange<Duration> = .seconds(240)...(.seconds(360))

  /// Creates a configuration without faults, page and data file.
  package init(environment: ScreenEnvironment = ScreenEnvironment()) {
    self.environment = environment
  }
}
