import CanonicalJSON
import HTTPTypes
import MicroHTTP
import ViewState

extension ViewModelEndpoints {
  /// Runs a command, once for each idempotency key.
  func command(_ request: Request) async throws(ProblemDetails) -> Response {
    try request.requireJSONAccepted()
    return try await idempotency.respond(to: request) { (request) throws(ProblemDetails) in
      try await runCommand(request)
    }
  }

  private func runCommand(_ request: Request) async throws(ProblemDetails) -> Response {
    let screen = try models.recipient(at: ScreenPath(request))
    let since = try request.revisionName("since")
    let expected = try request.expectedRevisions
    let body = try request.json()
    let outcome = try await run(body, on: screen, expecting: expected)
    return reply(to: since, outcome, screen)
  }

  private func run(
    _ body: JSONReader, on screen: any ScreenInstance, expecting expected: Set<RevisionToken>?
  ) async throws(ProblemDetails) -> CommandOutcome {
    let command: SentCommand
    do { command = try SentCommand(body) } catch { throw ProblemDetails(.refused(error)) }
    do {
      return try await screen.send(command, expecting: expected)
    } catch {
      throw ProblemDetails(error)
    }
  }

  private func reply(
    to since: Text?, _ outcome: CommandOutcome, _ screen: any ScreenInstance
  ) -> Response {
    let token = outcome.revision.token.description
    var writer = JSONWriter()
    writer.raw("{\"accepted\":")
    writer.value(.bool(outcome.isAccepted))
    if !outcome.details.isEmpty {
      writer.raw(",\"details\":")
      writer.value(.object(outcome.details))
    }
    if let since {
      writer.raw(",\"diff\":")
      writer.raw(inlineDiff(since, to: outcome.revision, screen))
    }
    writer.raw(",\"revision\":")
    writer.string(token)
    writer.raw("}")
    return .json(
      encoded: writer.bytes, status: outcome.isPending ? .accepted : .ok,
      fields: [.viewRevision: token])
  }

  /// Returns the change that spares the sender a poll: a diff, or a reset if the revision that the sender
  /// names cannot be diffed.
  private func inlineDiff(
    _ since: Text, to revision: Revision, _ screen: any ScreenInstance
  ) -> [UInt8] {
    do throws(ResetReason) {
      let older = try models.registry.revision(named: since, of: screen)
      return revision.diff(from: older, named: since, as: .json)
    } catch {
      return revision.reset(error, as: .json)
    }
  }
}

extension Request {
  /// The revisions that If-Match names; `nil` if it allows any.
  fileprivate var expectedRevisions: Set<RevisionToken>? {
    get throws(ProblemDetails) {
      switch try ifMatch {
      case nil, .any: nil
      case .tags(let tags):
        Set(tags.compactMap { $0.isWeak ? nil : RevisionToken(String($0.uncoded)) })
      }
    }
  }
}

extension ProblemDetails {
  fileprivate init(_ failure: CommandFailure) {
    switch failure {
    case .refused(let refusal):
      self.init(
        status: .unprocessableContent, code: "invalid-command", detail: refusal.message,
        pointer: refusal.pointer.description)
    case .outdated(let current):
      self = .preconditionFailed(
        "the current revision is not the one in If-Match",
        fields: [.viewRevision: current.description])
    case .removed:
      self = .deletedKey
    case .failed:
      self = .screenFailed
    }
  }
}
