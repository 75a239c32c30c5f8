import CanonicalJSON
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
    router.get(path + "/revisions", revisions)
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

  private func revisions(_ request: Request) throws(ProblemDetails) -> Response {
    try request.requireJSONAccepted()
    let screen = try models.screen(at: ScreenPath(request))
    let kept = screen.kept
    return .json(
      .object([
        "screen": .string(screen.name), "revisions": .array(kept.map(\.json)),
      ]),
      fields: [.viewRevision: kept[kept.count - 1].token.description])
  }
}

extension Revision {
  fileprivate var json: JSONValue {
    .object([
      "revision": .string(token.description), "cause": cause.json,
      "operations": .integer(operationCount), "bytes": .integer(diffByteCount),
    ])
  }
}

extension RevisionCause {
  fileprivate var json: JSONValue {
    switch self {
    case .start:
      ["kind": "start"]
    case .command(let type):
      ["kind": "command", "type": .string(type)]
    case .loaded(let source):
      ["kind": "loadResult", "source": .string(source), "outcome": "loaded"]
    case .failed(let source, let code):
      [
        "kind": "loadResult", "source": .string(source), "outcome": "failed",
        "code": .string(code),
      ]
    case .storeWrite(let source):
      ["kind": "storeWrite", "source": .string(source)]
    }
  }
}
