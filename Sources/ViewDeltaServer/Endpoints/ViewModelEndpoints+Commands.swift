import CanonicalJSON
import HTTPTypes
import MicroHTTP
import ViewState

extension ViewModelEndpoints {
  /// Runs a command, once for each idempotency key.
  func command(_ request: Request) async throws(ProblemDetails) -> Response {
    try request.requireJSONAccepted()
    let key = try request.idempotencyKey
    let path = InstancePath(request)
    // The input itself finds out if a key may remember the outcome for a view model that is gone, or if another server
    // may have created the view model a moment ago.
    if key == nil, !models.registry.engine.isShared { _ = try models.recipient(at: path) }
    let held = try request.heldRevision
    let expected = try request.expectedRevisions
    let body = try request.json()
    do throws(CommandFailure) {
      let command: SentCommand
      do { command = try SentCommand(body) } catch { throw .refused(error) }
      let outcome = try await models.registry.send(
        command, to: path.screen, path.key, expecting: expected, once: key)
      return reply(to: held, outcome, path)
    } catch {
      throw ProblemDetails(error)
    }
  }

  /// The reply that an outcome gives each time.
  private func reply(
    to held: HeldRevision, _ outcome: CommandOutcome, _ path: InstancePath
  ) -> Response {
    let token = outcome.revision.description
    let details = JSONValue.object(outcome.details)
    do { try details.checkWritable() } catch {
      return ProblemDetails.unwritable(error).response()
    }
    var writer = JSONWriter()
    writer.raw("{\"accepted\":")
    writer.value(.bool(outcome.isAccepted))
    if !outcome.details.isEmpty {
      writer.raw(",\"details\":")
      writer.value(details)
    }
    var fields: HTTPFields = [.viewRevision: token]
    if let since = held.since, let instance = try? models.recipient(at: path) {
      fields[.contentLanguage] = models.replies.language(of: instance.name)?.rawValue
      writer.raw(",\"diff\":")
      writer.raw(inlineDiff(since, held, to: outcome.revision, instance))
    }
    writer.raw(",\"revision\":")
    writer.string(token)
    writer.raw("}")
    return .json(
      encoded: writer.bytes, status: outcome.isPending ? .accepted : .ok, fields: fields)
  }

  /// Returns the change that spares the sender a poll: a diff, or a reset if the revision that the sender
  /// names cannot be diffed. If the revision of the outcome is no longer kept, it is a reset to the current
  /// one.
  private func inlineDiff(
    _ since: Text, _ held: HeldRevision, to token: RevisionToken, _ instance: Instance
  ) -> [UInt8] {
    let revision: SeenRevision
    do throws(ResetReason) {
      revision = SeenRevision(try instance.revision(token), through: held.next)
    } catch {
      return SeenRevision(instance.current, through: held.next).reset(error, as: .json)
    }
    do throws(ResetReason) {
      let older = try models.registry.revision(named: since, of: instance)
      if older.token.number > token.number { throw .futureRevision }
      return revision.diff(
        from: SeenRevision(older, through: held.window), named: since, as: .json)
    } catch {
      return revision.reset(error, as: .json)
    }
  }
}

extension Request {
  /// What the sender of a command holds, for the diff in the reply.
  fileprivate var heldRevision: HeldRevision {
    get throws(ProblemDetails) {
      // The reply to a command finds no revision by a hash.
      try HeldRevision { name throws(ProblemDetails) in
        name == "have" ? nil : try query.single(name)
      }
    }
  }

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
    case .unavailable(let error):
      self.init(error)
    case .reusedKey:
      self = .reusedKey
    case .full:
      self.init(
        status: .conflict, code: "states-full",
        detail: "the states of all view models use all the memory allowed for them")
    case .notRecorded:
      self = .notRecorded
    case .unconfirmed:
      self = .unconfirmed
    }
  }
}
