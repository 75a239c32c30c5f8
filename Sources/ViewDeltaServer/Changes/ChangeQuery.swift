import MicroHTTP
import Snapshots

/// The query of a client that asks what changed.
struct ChangeQuery: Sendable {
  let standpoint: Standpoint
  /// The other end, where the client pins it.
  let until: RevisionName?
  /// How long the client would wait for a change.
  let wait: Duration

  /// Longer waits are cut to this: many proxies give up after a minute.
  static let longestWait = 55

  /// - Throws: a 400 problem for a parameter that is empty, malformed or given twice, and for an
  ///   `until` without `since`.
  init(_ request: Request) throws(ProblemDetails) {
    standpoint = Standpoint(
      since: try request.revision("since"), have: try request.contentHash("have"))
    until = try request.revision("until")
    if until != nil && standpoint.since == nil { throw .badParameter("until needs since") }
    wait = Self.duration(
      seconds: try request.seconds("wait") ?? request.preferences.wait ?? 0)
  }

  /// A wait in whole seconds that the client may have.
  static func duration(seconds: Int) -> Duration { .seconds(min(seconds, longestWait)) }
}

extension Request {
  /// The hash of a content in a query parameter.
  ///
  /// - Throws: a 400 problem where it is empty, malformed or given twice.
  func contentHash(_ parameter: String) throws(ProblemDetails) -> ContentHash? {
    guard let text = try query.single(parameter) else { return nil }
    guard let hash = ContentHash(text) else {
      throw .badParameter("\(parameter) is not a SHA-256 in base64url without padding")
    }
    return hash
  }

  /// A number of seconds in a query parameter; one too large for any use is `Int.max`.
  ///
  /// - Throws: a 400 problem where it is empty, not a whole number from 0, or given twice.
  fileprivate func seconds(_ parameter: String) throws(ProblemDetails) -> Int? {
    guard let text = try query.single(parameter) else { return nil }
    guard text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
      throw .badParameter("\(parameter) is not a whole number of seconds from 0")
    }
    return Int(text) ?? .max
  }
}
