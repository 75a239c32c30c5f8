import CanonicalJSON
import HTTPTypes
import MicroHTTP
import ViewState

/// Answers with the changes of a view model as they happen, as Server-Sent Events.
struct EventEndpoint: Sendable {
  let models: ViewModels
  let room: WaitingRoom
  let scheduler: any Scheduler
  /// The range from which the lifetime of each stream is drawn.
  let lifetime: ClosedRange<Duration>

  private static let fields: HTTPFields = [
    .contentType: DocumentFormat.eventStream.contentType,
    .cacheControl: Caching.never.rawValue, .vary: "Accept, Prefer",
    // Without it nginx holds a reply back until a buffer is full.
    .accelBuffering: "no",
  ]

  func register(in router: inout Router) {
    router.route(.get, "/v1/view-models/{screen}/{key}/events", events)
  }

  private func events(_ request: Request) throws(ProblemDetails) -> Reply {
    _ = try request.format(among: [.eventStream])
    let path = ScreenPath(request)
    let screen = try models.screen(at: path)
    var held = try HeldRevision(request)
    held.since = try request.lastEventID ?? held.since
    let preferences = request.preferences
    if preferences.isStrict {
      try held.change(of: screen, models.registry).refuseReset()
    }
    var fields = Self.fields
    fields[.contentLanguage] = models.replies.language(of: screen.name)?.rawValue
    if preferences.wantsDiff { fields[.preferenceApplied] = Preferences.diff }
    // The reply to a HEAD has no content that could be streamed.
    if request.method == .head { return .now(Response(status: .ok, fields: fields)) }
    let stream = EventStream(
      of: screen, at: path, since: held, mustBeDiff: preferences.wantsDiff, for: drawLifetime(),
      models: models, scheduler: scheduler)
    try stream.takeSeat(in: room, from: request.remoteAddress)
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
  /// The last revision that a browser got from a stream that broke; `nil` if the field is empty (HTML
  /// Living Standard, section 9.2.4).
  ///
  /// - Throws: A 400 problem if it is not the name of a revision.
  fileprivate var lastEventID: Text? {
    get throws(ProblemDetails) {
      guard let text = self[.lastEventID], !text.isEmpty else { return nil }
      guard RevisionToken.isWellFormed(text) else {
        throw ProblemDetails(
          status: .badRequest, code: "bad-field",
          detail: "Last-Event-ID is not a revision: 1 to 64 of A-Z a-z 0-9 . _ -")
      }
      return Text(text)
    }
  }
}

extension HTTPField.Name {
  fileprivate static var lastEventID: HTTPField.Name { HTTPField.Name("Last-Event-ID")! }
  fileprivate static var accelBuffering: HTTPField.Name { HTTPField.Name("X-Accel-Buffering")! }
}
