public import MicroHTTP
import ViewState

/// The stores, the screens and the endpoints, put together; a `Server` makes them reachable.
public struct Application: Sendable {
  /// All routes.
  public let router: Router
  private let document: OpenAPIDocument
  private let readiness = Readiness()
  private let room: WaitingRoom

  /// All that is on offer. A new screen is one line here.
  private static func features(
    _ configuration: ApplicationConfiguration, in engine: Engine
  ) -> [any Feature] {
    [
      ProfileFeature(configuration, in: engine),
      PodcastsFeature(configuration, in: engine),
      ScoreboardFeature(configuration, in: engine),
      CatalogFeature(configuration, in: engine),
      FormFeature(configuration, in: engine),
    ]
  }

  /// Puts everything together; nothing runs and nobody listens yet.
  public init(_ configuration: ApplicationConfiguration) {
    self.init(configuration) { Self.features(configuration, in: $0) }
  }

  /// The same with other features than its own.
  init(_ configuration: ApplicationConfiguration, features: (Engine) -> [any Feature]) {
    let environment = configuration.environment
    let engine = Engine(environment: environment)
    let features = features(engine)
    var registry = ScreenRegistry(engine)
    for feature in features { feature.register(in: &registry) }

    let cache = ReplyCache(byteLimit: configuration.replyCacheByteLimit)
    let models = ViewModels(registry: registry, replies: ViewReplies(cache: cache))
    let idempotency = IdempotencyCache(scheduler: environment.scheduler)
    room = WaitingRoom(limits: configuration.waitingLimits, scheduler: environment.scheduler)
    let context = EndpointContext(
      replies: ResourceReplies(epoch: .random(), cache: cache),
      idempotency: idempotency)

    var router = Router()
    HealthEndpoints(readiness: readiness).register(in: &router)
    document = OpenAPIDocument(
      base: OpenAPIEndpoint.base, screens: registry.descriptors,
      fragments: features.flatMap(\.documents))
    OpenAPIEndpoint(document).register(in: &router)
    ScreenEndpoints(registry, features, document, allowsFaults: configuration.allowsFaults)
      .register(in: &router)
    ViewModelEndpoints(models: models, idempotency: idempotency, room: room)
      .register(in: &router)
    EventEndpoint(
      models: models, room: room, scheduler: environment.scheduler,
      lifetime: configuration.eventStreamLifetime
    ).register(in: &router)
    SyncEndpoint(models: models, room: room).register(in: &router)
    for feature in features { feature.register(in: &router, context) }
    if configuration.allowsFaults { FaultEndpoints(features).register(in: &router) }
    configuration.publicFiles?.register(in: &router)
    self.router = router
  }

  /// The API as an OpenAPI 3.1 document in canonical JSON, which `GET /openapi.json` answers with.
  ///
  /// - Complexity: O(*n* log *n*), where *n* is its size.
  public var openAPI: [UInt8] { document.canonicalBytes() }

  /// How many requests wait for a change.
  public var waitingCount: Int { room.count }

  /// Lets `/readyz` answer 503 from now on, so that a load balancer sends no new clients. Polls that
  /// wait are answered, in the order in which they came, and event streams end; nobody may wait from
  /// now on.
  public func beginDraining() {
    readiness.end()
    room.drain()
  }
}
