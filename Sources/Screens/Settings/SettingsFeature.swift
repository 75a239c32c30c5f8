public import CanonicalJSON
public import Forms
import Snapshots
public import ViewDeltaServer
public import ViewState

/// The screen of the settings of a user.
public struct SettingsFeature: Feature {
  /// The keys of the pages with their rows; `nil` for those of the demo.
  public var pages: [(key: Text, outline: FormOutline)]?
  /// The language of all texts but those of given pages, unless the server is started with another one.
  public var language: Language

  /// Configures the feature.
  public init(pages: [(key: Text, outline: FormOutline)]? = nil, language: Language = .en) {
    self.pages = pages
    self.language = language
  }

  public func register(in application: inout ApplicationBuilder) throws {
    let language = application.language(usually: language)
    let pages = pages ?? Self.demo(in: language)
    let screen = SettingsScreen(pages: pages, language: language)
    application.add(screen, keys: .only(pages.map(\.key)))
    for (_, outline) in pages {
      let state = SettingsScreen.State(fields: FormFields(outline, language: language))
      application.document(
        DemoDocument.examples(try screen.snapshot(of: state).sections.flatMap { Array($0.rows) }))
    }
  }
}
