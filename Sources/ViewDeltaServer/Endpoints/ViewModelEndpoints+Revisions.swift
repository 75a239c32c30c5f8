import MicroHTTP
import ViewState

extension ViewModelEndpoints {
  /// A page of the kept revisions.
  ///
  /// With a task of its own: the sizes of the diffs are computed when they are first asked for.
  func revisions(_ request: Request) async throws(ProblemDetails) -> Response {
    let representation = try request.representation()
    let path = ScreenPath(request)
    let screen = try models.screen(at: path)
    let limit = try request.pageLimit
    var end: Revision?
    if let before = try request.revision("before") { end = try pinned(before, of: screen) }
    let page = HistoryPage(of: screen, at: path, before: end, limit: limit)
    return try request.unlessKnown(as: representation) { representation in
      models.replies.history(page, as: representation)
    }
  }
}
