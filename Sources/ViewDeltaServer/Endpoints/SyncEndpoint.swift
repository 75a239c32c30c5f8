import CanonicalJSON
import HTTPTypes
import MicroHTTP

/// Answers one poll for many view models: a browser has six connections to a host, and an app one radio.
struct SyncEndpoint: Sendable {
  static let path = "/v1/sync"

  /// The largest body, in bytes. A body with a hundred names of the greatest length, with each character
  /// escaped, has 160 KB.
  static let bodyLimit = 256 * 1024

  /// The largest body that is read on the thread that serves the connection, in bytes. Reading takes up to
  /// a tenth of a microsecond for each byte, in which all connections of the thread wait.
  private static let briefBody = 4 * 1024

  let models: ViewModels
  let room: WaitingRoom

  func register(in router: inout Router) {
    router.route(.post, Self.path, sync)
  }

  private func sync(_ request: Request) throws(ProblemDetails) -> Reply {
    request.noteQuery()
    let representation = try request.representation()
    guard request.body.count <= Self.bodyLimit else { throw .bodyTooLarge(limit: Self.bodyLimit) }
    guard request.body.count <= Self.briefBody else {
      return request.replyInTask { () throws(ProblemDetails) in
        let asked = try question(of: request, as: representation)
        return try models.reply(to: request, afterReaching: asked.question.revisionNames) {
          longReply(to: asked, of: request)
        }
      }
    }
    let asked = try question(of: request, as: representation)
    return try models.reply(to: request, afterReaching: asked.question.revisionNames) {
      () throws(ProblemDetails) in
      try briefReply(to: asked, of: request)
    }
  }

  /// Returns a reply that is made on this thread if that does not take long.
  private func briefReply(
    to asked: (question: SyncQuestion, wait: Duration), of request: Request
  ) throws(ProblemDetails) -> Reply {
    if asked.question.takesLong { return longReply(to: asked, of: request) }
    return try models.replies.large.reply(
      to: request, as: asked.question.representation, upTo: asked.question.changedByteCount
    ) { representation throws(ProblemDetails) in
      var asked = asked
      asked.question.representation = representation
      return try reply(to: asked, of: request)
    }
  }

  /// Returns a reply that is made in a task, which makes the view models before.
  private func longReply(
    to asked: (question: SyncQuestion, wait: Duration), of request: Request
  ) -> Reply {
    .later { responder in
      Task {
        // One that cannot be made is part of the reply.
        let made = await models.made(asked.question.screens.map(\.path))
        responder.respond(to: request) { () throws(ProblemDetails) in
          try reply(to: asked, of: request)
        }
        withExtendedLifetime(made) {}
      }
    }
  }

  private func question(
    of request: Request, as representation: Representation
  ) throws(ProblemDetails) -> (question: SyncQuestion, wait: Duration) {
    let query = try request.json(as: SyncQuery.init(_:))
    let question = SyncQuestion(
      screens: query.screens, preferences: request.preferences, representation: representation,
      models: models)
    return (question, query.wait)
  }

  private func reply(
    to asked: (question: SyncQuestion, wait: Duration), of request: Request
  ) throws(ProblemDetails) -> Reply {
    try room.reply(to: asked.question, of: request, waiting: asked.wait)
  }
}
