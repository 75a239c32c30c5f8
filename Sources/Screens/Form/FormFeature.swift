import CanonicalJSON
public import ViewDeltaServer
public import ViewState

/// The screen of each form, on a store of forms with what has happened with them, and a registry of
/// the companies that are looked up.
public struct FormFeature: Feature {
  /// The forms to start with if there is no data file, and what has happened with them.
  public var data = FormData.demo()
  /// The companies to start with if there is no data file.
  public var companies = CompanyData.demo()
  /// The language of the texts that are not those of the forms, unless the server is started with another one.
  public var language = Language.en

  /// Creates the feature with the data of the demo, in English.
  public init() {}

  public func register(in application: inout ApplicationBuilder) throws {
    let store = FormStore(
      "forms", try application.takeData("forms", or: data) { try FormData(reading: $0) },
      in: application.engine)
    let companies = CompanyStore(
      "companies",
      try application.takeData("companies", or: companies) { try CompanyData($0) },
      in: application.engine)
    let screen = FormScreen(
      store: store, companies: companies, language: application.language(usually: language))
    for fragment in try Self.documents(of: screen, data.parents.first) {
      application.document(fragment)
    }
    application.add(screen, keys: .collection(path: "/v1/forms", title: "title"))
    application.add(collection: store, at: "/v1/forms", children: "entries")
    application.add(collection: companies, at: "/v1/companies")
  }
}
