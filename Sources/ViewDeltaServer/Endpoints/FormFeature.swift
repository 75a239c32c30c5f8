import CanonicalJSON
import MicroHTTP
import Screens
import ViewState

/// The screen of each form, on a store of forms with what has happened with them, and a registry of
/// the firms that are looked up.
struct FormFeature: Feature {
  let store: FormStore
  let companies: CompanyStore

  init(_ configuration: ApplicationConfiguration, in engine: Engine) {
    store = FormStore(configuration.forms, in: engine, latency: configuration.formLatency)
    companies = CompanyStore("companies", configuration.companies, in: engine)
  }

  func register(in screens: inout ScreenRegistry) {
    screens.register(FormScreen(store: store, companies: companies))
  }

  func register(in router: inout Router, _ context: EndpointContext) {
    AccountEndpoints(
      store: store, path: "/v1/forms", entries: (name: "entries", parameter: "entryID")
    ).register(in: &router, context)
    FormCompanyEndpoints(store: companies).register(in: &router, context)
  }

  var screenKeys: [Text: ScreenKeys] {
    ["form": .collection(path: "/v1/forms", title: "title")]
  }

  var faultTargets: [Text: any FaultTarget] { AccountFaults.all(of: store) }
}

extension FormSchema.Missing: MissingResource {
  var problem: ProblemDetails {
    switch self {
    case .form: .missing(code: "unknown-form", "there is no form of this id")
    case .entry: .missing(code: "unknown-entry", "the form has no entry of this id")
    }
  }
}
