import MicroHTTP

/// What a poll of one view model wants to know: what changed since the client's revision.
struct ChangeQuestion: Question {
  let path: ScreenPath
  let standpoint: Standpoint
  let preferences: Preferences
  let representation: Representation
  let models: ViewModels

  var instance: String { "/v1/view-models/\(path.screen)/\(path.key)/diff" }

  func ask() throws(ProblemDetails) -> Finding {
    // Looked up anew each time: what the key names may have been deleted, and made anew.
    let screen = try models.screen(at: path)
    let change = standpoint.change(in: screen, models.registry)
    if preferences.isStrict { try change.refusingReset() }
    let reply = models.replies.reply(
      change, of: screen, as: representation, mustBeDiff: preferences.wantsDiff)
    guard case .nothing(let revision) = change else { return .news(reply) }
    return .nothing(reply, watching: [Watched(screen, after: revision)])
  }
}
