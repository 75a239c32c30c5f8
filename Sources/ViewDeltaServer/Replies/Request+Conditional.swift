import HTTPTypes
import MicroHTTP

extension Request {
  /// A representation, or 304 for a client that has it.
  func unlessKnown(
    as representation: Representation, _ make: (Representation) -> Response
  ) -> Response {
    unlessKnown(coded: representation.coding) { coding in
      make(Representation(format: representation.format, coding: coding))
    }
  }

  /// Content in a coding, or 304 for a client that has it (RFC 9110, section 13.1.2).
  ///
  /// A client that takes gzip may still hold the plain one, which has a tag of its own. It gets the
  /// 304 of the one that it holds, whose fields fit what it has stored.
  func unlessKnown(
    coded coding: ContentCoding, _ make: (ContentCoding) -> Response
  ) -> Response {
    let reply = make(coding)
    guard let condition = ifNoneMatch else { return reply }
    if reply.matches(condition) { return reply.notModified }
    guard coding != .identity else { return reply }
    let plain = make(.identity)
    return plain.matches(condition) ? plain.notModified : reply
  }
}

extension Response {
  fileprivate func matches(_ condition: EntityTagCondition) -> Bool {
    guard let text = fields[.eTag], let tag = EntityTag(field: text) else { return false }
    return condition.matchesWeakly(tag)
  }
}
