import HTTPTypes
import MicroHTTP
import Snapshots
import ViewState

extension ViewModelEndpoints {
  /// What changed since the revision that the client names.
  func diff(_ request: Request) throws(ProblemDetails) -> Response {
    try request.requireJSONAccepted()
    let screen = try screen(of: request)
    let query = try DiffQuery(request)
    guard let since = query.since else {
      let current = screen.current
      return replies.snapshot(of: screen, at: current).unless(request, has: current)
    }
    if let until = query.until {
      return replies.pinnedDiff(
        of: screen, from: try pinned(since, of: screen), to: try pinned(until, of: screen))
    }
    return try change(of: screen, since: since, have: query.have, request)
  }

  private func change(
    of screen: any ScreenInstance, since: RevisionName, have: Digest?, _ request: Request
  ) throws(ProblemDetails) -> Response {
    let current = screen.current
    switch since.lookup(in: screen, registry) {
    case .success(let older):
      // A revision published after `current` was read is newer than it, not older: to the client
      // nothing is new until its next poll.
      guard older.token.number < current.token.number else {
        return replies.nothingNew(at: older)
      }
      return replies.change(of: screen, from: older, to: current)
    case .failure(let unknown):
      if let have, let older = screen.youngest(with: have) {
        let current = screen.current
        if older.snapshot.digest == current.snapshot.digest {
          return replies.nothingNew(at: current)
        }
        return replies.change(of: screen, from: older, to: current, named: since.text)
      }
      if request.prefersStrictHandling {
        throw .revisionExpired(unknown.reason, fields: [.preferenceApplied: "handling=strict"])
      }
      return replies.reset(of: screen, to: current, reason: unknown.reason)
    }
  }

  /// A kept revision that the client pins.
  ///
  /// - Throws: a 410 problem where it is not kept: there is nothing else to answer with.
  func pinned(
    _ name: RevisionName, of screen: any ScreenInstance
  ) throws(ProblemDetails) -> Revision {
    do {
      return try name.lookup(in: screen, registry).get()
    } catch {
      throw .revisionExpired(error.reason)
    }
  }
}
