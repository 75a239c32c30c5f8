import HTTPTypes
import MicroHTTP
import ViewState

/// The view models, whatever the screen: no route knows one by name.
struct ViewModelEndpoints: Sendable {
  let models: ViewModels
  let idempotency: IdempotencyCache
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
  func currentSnapshot(
    of screen: any ScreenInstance, for request: Request, as representation: Representation
  ) throws(ProblemDetails) -> Response {
    let revision = screen.current
    return try request.unlessKnown(as: representation) { representation in
      models.replies.snapshot(of: screen, at: revision, as: representation)
    }
  }
}
