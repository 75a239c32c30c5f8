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
    if let last = try request.lastEventID { held.move(to: last) }
    let question = ChangeQuestion(
      path: path, screen: screen, held: held, preferences: request.preferences,
      representation: .firstEvent, models: models)
    if question.preferences.isStrict { _ = try question.ask() }
    let language = models.replies.language(of: screen.name)
    return try stream(question, for: request, language: language?.rawValue)
  }

  private func stream(
    _ question: some ContinuedQuestion, for request: Request, language: String?
  ) throws(ProblemDetails) -> Reply {
    var fields = Self.fields
    fields[.contentLanguage] = language
    if request.preferences.wantsDiff { fields[.preferenceApplied] = Preferences.diff }
    // The reply to a HEAD has no content that could be streamed.
    if request.method == .head { return .now(Response(status: .ok, fields: fields)) }
    let stream = EventStream(question, for: drawLifetime(), scheduler: scheduler)
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
