import MicroHTTP
import Screens

/// The parameters of a collection: `limit` is the number of elements, `after` the id of the one that
/// the page begins behind.
extension CollectionRange {
  /// How many elements a client gets that does not say how many.
  private static let usualLimit = 100
  /// More are cut to this.
  private static let greatestLimit = 1_000

  /// - Throws: a 400 problem for a parameter that is empty or given twice, and for a `limit` that is
  ///   no whole number from 1.
  init(_ request: Request) throws(ProblemDetails) {
    let after = try request.query.single("after")
    self.init(
      after: after.map(ResourceID.init(named:)),
      limit: min(try request.limit() ?? Self.usualLimit, Self.greatestLimit))
  }

  /// Where the page stands, always written in the same way.
  func target(at path: String) -> String {
    "\(path)?limit=\(limit)" + (after.map { "&after=\($0.pathSegment)" } ?? "")
  }
}

extension Request {
  /// The parameter `limit`, however large; `nil` where it is absent.
  ///
  /// - Throws: a 400 problem where it is empty, given twice, or no whole number from 1.
  fileprivate func limit() throws(ProblemDetails) -> Int? {
    guard let text = try query.single("limit") else { return nil }
    let isNumber = text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    let limit = Int(text) ?? .max
    guard isNumber, limit > 0 else { throw .badParameter("limit is not a whole number from 1") }
    return limit
  }
}
