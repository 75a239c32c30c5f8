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
    let representation = try request.representation()
    guard request.body.count <= Self.bodyLimit else { throw .bodyTooLarge(limit: Self.bodyLimit) }
    guard request.body.count <= Self.briefBody else {
      return request.replyInTask { () throws(ProblemDetails) in
        try reply(to: request, self.query(in: request), as: representation)
      }
    }
    let query = try self.query(in: request)
    let needsManyHashes = query.screens.contains { _, path, held in
      guard let screen = try? models.screen(at: path) else { return false }
      return held.needsManyHashes(of: screen, models.registry)
    }
    guard needsManyHashes else { return try reply(to: request, query, as: representation) }
    return request.replyInTask { () throws(ProblemDetails) in
      try reply(to: request, query, as: representation)
    }
  }

  private func query(in request: Request) throws(ProblemDetails) -> SyncQuery {
    let body = try request.json()
    do throws(JSONShapeError) {
      return try SyncQuery(body)
    } catch {
      throw ProblemDetails(error)
    }
  }

  private func reply(
    to request: Request, _ query: SyncQuery, as representation: Representation
  ) throws(ProblemDetails) -> Reply {
    let question = SyncQuestion(
      query: query, preferences: request.preferences, coding: representation.coding, models: models)
    return try LongPoll.reply(to: question, of: request, waiting: query.wait, in: room)
  }
}
