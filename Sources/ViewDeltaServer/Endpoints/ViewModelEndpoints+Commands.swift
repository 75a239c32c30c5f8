import CanonicalJSON
import HTTPTypes
import MicroHTTP
import ViewState

extension ViewModelEndpoints {
  /// Runs a command, once for each idempotency key.
  func command(_ request: Request) async throws(ProblemDetails) -> Response {
    try request.requireJSONAccepted()
    let key = try request.idempotencyKey
    let path = ScreenPath(request)
    // A key may remember the outcome for a view model that is gone.
    if key == nil { _ = try models.addressee(path) }
    let since = try request.revision("since")
    let expected = try request.expectedRevisions
    let body = try request.json()
    do throws(CommandFailure) {
      let command: SentCommand
      do { command = try SentCommand(body) } catch { throw .refused(error) }
      let outcome = try await models.registry.send(
        command, to: path.screen, path.key, expecting: expected, once: key)
      return reply(to: since, outcome, path)
    } catch {
      throw ProblemDetails(error)
    }
  }

  /// The reply that an outcome gives each time.
  private func reply(
    to since: RevisionName?, _ outcome: CommandOutcome, _ path: ScreenPath
  ) -> Response {
    let token = outcome.revision.description
    var writer = JSONWriter()
    writer.raw("{\"accepted\":")
    writer.value(.bool(outcome.isAccepted))
    if !outcome.details.isEmpty {
      writer.raw(",\"details\":")
      writer.value(.object(outcome.details))
    }
    if let since, let screen = try? models.addressee(path) {
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

  /// The change that spares the sender a poll: a diff, or a reset if the revision that the sender names
  /// cannot be diffed. If the revision of the outcome is no longer kept, it is a reset to the current one.
  private func inlineDiff(
    _ since: RevisionName, to token: RevisionToken, _ screen: any ScreenInstance
  ) -> [UInt8] {
    let revision: Revision
    switch RevisionName(token).lookup(in: screen, models.registry) {
    case .success(let kept): revision = kept
    case .failure(let unknown):
      return screen.current.reset(of: screen, reason: unknown.reason, as: .json)
    }
    switch since.lookup(in: screen, models.registry) {
    case .success(let older) where older.token.number > token.number:
      return revision.reset(of: screen, reason: .futureRevision, as: .json)
    case .success(let older):
      return revision.diff(of: screen, from: older, named: since.text, as: .json)
    case .failure(let unknown):
      return revision.reset(of: screen, reason: unknown.reason, as: .json)
    }
  }
}

extension Request {
  /// The revisions that If-Match allows; `nil` where any will do.
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
    case .unavailable(let error):
      self.init(error)
    case .reusedKey:
      self = .reusedKey
    }
  }
}
