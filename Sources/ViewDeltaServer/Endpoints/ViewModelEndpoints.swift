import CanonicalJSON
import HTTPTypes
import MicroHTTP
import Snapshots
import ViewState

/// Answers for the view models of all screens: no route names a screen.
struct ViewModelEndpoints: Sendable {
  let models: ViewModels
  let room: WaitingRoom

  func register(in router: inout Router) {
    let path = "/v1/view-models/{screen}/{key}"
    router.route(.get, path, models.whenReady(snapshot))
    router.route(.get, path + "/diff", models.whenReady(diff))
    router.on(.get, path + "/revisions", revisions)
    router.route(.get, path + "/incidents", models.whenReady(incidents))
    router.route(.get, path + "/rows", models.whenReady(row))
    router.write(
      .post, path + "/commands", through: models.registry.engine,
      unless: { [models] in models.mustMake(InstancePath($0)) }, command)
  }

  private func snapshot(_ request: Request) throws(ProblemDetails) -> Reply {
    let representation = try request.representation()
    let instance = try models.instance(at: InstancePath(request))
    let window = try request.query.window
    guard let name = try request.query.revisionName("at") else {
      let condition = condition(of: instance, for: request)
      let reply = try snapshot(
        at: SeenRevision(instance.current, through: window), for: request, as: representation)
      guard let condition, case .now(let response) = reply else { return reply }
      return .standing(response, while: condition)
    }
    return try reply(to: request, naming: [name], of: instance) { () throws(ProblemDetails) in
      try snapshot(
        at: SeenRevision(pinned(name, of: instance), through: window), isPinned: true, for: request,
        as: representation)
    }
  }

  /// Returns a reply with some revisions, which may have to be made: that takes long.
  private func reply(
    to request: Request, naming names: [Text], of instance: Instance,
    _ respond: @escaping @Sendable () throws(ProblemDetails) -> Reply
  ) throws(ProblemDetails) -> Reply {
    names.contains(where: instance.mustRecall(named:))
      ? models.replies.unsized.reply(to: request, respond) : try respond()
  }

  /// Returns a snapshot, or 304 if the client has it.
  private func snapshot(
    at revision: SeenRevision, isPinned: Bool = false, for request: Request,
    as representation: Representation
  ) throws(ProblemDetails) -> Reply {
    let replies = models.replies
    let isKnown = replies.isSnapshotKnown(at: revision, isPinned: isPinned, as: representation)
    return try replies.large.reply(
      to: request, as: representation, upTo: isKnown ? 0 : revision.contentByteCount
    ) { representation throws(ProblemDetails) in
      .now(
        try request.conditionalReply(as: representation) { representation in
          replies.snapshot(at: revision, isPinned: isPinned, as: representation)
        })
    }
  }

  /// Returns the changes since the revision that the client names, at once or as soon as there are any.
  private func diff(_ request: Request) throws(ProblemDetails) -> Reply {
    let representation = try request.representation(among: [.json, .jsonPatch])
    let path = InstancePath(request)
    let instance = try models.instance(at: path)
    let query = try ChangeQuery(request)
    let held = query.held
    guard let since = held.since else {
      return try snapshot(
        at: SeenRevision(instance.current, through: held.window), for: request, as: representation)
    }
    if let until = query.until {
      return try reply(to: request, naming: [since, until], of: instance) {
        () throws(ProblemDetails) in
        let from = SeenRevision(try pinned(since, of: instance), through: held.window)
        let to = SeenRevision(try pinned(until, of: instance), through: held.next)
        return try models.replies.large.reply(
          to: request, as: representation, upTo: to.contentByteCount
        ) { [replies = models.replies] representation in
          .now(replies.pinnedDiff(from: from, to: to, as: representation))
        }
      }
    }
    let question = ChangeQuestion(
      path: path, instance: instance, held: held, preferences: query.preferences,
      representation: representation, models: models)
    if question.takesLong
      || representation.coding != .identity
        && !ReplyThread.isBrief(representation, upTo: held.changedByteCount(of: instance))
    {
      return models.replies.unsizedReply(to: request, asking: question) {
        question throws(ProblemDetails) in
        try self.reply(to: question, of: request, waiting: query.wait)
      }
    }
    let condition = condition(of: instance, for: request)
    let reply = try self.reply(to: question, of: request, waiting: query.wait)
    // The reply to a name of another history depends on the other view models too.
    guard let condition, case .now(let response) = reply,
      RevisionToken(since.string).map({ instance.gives($0.epoch) }) == true
    else { return reply }
    return .standing(response, while: condition)
  }

  /// Returns the answer to a question, at once or as soon as there is news; 304 if it is a snapshot, in place of a
  /// large diff, that the client has.
  private func reply(
    to question: ChangeQuestion, of request: Request, waiting time: Duration
  ) throws(ProblemDetails) -> Reply {
    let reply = try room.reply(to: question, of: request, waiting: time)
    // The tag names the revision: a client that scrolls has the same one through another window.
    guard question.held.window == question.held.next, case .now(let response) = reply,
      response.fields[.eTag] != nil
    else { return reply }
    return .now(
      try request.conditionalReply(as: question.representation) { representation in
        (try? question.with(representation).ask().response) ?? response
      })
  }

  /// Returns the condition of a standing reply, that a view model shows its present revision and is not deleted; `nil` if
  /// the reply would not be kept. Make it before the reply: if it holds later, nothing was published in between.
  ///
  /// A request that is answered again asks for nothing but this, so it spares the look-up of the path: a path
  /// leads to one view model until that has ended, and it has ended before another one can be found in its
  /// place. The condition keeps neither the view model nor its revision, so that a reply which is kept for
  /// long does not keep the history of a deleted view model.
  private func condition(of instance: Instance, for request: Request) -> (@Sendable () -> Bool)? {
    guard request.wantsStandingReply else { return nil }
    return { [weak instance, token = instance.current.token] in instance?.shows(token) ?? false }
  }

  /// Finds a revision for whose name no other one may be answered with.
  ///
  /// - Throws: A 410 problem if it is not kept.
  private func pinned(
    _ name: Text, of instance: Instance
  ) throws(ProblemDetails) -> Revision {
    do {
      return try models.registry.revision(named: name, of: instance)
    } catch {
      throw .revisionExpired(error)
    }
  }

  /// Returns the row with an id or at a path, with both.
  private func row(_ request: Request) throws(ProblemDetails) -> Reply {
    try request.requireJSONAccepted()
    let instance = try models.instance(at: InstancePath(request))
    let revision = instance.current
    var fields: HTTPFields = [.viewRevision: revision.token.description]
    fields[.contentLanguage] = models.replies.language(of: instance.name)?.rawValue
    let (id, path) = (try request.query.single("id"), try request.rowPath)
    guard (id == nil) != (path == nil) else {
      throw .badQuery("expected one of id and path")
    }
    // The first search for an id lists those of all rows.
    return try models.replies.large.reply(
      to: request, as: .json, upTo: revision.snapshot.contentByteCount
    ) { [fields] _ throws(ProblemDetails) in
      let snapshot = revision.snapshot
      guard let id = id.map({ Text($0) }) ?? path.flatMap(snapshot.itemIdentifier(at:)),
        let place = snapshot.path(ofRow: id)
      else { throw .unknownRow }
      let row = snapshot[place]
      let members = row.fields.merging(["id": .string(row.id), "type": .string(row.type)]) { $1 }
      return .now(
        .json(
          [
            "path": [.integer(place.section), .integer(place.row)], "row": .object(members),
            "screen": .string(instance.name),
            "section": .string(snapshot.sections[place.section].id),
          ], fields: fields))
    }
  }

  /// Returns the newest incidents, also of a view model that fails.
  private func incidents(_ request: Request) throws(ProblemDetails) -> Reply {
    try request.requireJSONAccepted()
    let instance = try models.recipient(at: InstancePath(request))
    return .now(
      .json(
        ["incidents": .array(instance.incidents.map(\.json)), "screen": .string(instance.name)],
        fields: [.viewRevision: instance.current.token.description]))
  }

  /// Returns a page of the kept revisions. Runs as a task, because the sizes of diffs are computed when they
  /// are first asked for.
  private func revisions(_ request: Request) async throws(ProblemDetails) -> Response {
    let representation = try request.representation()
    try await models.catchUp(to: request.revisionNames)
    let path = InstancePath(request)
    let instance = try models.instance(at: path)
    let limit = try request.pageLimit
    var end: Revision?
    if let before = try request.query.revisionName("before") {
      end = try pinned(before, of: instance)
    }
    let page = HistoryPage(of: instance, at: path, before: end, limit: limit)
    return try request.conditionalReply(as: representation) { representation in
      models.replies.history(page, as: representation)
    }
  }
}

extension Request {
  /// The index of a section and that of a row in it, from the query parameter `path`.
  ///
  /// - Throws: A 400 problem if it is empty, given twice, or malformed.
  fileprivate var rowPath: RowPath? {
    get throws(ProblemDetails) {
      guard let text = try query.single("path") else { return nil }
      guard let numbers = text.wholeMatch(of: /([0-9]{1,9}),([0-9]{1,9})/)?.output,
        let section = Int(numbers.1), let row = Int(numbers.2)
      else { throw .badQuery("path is not the index of a section and of a row, such as 1,4") }
      return RowPath(section: section, row: row)
    }
  }
}
