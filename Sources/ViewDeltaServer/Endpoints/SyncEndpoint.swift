import CanonicalJSON
import HTTPTypes
import MicroHTTP

/// One poll for many view models: a browser has six connections to a host, and an app one radio.
struct SyncEndpoint: Sendable {
  static let path = "/v1/sync"

  let models: ViewModels
  let room: WaitingRoom

  func register(in router: inout Router) {
    router.route(.post, Self.path, sync)
  }

  private func sync(_ request: Request) throws(ProblemDetails) -> Reply {
    let representation = try request.representation()
    let query: SyncQuery
    let body = try request.json()
    do throws(JSONShapeError) {
      query = try SyncQuery(body)
    } catch {
      throw ProblemDetails(error)
    }
    let question = SyncQuestion(
      query: query, isStrict: request.preferences.isStrict, coding: representation.coding,
      models: models)
    return try LongPoll.reply(to: question, of: request, waiting: query.wait, in: room)
  }
}
