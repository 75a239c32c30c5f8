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
    let limit = try request.pageSize
    var end: Revision?
    if let before = try request.revision("before") { end = try pinned(before, of: screen) }
    let page = HistoryPage(of: screen, at: path, before: end, limit: limit)
    return request.unlessKnown(as: representation) { representation in
      models.replies.history(page, as: representation)
    }
  }
}

extension Request {
  /// How many revisions a page may have: `limit`, cut to 1,000, or 100 if it is absent.
  ///
  /// - Throws: a 400 problem if it is empty, given twice, or not a whole number from 1.
  fileprivate var pageSize: Int {
    get throws(ProblemDetails) {
      guard let text = try query.single("limit") else { return 100 }
      guard text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
        text.utf8.contains(where: { $0 != UInt8(ascii: "0") })
      else { throw .badParameter("limit is not a whole number from 1") }
      return min(Int(text) ?? .max, 1_000)
    }
  }
}
