import HTTPTypes
import MicroHTTP
import Snapshots
import ViewState

extension ViewModelEndpoints {
  /// What changed since the revision that the client names, at once or as soon as there is
  /// something.
  func diff(_ request: Request) throws(ProblemDetails) -> Reply {
    let representation = try request.representation(among: [.json, .jsonPatch])
    let path = ScreenPath(request)
    let screen = try models.screen(at: path)
    let query = try ChangeQuery(request)
    if query.standpoint.since == nil {
      return .now(try currentSnapshot(of: screen, for: request, as: representation))
    }
    if let since = query.standpoint.since, let until = query.until {
      let (from, to) = (try pinned(since, of: screen), try pinned(until, of: screen))
      return .now(models.replies.pinnedDiff(of: screen, from: from, to: to, as: representation))
    }
    let question = ChangeQuestion(
      path: path, standpoint: query.standpoint, preferences: request.preferences,
      representation: representation, models: models)
    if query.standpoint.needsManyHashes(in: screen, models.registry) {
      return request.answeredElsewhere { () throws(ProblemDetails) in
        try LongPoll.reply(to: question, of: request, waiting: query.wait, in: room)
      }
    }
    let condition = StillCurrent(screen)
    let reply = try LongPoll.reply(to: question, of: request, waiting: query.wait, in: room)
    // What there is to say of another history's revision depends on the other view models too.
    guard case .now(let response) = reply, let since = query.standpoint.since, since.isOf(screen)
    else { return reply }
    return .standing(response, while: condition)
  }

  /// A kept revision that the client pins.
  ///
  /// - Throws: a 410 problem where it is not kept: there is nothing else to answer with.
  func pinned(
    _ name: RevisionName, of screen: any ScreenInstance
  ) throws(ProblemDetails) -> Revision {
    do {
      return try name.lookup(in: screen, models.registry).get()
    } catch {
      throw .revisionExpired(error.reason)
    }
  }
}
