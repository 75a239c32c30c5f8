public import CanonicalJSON
public import ViewState

/// How an ``Application`` runs its features and serves them. What belongs to a feature, such as the data
/// that it starts with, is configured at the feature.
public struct ApplicationConfiguration: Sendable {
  /// The environment that the screens run in.
  public var environment: ScreenEnvironment
  /// The content of a data file, as an object. Each feature starts with the members that it knows; `nil`
  /// lets it start with data of its own.
  public var data: JSONValue?
  /// How long a load of each source takes; `nil` leaves that to the features.
  public var latency: Duration?
  /// How long a load takes of the sources with these names, over ``latency``.
  public var latencies: [Text: Duration] = [:]
  /// Secret bytes that tokens and entity tags are made with: equal requests to applications of one seed get
  /// equal replies.
  package var seed = Engine.randomSeed()
  /// Whether clients may script faults under `/v1/faults`.
  public var allowsFaults = false
  /// The page for browsers and its files; without them the server has the API alone.
  public var publicFiles: PublicFiles?
  /// How many bytes of encoded replies are kept for the next client that asks for them.
  public var replyCacheByteLimit = 64 * 1024 * 1024
  /// How many requests may wait for a change.
  public var waitingLimits = WaitingLimits()
  /// How long an event stream lasts before its client has to connect anew; drawn from this range for
  /// each, so that clients which came together do not come back together.
  public var eventStreamLifetime: ClosedRange<Duration> = .seconds(240)...(.seconds(360))

  /// A configuration without faults, page and data file.
  public init(environment: ScreenEnvironment) {
    self.environment = environment
  }
}
