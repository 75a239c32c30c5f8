import CanonicalJSON
import HTTPTypes
import MicroHTTP
import ViewState

/// Answers with the changes of one or many view models as they happen, as Server-Sent Events.
struct EventEndpoint: Sendable {
  let models: ViewModels
  let room: WaitingRoom
  /// The range from which the lifetime of each stream is drawn.
  let lifetime: ClosedRange<Duration>

  private static let fields: HTTPFields = [
    .contentType: DocumentFormat.eventStream.contentType,
    .cacheControl: Caching.never.rawValue, .vary: "Accept, Prefer",
    // Without it nginx holds a reply back until a buffer is full.
    .accelBuffering: "no",
  ]

  func register(in router: inout Router) {
    router.route(.get, "/v1/view-models/{screen}/{key}/events", eventsOfOne)
    router.route(.get, "/v1/events", eventsOfMany)
  }

  private func eventsOfOne(_ request: Request) throws(ProblemDetails) -> Reply {
    _ = try request.format(among: [.eventStream])
    let path = InstancePath(request)
    let instance = models.mustMake(path) ? nil : try models.instance(at: path)
    var held = try HeldRevision(request.query)
    if let last = try request.lastEventID(naming: 1) { held.move(to: last[0]) }
    let question = ChangeQuestion(
      path: path, instance: instance, held: held, preferences: request.preferences,
      representation: .firstEvent, models: models)
    // A client ahead of this server learns later of a reset.
    if question.preferences.isStrict, models.position(ahead: request.revisionNames) == nil {
      // On this thread even if it takes long, because a stream cannot be refused later.
      _ = try question.ask()
    }
    return try stream(question, of: [path], for: request)
  }

  private func eventsOfMany(_ request: Request) throws(ProblemDetails) -> Reply {
    _ = try request.format(among: [.eventStream])
    var instances = try HeldInstance.list(request.query)
    for instance in instances where !models.registry.offers(instance.path.screen) {
      throw .noScreen(named: instance.path.screen)
    }
    if let last = try request.lastEventID(naming: instances.count) {
      for (index, revision) in last.enumerated() { instances[index].held.move(to: revision) }
    }
    let question = SyncQuestion(
      instances: instances, preferences: request.preferences, representation: .firstEvent,
      models: models)
    return try stream(question, of: instances.map(\.path), for: request)
  }

  private func stream(
    _ question: any Question, of paths: [InstancePath], for request: Request
  ) throws(ProblemDetails) -> Reply {
    var fields = Self.fields
    fields[.contentLanguage] = models.replies.languages(of: paths.map(\.name))
    if request.preferences.wantsDiff { fields[.preferenceApplied] = Preferences.diff }
    // The reply to a HEAD has no content that could be streamed.
    if request.method == .head { return .now(Response(status: .ok, fields: fields)) }
    let names = request.revisionNames
    let preparation: EventStream.Preparation = { [models] () async throws(ProblemDetails) in
      try await models.catchUp(to: names)
      return models.made(paths)
    }
    let mustWait =
      models.position(ahead: names) != nil || paths.contains(where: models.mustMake)
    let stream = try EventStream(
      question, after: mustWait ? preparation : nil, for: drawLifetime(), in: room,
      on: models.replies.unsized, from: request.remoteAddress)
    return .stream(fields: fields) { signal in
      stream.attach(signal)
      return stream
    }
  }

  private func drawLifetime() -> Duration {
    let second = Duration.seconds(1)
    return second * Double.random(in: lifetime.lowerBound / second...lifetime.upperBound / second)
  }
}

extension Request {
  /// Reads the id of the last event that a browser got from a stream that broke: the revision of each view
  /// model, separated by commas.
  ///
  /// - Parameter count: The number of view models of the stream.
  /// - Returns: `nil` if the field is empty (HTML Living Standard, section 9.2.4).
  /// - Throws: A 400 problem if it is not the names of so many revisions.
  fileprivate func lastEventID(naming count: Int) throws(ProblemDetails) -> [Text]? {
    guard let text = self[.lastEventID], !text.isEmpty else { return nil }
    let names = text.split(separator: ",", omittingEmptySubsequences: false).map { String($0) }
    guard names.count == count else {
      throw .badField("Last-Event-ID does not name one revision for each view model")
    }
    guard names.allSatisfy(RevisionToken.isWellFormed) else {
      throw .badField("Last-Event-ID has a revision that is not \(RevisionToken.form)")
    }
    return names.map { Text($0) }
  }
}

extension HTTPField.Name {
  static let lastEventID = HTTPField.Name("Last-Event-ID")!
  fileprivate static let accelBuffering = HTTPField.Name("X-Accel-Buffering")!
}
