import CanonicalJSON
import MicroHTTP
import ViewState

/// Screens that belong together, with the endpoints of the store that they show. Adding one is a
/// folder of screens, one such type, and its line in `Application`.
protocol Feature: Sendable {
  /// Offers the screens.
  func register(in screens: inout ScreenRegistry)

  /// Offers the REST endpoints of the store.
  func register(in router: inout Router, _ context: EndpointContext)

  /// The sources whose faults can be scripted, by the name that is theirs under `/v1/faults`.
  var faultTargets: [Text: any FaultTarget] { get }

  /// Where the keys of the screens are found, by the names of the screens.
  var screenKeys: [Text: ScreenKeys] { get }

  /// What the feature adds to the OpenAPI document; see ``OpenAPIDocument``.
  var documents: [JSONValue] { get }
}

extension Feature {
  /// Without more said there is nothing that could fail.
  var faultTargets: [Text: any FaultTarget] { [:] }

  /// Without more said a client has to know the keys.
  var screenKeys: [Text: ScreenKeys] { [:] }

  /// By default the document knows what the descriptors of the screens say.
  var documents: [JSONValue] { [] }
}

/// What the endpoints of all stores share.
struct EndpointContext: Sendable {
  let replies: ResourceReplies
  let idempotency: IdempotencyCache
}
