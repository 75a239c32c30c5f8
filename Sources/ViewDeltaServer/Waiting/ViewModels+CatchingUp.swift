import CanonicalJSON
import MicroHTTP
import ViewState

/// Lets a request that names a revision of another server wait until this server has applied the input of the revision.
///
/// A revision names a position of the journal. Until this server has reached that position, or knows that the journal
/// does not have it, it cannot tell whether there is such a revision.
extension ViewModels {
  /// Returns a reply that is made as soon as this server has reached the revisions that a request names.
  ///
  /// - Parameters:
  ///   - names: The names of revisions in the request. They need not be well-formed.
  ///   - respond: Makes the reply, which is no stream.
  func reply(
    to request: Request, afterReaching names: @autoclosure () -> [Text],
    _ respond: @escaping @Sendable () throws(ProblemDetails) -> Reply
  ) throws(ProblemDetails) -> Reply {
    guard let position = position(ahead: names()) else { return try respond() }
    return .later { [self] responder in
      Task {
        let isReady = await registry.engine.catchUp(to: position)
        responder.respond(to: request) { () throws(ProblemDetails) in
          if !isReady { throw .behind }
          return try respond()
        }
      }
    }
  }

  /// Returns a handler that is called as soon as this server has reached the revisions that the query of a request
  /// names, and on another thread if the view model must be made.
  func whenReady(
    _ respond: @escaping @Sendable (Request) throws(ProblemDetails) -> Reply
  ) -> @Sendable (Request) throws(ProblemDetails) -> Reply {
    { [self] request throws(ProblemDetails) in
      // Mostly there is nothing to wait for.
      guard position(ahead: request.revisionNames) != nil else {
        return try reply(to: request, by: respond)
      }
      return try reply(to: request, afterReaching: request.revisionNames) {
        [self] () throws(ProblemDetails) in
        try reply(to: request, by: respond)
      }
    }
  }

  /// Returns a reply that is made on another thread if the view model must be made: not in Swift's pool, in which inputs
  /// would wait behind all readers that come at once.
  private func reply(
    to request: Request,
    by respond: @escaping @Sendable (Request) throws(ProblemDetails) -> Reply
  ) throws(ProblemDetails) -> Reply {
    try mustMake(InstancePath(request))
      ? replies.unsized.reply(to: request) { () throws(ProblemDetails) in try respond(request) }
      : respond(request)
  }

  /// Waits for the revisions that a client names.
  ///
  /// - Throws: A 503 problem if they are not reached in time.
  func catchUp(to names: [Text]) async throws(ProblemDetails) {
    guard let position = position(ahead: names) else { return }
    guard await registry.engine.catchUp(to: position) else { throw .behind }
  }

  /// The position of these names that this server has to reach; `nil` if it has reached all.
  func position(ahead names: @autoclosure () -> [Text]) -> Int? {
    // Without other servers there is nothing to wait for, and most requests are spared the search for names.
    guard registry.engine.isShared else { return nil }
    let position = names().compactMap { RevisionToken($0.string)?.number }.max() ?? 0
    return registry.engine.isBehind(position) ? position : nil
  }
}

extension Request {
  /// The names of revisions in the query and in `Last-Event-ID`.
  var revisionNames: [Text] {
    let names = query.parameters(["since", "until", "at", "before"]).map(\.value)
    let last = self[.lastEventID]?.split(separator: ",").map { String($0) } ?? []
    return (names + last).map { Text($0) }
  }
}
