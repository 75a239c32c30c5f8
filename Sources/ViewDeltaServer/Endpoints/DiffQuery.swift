import MicroHTTP
import Snapshots

/// The query of a diff.
struct DiffQuery: Sendable {
  let since: RevisionName?
  let until: RevisionName?
  /// The digest of what the client holds.
  let have: Digest?

  /// - Throws: a 400 problem for a parameter that is empty, malformed or given twice, and for an
  ///   `until` without `since`.
  init(_ request: Request) throws(ProblemDetails) {
    since = try request.revision("since")
    until = try request.revision("until")
    if until != nil && since == nil { throw .badParameter("until needs since") }
    if let text = try request.query.single("have") {
      guard let digest = Digest(text) else {
        throw .badParameter("have is not a digest: a number below 2^61 - 1 in base 36")
      }
      have = digest
    } else {
      have = nil
    }
    // This server answers at once, which is within any wait; a malformed one is still refused.
    if let wait = try request.query.single("wait") {
      guard wait.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
        throw .badParameter("wait is not a whole number of seconds from 0")
      }
    }
  }
}
