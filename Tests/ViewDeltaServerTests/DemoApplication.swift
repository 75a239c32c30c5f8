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

  init(_ environment: ScreenEnvironment) {
    configuration = ApplicationConfiguration(environment: environment)
  }

  func make() throws -> Application {
    try Application(configuration) {
      profile
      podcasts
      scoreboards
      catalogs
      forms
      settings
    }
  }
}
