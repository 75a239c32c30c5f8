public import MicroHTTP
import Screens
import ViewState

/// The stores, the screens and the endpoints, put together; a `Server` makes them reachable.
public struct Application: Sendable {
  /// All routes.
  public let router: Router
  private let readiness = Readiness()
  private let room: WaitingRoom

  /// Puts everything together; nothing runs and nobody listens yet.
  public init(_ configuration: ApplicationConfiguration) {
    let environment = configuration.environment
    let store = ProfileStore(
      data: configuration.data, scheduler: environment.scheduler,
      latency: configuration.latency, now: configuration.now)

    // A new screen is one line here.
    var registry = ScreenRegistry(environment: environment)
    registry.register(ProfileScreen(store: store, policy: configuration.refreshPolicy))

    let models = ViewModels(
      registry: registry,
      replies: ViewReplies(cache: ReplyCache(byteLimit: configuration.replyCacheByteLimit)))
    let idempotency = IdempotencyCache(scheduler: environment.scheduler)
    room = WaitingRoom(limits: configuration.waitingLimits, scheduler: environment.scheduler)
    let tags = ResourceTags(epoch: environment.makeEpoch())

    var router = Router()
    HealthEndpoints(readiness: readiness).register(in: &router)
    OpenAPIEndpoint().register(in: &router)
    ViewModelEndpoints(models: models, idempotency: idempotency, room: room)
      .register(in: &router)
    EventEndpoint(
      models: models, room: room, scheduler: environment.scheduler,
      lifetime: configuration.eventStreamLifetime
    ).register(in: &router)
    SyncEndpoint(models: models, room: room).register(in: &router)
    UserEndpoints(store: store, tags: tags, idempotency: idempotency).register(in: &router)
    PostEndpoints(store: store, tags: tags, idempotency: idempotency).register(in: &router)
    if configuration.allowsFaults { FaultEndpoints(store: store).register(in: &router) }
    self.router = router
  }

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
