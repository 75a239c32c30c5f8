import CanonicalJSON
public import MicroHTTP
public import ViewState

extension CollectionRange {
  /// Reads the query of a request for a page: `limit` is the number of elements, at most 1,000 and by
  /// default 100; `after` is the id of the element that the page begins behind.
  ///
  /// - Throws: A 400 problem for a parameter that is empty or given twice, and for a `limit` that is
  ///   no whole number from 1.
  public init(_ request: Request) throws(ProblemDetails) {
    let after = try request.query.single("after")
    self.init(
      after: after.map { ResourceID(named: Text($0)) },
      limit: try request.pageLimit)
  }

  /// Where the page stands, always written in the same way.
  func target(at path: String) -> String {
    "\(path)?limit=\(limit)" + (after.map { "&after=\($0.pathSegment)" } ?? "")
  }
}

extension Request {
  /// How many elements a page may have: the parameter `limit`, at most 1,000, or 100 if it is absent.
  ///
  /// - Throws: a 400 problem if it is empty, given twice, or not a whole number from 1.
  var pageLimit: Int {
    get throws(ProblemDetails) {
      guard let text = try query.single("limit") else { return 100 }
      let isNumber = text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
      let limit = Int(text) ?? .max
      guard isNumber, limit > 0 else { throw .badParameter("limit is not a whole number from 1") }
      return min(limit, 1_000)
    }
  }
}
