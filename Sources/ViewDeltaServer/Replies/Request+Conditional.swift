import HTTPTypes
import MicroHTTP

extension Request {
  /// A representation, or 304 for a client that has it.
  ///
  /// - Throws: a 412 problem for a client that wants none but another one.
  func unlessKnown(
    as representation: Representation, _ make: (Representation) -> Response
  ) throws(ProblemDetails) -> Response {
    try unlessKnown(coded: representation.coding) { coding in
      make(Representation(format: representation.format, coding: coding))
    }
  }

  /// Content in a coding, or 304 for a client that has it (RFC 9110, sections 13.1.1 and 13.1.2).
  ///
  /// A client that takes gzip may still hold the plain one, which has a tag of its own. It gets the
  /// 304 of the one that it holds, whose fields fit what it has stored; and either tag will do for
  /// If-Match.
  ///
  /// - Throws: a 412 problem where If-Match names other representations alone, and a 400 problem
  ///   where it is malformed.
  func unlessKnown(
    coded coding: ContentCoding, _ make: (ContentCoding) -> Response
  ) throws(ProblemDetails) -> Response {
    let wanted = try ifMatch
    let reply = make(coding)
    if wanted == nil && ifNoneMatch == nil { return reply }
    let codings = coding == .identity ? [reply] : [reply, make(.identity)]
    if let wanted, !codings.contains(where: { wanted.isMet(by: $0) }) {
      throw .preconditionFailed("the representation is not one of those in If-Match")
    }
    guard let known = ifNoneMatch else { return reply }
    return codings.first { $0.tag.map(known.matchesWeakly) ?? false }?.notModified ?? reply
  }
}

extension EntityTagCondition {
  /// Whether If-Match lets a client have a representation; one without a tag only if any will do.
  fileprivate func isMet(by reply: Response) -> Bool {
    reply.tag.map(matchesStrongly) ?? (self == .any)
  }
}

extension Response {
  fileprivate var tag: EntityTag? { fields[.eTag].flatMap { EntityTag(field: $0) } }
}
