import CanonicalJSON
import Forms
import Snapshots
public import ViewDeltaServer
public import ViewState

/// The screen of the settings of a user.
public struct SettingsFeature: Feature {
  /// The language of the texts, unless the server is started with another one.
  public var language = Language.en

  /// Creates the feature, in English.
  public init() {}

  public func register(in application: inout ApplicationBuilder) throws {
    let language = application.language(usually: language)
    let pages = Self.demo(in: language)
    let screen = SettingsScreen(pages: pages, language: language)
    application.add(screen, keys: .only(pages.map(\.key)))
    for (_, outline) in pages {
      let state = SettingsScreen.State(fields: FormFields(outline, language: language))
      application.document(
        DemoDocument.examples(try screen.snapshot(of: state).sections.flatMap { Array($0.rows) }))
    }
  }
}
