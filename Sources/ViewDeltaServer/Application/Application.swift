package import CanonicalJSON
import HTTPTypes
package import MicroHTTP
package import ViewState

/// The screens, stores and endpoints of features, combined.
///
/// ```swift
/// await Application.main {
///   Groceries()
///   NotesFeature()
/// }
/// ```
public struct Application: Sendable {
  /// All routes.
  package let router: Router
  /// Whether the data comes from the journal, so that the data file is not used.
  package let isRestored: Bool
  /// Whether clients of the journal get a reset, because the revisions that they hold are no longer given.
  package let hasNewRevisions: Bool
  /// The members of the data file that no feature reads, as a text for people: `/comments, /users/0/phone
  /// (10 times)`. Empty if there are none.
  package let ignoredData: String
  /// The screens and the lists of their keys, in the order in which features add them.
  package let screens: [(descriptor: ScreenDescriptor, keys: ScreenKeys?)]
  /// Whether the application serves a page for browsers at `/`.
  package let hasPage: Bool
  private let document: OpenAPIDocument
  private let observed = ObservedServer()
  private let room: WaitingRoom
  private let engine: Engine
  private let tasks: [ApplicationTask]
  private let scheduler: any Scheduler

  /// Combines features into an application. It serves no client yet.
  ///
  /// - Precondition: No two features add a screen, a store, a route or a source with faults of the same
  ///   name, and none adds a route of the server: `/healthz`, `/readyz`, `/metrics`, `/openapi.json`, `/v1/sync`,
  ///   `/v1/events`, `/v1/differences`, and paths that begin with `/v1/view-models`, `/v1/faults` or
  ///   `/v1/collections`. No screen is named `collection` and no store `collections`.
  /// - Throws: The errors of features, and ``ApplicationError``, also for a route that the OpenAPI document does not
  ///   describe.
  public init(@FeatureBuilder features: () throws -> [any Feature]) throws {
    try self.init(ApplicationConfiguration(), features: features)
  }

  /// Combines features into an application with other limits, or with a data file or a journal.
  ///
  /// - Precondition: As without a configuration.
  /// - Throws: As without a configuration, `JSONShapeError` if the data file is not an object, and `JournalError`. Only the
  ///   public files are not described in the OpenAPI document.
  package init(
    _ configuration: ApplicationConfiguration,
    @FeatureBuilder features: () throws -> [any Feature]
  ) throws {
    scheduler = configuration.environment.scheduler
    let cache = ReplyCache(byteLimit: configuration.replyCacheByteLimit)
    var builder = try ApplicationBuilder(configuration, cache)
    isRestored = builder.engine.isRestored
    hasNewRevisions = builder.engine.hasNewTokens
    try builder.add(features())
    ignoredData = try builder.ignoredData()
    try builder.checkLatencies()

    let (registry, keys) = (builder.registry, builder.screenKeys)
    screens = registry.descriptors.map { ($0, keys[$0.name]) }
    let models = ViewModels(
      registry: registry, replies: ViewReplies(cache: cache, screens: registry.descriptors))
    room = WaitingRoom(limits: configuration.waitingLimits, scheduler: scheduler)
    let faultScreens = configuration.allowsFaults ? builder.faultScreens : [:]

    var router = builder.router
    HealthEndpoints(room: room, engine: builder.engine).register(in: &router)
    MetricsEndpoint(registry: registry, room: room, observed: observed).register(in: &router)
    document = try OpenAPIDocument(
      base: OpenAPIDocument.base, screens: registry.descriptors,
      fragments: builder.documentFragments + builder.undescribedCollections())
    router.get("/openapi.json", StaticDocument(document.canonicalBytes).reply)
    try ScreenEndpoints(
      registry: registry, keys: keys, document: document, faultSources: Set(faultScreens.keys)
    ).register(in: &router)
    ViewModelEndpoints(models: models, room: room).register(in: &router)
    EventEndpoint(models: models, room: room, lifetime: configuration.eventStreamLifetime)
      .register(in: &router)
    SyncEndpoint(models: models, room: room).register(in: &router)
    DifferenceEndpoint().register(in: &router)
    if configuration.allowsFaults {
      FaultEndpoints(screens: faultScreens, scripts: builder.faults, registry: registry)
        .register(in: &router)
    }
    try document.check(router.routes)
    for (screen, keys) in screens {
      guard case .collection(let path, _)? = keys else { continue }
      guard router.refusal(of: Request(method: .get, target: path)) == nil else {
        fatalError(
          "the screen \(screen.name) has the keys of the collection \(path), which has no endpoints"
        )
      }
    }
    configuration.publicFiles?.register(in: &router)
    hasPage = configuration.publicFiles?.paths.contains("/") ?? false
    self.router = router
    engine = builder.engine
    tasks = builder.tasks
    try engine.start()
  }

  /// The OpenAPI 3.1 document of the API in canonical JSON, which is the reply to `GET /openapi.json`.
  ///
  /// - Complexity: O(*n* log *n*), where *n* is the size of the document.
  public var openAPI: [UInt8] { document.canonicalBytes() }

  /// The position of the last input in the journal; `nil` without a journal.
  package var journalPosition: Int? {
    let statistics = engine.statistics
    return statistics.hasJournal ? statistics.position : nil
  }

  /// The number of requests that wait for a change.
  package var waitingCount: Int { room.count }

  /// Adds the numbers of the server that serves the application, such as its connections, to `/metrics`.
  package func observe(_ server: Server) { observed.observe(server) }

  /// Runs the tasks that features have added, until all have returned or the current task is cancelled: see
  /// ``ApplicationBuilder/addTask(_:_:)``. `ServeOptions` and `Application.main` do so while they serve.
  ///
  /// - Parameter failed: Called with the name of a task and its error each time the task throws, before the pause after
  ///   which it runs again.
  package func runTasks(
    failed: @escaping @Sendable (_ name: Text, _ error: any Error) -> Void
  ) async {
    await withDiscardingTaskGroup { [scheduler] group in
      for task in tasks {
        group.addTask(executorPreference: OutsideThreads(count: 1)) {
          await task.run(on: scheduler, failed: failed)
        }
      }
    }
  }

  /// Answers `/readyz` with 503 from now on, so that a load balancer sends no new clients. Answers the polls
  /// that wait, ends event streams, and lets no more requests wait.
  package func beginDraining() { room.drain() }

  /// Notes in the journal how view models look, so that another program can be checked. Called when the last client
  /// is served.
  package func close() { engine.closeJournal() }
}
