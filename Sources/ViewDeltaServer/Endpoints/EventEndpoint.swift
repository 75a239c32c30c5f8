import CanonicalJSON
import HTTPTypes
import MicroHTTP
import ViewState

/// The changes of a view model as they happen, as Server-Sent Events.
struct EventEndpoint: Sendable {
  let models: ViewModels
  let room: WaitingRoom
  let scheduler: any Scheduler
  /// How long a stream lasts, drawn for each.
  let lifetime: ClosedRange<Duration>

  private static let fields: HTTPFields = [
    .contentType: DocumentFormat.eventStream.contentType,
    .cacheControl: Caching.never.rawValue, .vary: "Accept",
    // nginx holds replies back otherwise, until a buffer is full.
    .accelBuffering: "no",
  ]

  func register(in router: inout Router) {
    router.route(.get, "/v1/view-models/{screen}/{key}/events", events)
  }

  private func events(_ request: Request) throws(ProblemDetails) -> Reply {
    _ = try request.format(among: [.eventStream])
    let path = ScreenPath(request)
    let screen = try models.screen(at: path)
    let since = try request.revision("since")
    let standpoint = Standpoint(
      since: try request.lastEventID ?? since, have: try request.contentHash("have"))
    if request.preferences.isStrict {
      try standpoint.change(in: screen, models.registry).refusingReset()
    }
    // Nobody listens to the stream of a HEAD.
    if request.method == .head { return .now(Response(status: .ok, fields: Self.fields)) }
    let stream = EventStream(
      of: path, after: standpoint, for: drawLifetime(), models: models, scheduler: scheduler)
    try stream.sit(in: room, from: request.remoteAddress)
    return .stream(fields: Self.fields) { signal in
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
  /// The revision that a browser was sent last on a stream that broke. An empty one is none, as the
  /// HTML Living Standard has it.
  ///
  /// - Throws: a 400 problem for one that is no revision.
  fileprivate var lastEventID: RevisionName? {
    get throws(ProblemDetails) {
      guard let text = self[.lastEventID], !text.isEmpty else { return nil }
      guard RevisionToken.isWellFormed(text) else {
        throw ProblemDetails(
          status: .badRequest, code: "bad-field",
          detail: "Last-Event-ID is not a revision: 1 to 64 of A-Z a-z 0-9 . _ -")
      }
      return RevisionName(text: Text(text))
    }
  }
}

extension HTTPField.Name {
  fileprivate static var lastEventID: HTTPField.Name { HTTPField.Name("Last-Event-ID")! }
  fileprivate static var accelBuffering: HTTPField.Name { HTTPField.Name("X-Accel-Buffering")! }
}
