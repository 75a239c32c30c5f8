import CanonicalJSON
import Screens
import ViewDeltaServer
import ViewState

/// The application of the demo, whose features can be configured: by default without any latency.
struct DemoApplication {
  var configuration: ApplicationConfiguration
  var profile = ProfileFeature()
  var podcasts = PodcastsFeature()
  var scoreboards = ScoreboardFeature()
  var catalogs = CatalogFeature()
  var forms = FormFeature()
  var settings = SettingsFeature()

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
