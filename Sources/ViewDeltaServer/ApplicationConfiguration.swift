public import Screens
public import ViewState

/// What an `Application` serves, and how.
public struct ApplicationConfiguration: Sendable {
  /// The users and posts to start with.
  public var data: ProfileData
  /// The scoreboards to start with.
  public var scoreboards = ScoreboardData.demo()
  /// The catalogs to start with.
  public var catalogs = CatalogData.demo()
  /// The listeners and podcasts to start with.
  public var podcasts = PodcastData.demo()
  /// The forms to start with, and what has happened with them.
  public var forms = FormData.demo()
  /// The firms that forms look up.
  public var companies = CompanyData.demo()
  /// Whether clients may script faults under `/v1/faults`.
  public var allowsFaults = false
  /// The page for browsers, and what it needs; without it the server has the API alone.
  public var publicFiles: PublicFiles?
  /// What stays on a screen while it is loaded again.
  public var refreshPolicy = RefreshPolicy.keepPrevious
  /// How long a load of each source of the profile takes; one that is not named takes no time.
  public var latency: [ProfileSource: Duration] = [:]
  /// How long a load of podcasts takes.
  public var podcastsLatency = Duration.zero
  /// How long the work of each source of a form takes; one that is not named takes no time.
  public var formLatency: [FormSource.Name: Duration] = [:]
  /// What the screens run on.
  public var environment: ScreenEnvironment
  /// How many bytes of encoded replies are kept for the next client that asks for them.
  public var replyCacheByteLimit = 64 * 1024 * 1024
  /// How many requests may wait for a change.
  public var waitingLimits = WaitingLimits()
  /// How long an event stream lasts before its client has to connect anew; drawn from this range for
  /// each, so that clients which came together do not come back together.
  public var eventStreamLifetime: ClosedRange<Duration> = .seconds(240)...(.seconds(360))

  /// Serves the data without faults and latency, unless told otherwise.
  public init(data: ProfileData, environment: ScreenEnvironment) {
    self.data = data
    self.environment = environment
  }
}
