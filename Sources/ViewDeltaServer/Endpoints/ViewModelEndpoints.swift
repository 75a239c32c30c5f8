import CanonicalJSON
import HTTPTypes
import MicroHTTP
import ViewState

/// The view models, whatever the screen: no route knows one by name.
struct ViewModelEndpoints: Sendable {
  let registry: ScreenRegistry
  let replies: ViewReplies
  let idempotency: IdempotencyCache

  func register(in router: inout Router) {
    let screens = JSONValue.object(["screens": .array(registry.descriptors.map(\.json))])
    router.get("/v1/view-models", StaticDocument(screens.canonicalBytes()).reply)
    let path = "/v1/view-models/{screen}/{key}"
    router.get(path, snapshot)
    router.get(path + "/diff", diff)
    router.get(path + "/revisions", revisions)
    router.on(.post, path + "/commands", command)
  }

  /// The view model that the path names.
  ///
  /// - Throws: a 404 problem where there is none, a 410 problem where it was deleted.
  func screen(of request: Request) throws(ProblemDetails) -> any ScreenInstance {
    guard let screen = request.parameters["screen"], let key = request.parameters["key"] else {
      throw .unknownKey
    }
    do {
      return try registry.instance(screen: screen, key: key)
    } catch {
      switch error {
      case .unknownScreen: throw .unknownScreen
      case .unknownKey: throw .unknownKey
      case .deletedKey: throw .deletedKey
      }
    }
  }

  private func snapshot(_ request: Request) throws(ProblemDetails) -> Response {
    try request.requireJSONAccepted()
    let screen = try screen(of: request)
    let reply: Response
    let revision: Revision
    if let token = try request.revision("at") {
      revision = try pinned(token, of: screen)
      reply = replies.pinnedSnapshot(of: screen, at: revision)
    } else {
      revision = screen.current
      reply = replies.snapshot(of: screen, at: revision)
    }
    return reply.unless(request, has: revision)
  }

  private func revisions(_ request: Request) throws(ProblemDetails) -> Response {
    try request.requireJSONAccepted()
    let screen = try screen(of: request)
    let kept = screen.kept
    return .json(
      .object([
        "screen": .string(screen.name), "revisions": .array(kept.map(\.json)),
      ]),
      fields: [.viewRevision: kept[kept.count - 1].token.description])
  }
}

extension Response {
  /// The 304 in place of a snapshot that the client says it has.
  func unless(_ request: Request, has revision: Revision) -> Response {
    guard let condition = request.ifNoneMatch else { return self }
    let tag = EntityTag(revision.token.description)
    return condition.matchesWeakly(tag) ? notModified : self
  }
}

extension ScreenDescriptor {
  fileprivate var json: JSONValue {
    let commands = commands.map { command in
      JSONValue.object([
        "type": .string(command.type), "summary": .string(command.summary),
        "schema": command.schema,
      ])
    }
    return .object([
      "name": .string(name), "summary": .string(summary),
      "path": .string("/v1/view-models/\(name)/{\(keyName)}"),
      "sources": .array(sources.map(JSONValue.string)), "commands": .array(commands),
    ])
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
