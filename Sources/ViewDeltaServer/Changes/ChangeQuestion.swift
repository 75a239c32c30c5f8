import MicroHTTP
import ViewState

/// What a poll of one view model wants to know: what changed since the client's revision.
struct ChangeQuestion: Question {
  let path: ScreenPath
  let standpoint: Standpoint
  let isStrict: Bool
  let representation: Representation
  let registry: ScreenRegistry
  let replies: ViewReplies

  func ask() throws(ProblemDetails) -> Finding {
    // Looked up anew each time: what the key names may have been deleted, and made anew.
    let screen = try registry.screen(at: path)
    let change = standpoint.change(in: screen, registry)
    if isStrict { try change.refusingReset() }
    let reply = replies.reply(change, of: screen, as: representation)
    guard case .nothing(let revision) = change else { return .news(reply) }
    return .nothing(reply, watching: [Watched(screen, after: revision)])
  }
}
