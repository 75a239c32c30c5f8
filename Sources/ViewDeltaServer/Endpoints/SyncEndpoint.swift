import CanonicalJSON
import HTTPTypes
import MicroHTTP

/// Answers one poll for many view models: a browser has six connections to a host, and an app one radio.
struct SyncEndpoint: Sendable {
  /// The largest body, in bytes. A body with a hundred names of the greatest length, with each character
  /// escaped, has 160 KB.
  static let bodyLimit = 256 * 1024

  let models: ViewModels
  let room: WaitingRoom

  func register(in router: inout Router) {
    router.route(.post, SyncQuestion.path, sync)
  }

  private func sync(_ request: Request) throws(ProblemDetails) -> Reply {
    request.noteQuery()
    let representation = try request.representation()
    guard request.body.count <= Self.bodyLimit else { throw .bodyTooLarge(limit: Self.bodyLimit) }
    if request.hasSmallBody { return try reply(to: request, as: representation) }
    return models.replies.unsized.reply(to: request) { () throws(ProblemDetails) in
      try reply(to: request, as: representation)
    }
  }

  private func reply(
    to request: Request, as representation: Representation
  ) throws(ProblemDetails) -> Reply {
    let query = try request.json(as: SyncQuery.init(_:))
    let question = SyncQuestion(
      instances: query.instances, preferences: request.preferences, representation: representation,
      models: models)
    return try models.reply(to: request, afterReaching: question.revisionNames) {
      () throws(ProblemDetails) in
      try reply(to: question, of: request, waiting: query.wait)
    }
  }

  private func reply(
    to question: SyncQuestion, of request: Request, waiting time: Duration
  ) throws(ProblemDetails) -> Reply {
    if !question.takesLong,
      ReplyThread.isBrief(question.representation, upTo: question.changedByteCount)
    {
      return try room.reply(to: question, of: request, waiting: time)
    }
    return models.replies.unsizedReply(to: request, asking: question) {
      question throws(ProblemDetails) in
      try room.reply(to: question, of: request, waiting: time)
    }
  }
}
