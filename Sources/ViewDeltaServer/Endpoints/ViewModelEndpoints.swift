import HTTPTypes
import MicroHTTP
import ViewState

/// The view models, whatever the screen: no route knows one by name.
struct ViewModelEndpoints: Sendable {
  let models: ViewModels
  let room: WaitingRoom

  func register(in router: inout Router) {
    let path = "/v1/view-models/{screen}/{key}"
    router.route(.get, path, snapshot)
    router.route(.get, path + "/diff", diff)
    router.on(.get, path + "/revisions", revisions)
    router.on(.post, path + "/commands", command)
  }

  private func snapshot(_ request: Request) throws(ProblemDetails) -> Reply {
    let representation = try request.representation()
    let screen = try models.screen(at: ScreenPath(request))
    guard let token = try request.revision("at") else {
      let condition = StillCurrent(screen)
      let reply = try currentSnapshot(of: screen, for: request, as: representation)
      return .standing(reply, while: condition)
    }
    let revision = try pinned(token, of: screen)
    let reply = try request.unlessKnown(as: representation) { representation in
      models.replies.pinnedSnapshot(of: screen, at: revision, as: representation)
    }
    return .now(reply)
  }

  /// The current snapshot, or 304 for a client that has it.
  private func currentSnapshot(
    of screen: any ScreenInstance, for request: Request, as representation: Representation
  ) throws(ProblemDetails) -> Response {
    let revision = screen.current
    return try request.unlessKnown(as: representation) { representation in
      models.replies.snapshot(of: screen, at: revision, as: representation)
    }
  }

  /// What changed since the revision that the client names, at once or as soon as there is
  /// something.
  private func diff(_ request: Request) throws(ProblemDetails) -> Reply {
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
  private func pinned(
    _ name: RevisionName, of screen: any ScreenInstance
  ) throws(ProblemDetails) -> Revision {
    do {
      return try name.lookup(in: screen, models.registry).get()
    } catch {
      throw .revisionExpired(error.reason)
    }
  }

  /// A page of the kept revisions.
  ///
  /// With a task of its own: the sizes of the diffs are computed when they are first asked for.
  private func revisions(_ request: Request) async throws(ProblemDetails) -> Response {
    let representation = try request.representation()
    let path = ScreenPath(request)
    let screen = try models.screen(at: path)
    let limit = try request.pageLimit
    var end: Revision?
    if let before = try request.revision("before") { end = try pinned(before, of: screen) }
    let page = HistoryPage(of: screen, at: path, before: end, limit: limit)
    return try request.unlessKnown(as: representation) { representation in
      models.replies.history(page, as: representation)
    }
  }
}
