import Screens
import ViewDeltaServer
import ViewState

/// The application of the demo, whose features can be configured: by default without any latency.
struct DemoApplication {
  var configuration: ApplicationConfiguration
  var profile = Self.demo.profile
  var podcasts = Self.demo.podcasts
  var scoreboards = Self.demo.scoreboards
  var catalogs = Self.demo.catalogs
  var forms = Self.demo.forms
  var settings = Self.demo.settings

  /// The features with the demo data, which takes long to read, and is read once for all tests.
  private static let demo = (
    profile: ProfileFeature(), podcasts: PodcastsFeature(), scoreboards: ScoreboardFeature(),
    catalogs: CatalogFeature(), forms: FormFeature(), settings: SettingsFeature()
  )

  /// The features beside the profile. To register all of them takes the most of a short test.
  struct Features: OptionSet {
    let rawValue: Int

    static let podcasts = Features(rawValue: 1)
    static let scoreboards = Features(rawValue: 2)
    static let catalogs = Features(rawValue: 4)
    static let forms = Features(rawValue: 8)
    static let settings = Features(rawValue: 16)
    static let all: Features = [.podcasts, .scoreboards, .catalogs, .forms, .settings]
  }

  private let features: Features

  init(_ environment: ScreenEnvironment, _ features: Features = .all) {
    self.features = features
    configuration = ApplicationConfiguration(environment: environment)
  }

  func make() throws -> Application {
    try Application(configuration) {
      profile
      if features.contains(.podcasts) { podcasts }
      if features.contains(.scoreboards) { scoreboards }
      if features.contains(.catalogs) { catalogs }
      if features.contains(.forms) { forms }
      if features.contains(.settings) { settings }
    }
  }
}
