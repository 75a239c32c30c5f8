import CanonicalJSON
import HTTPTypes
import MicroHTTP
import Snapshots

/// An entity tag (RFC 9110, section 8.8.3).
struct EntityTag: Hashable, Sendable {
  /// The text between the quotes.
  let opaque: Text
  let isWeak: Bool

  init(_ opaque: Text, isWeak: Bool = false) {
    self.opaque = opaque
    self.isWeak = isWeak
  }

  /// Creates a tag that is the same for equal bytes alone.
  init(hashing parts: [UInt8]...) {
    var hash = SHA256()
    for part in parts { hash.update(part) }
    self.init(hash.finalize().prefix(12).hexadecimal)
  }

  /// The tag as the value of a field.
  var text: String { isWeak ? "W/\"\(opaque)\"" : "\"\(opaque)\"" }

  /// The text between the quotes without the suffix of a content coding.
  var uncoded: Substring {
    let suffix = ContentCoding.gzip.tagSuffix.utf8
    let isCoded = opaque.utf8.suffix(suffix.count).elementsEqual(suffix)
    return Substring(opaque.utf8.dropLast(isCoded ? suffix.count : 0))
  }

  /// Returns the tag of the same content in another coding.
  func coded(_ coding: ContentCoding) -> EntityTag {
    EntityTag("\(opaque)\(coding.tagSuffix)", isWeak: isWeak)
  }
}

extension EntityTag {
  /// Reads a tag and removes it from the front; returns `nil` if there is none.
  init?(parsing rest: inout Substring.UTF8View) {
    let isWeak = rest.starts(with: "W/".utf8)
    if isWeak { rest.removeFirst(2) }
    guard rest.first == UInt8(ascii: "\"") else { return nil }
    rest.removeFirst()
    guard let end = rest.firstIndex(of: UInt8(ascii: "\"")) else { return nil }
    let opaque = rest[..<end]
    // RFC 9110, section 8.8.3: no space, no quote, no control characters.
    guard opaque.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else { return nil }
    self.init(Text(String(opaque) ?? ""), isWeak: isWeak)
    rest = rest[rest.index(after: end)...]
  }

  /// Reads the value of a field; returns `nil` if it is not one tag.
  init?(field: String) {
    var rest = field.utf8[...]
    self.init(parsing: &rest)
    guard rest.isEmpty else { return nil }
  }
}

/// The value of If-Match or If-None-Match (RFC 9110, sections 13.1.1 and 13.1.2).
enum EntityTagCondition: Hashable, Sendable {
  /// Any current representation, written as `*`.
  case any
  case tags([EntityTag])
}

extension EntityTagCondition {
  /// Reads the value of a field; returns `nil` if it is malformed.
  ///
  /// - Complexity: O(*n*), where *n* is the length of the value.
  init?(_ value: String) {
    var rest = Substring(value).trimmingSpace.utf8
    if rest.elementsEqual("*".utf8) {
      self = .any
      return
    }
    var tags: [EntityTag] = []
    while true {
      // An empty element of a list is allowed (RFC 9110, section 5.6.1.2).
      while rest.first == UInt8(ascii: ",") {
        rest = Substring(rest.dropFirst()).trimmingSpace.utf8
      }
      if rest.isEmpty { break }
      guard let tag = EntityTag(parsing: &rest) else { return nil }
      tags.append(tag)
      rest = Substring(rest).trimmingSpace.utf8
      guard rest.isEmpty || rest.first == UInt8(ascii: ",") else { return nil }
    }
    guard !tags.isEmpty else { return nil }
    self = .tags(tags)
  }

  /// Compares strongly, as If-Match requires: a weak tag matches nothing.
  func matchesStrongly(_ current: EntityTag) -> Bool {
    switch self {
    case .any: true
    case .tags(let tags): tags.contains { !$0.isWeak && $0 == current }
    }
  }

  /// Compares weakly, as If-None-Match requires: only the texts between the quotes count.
  func matchesWeakly(_ current: EntityTag) -> Bool {
    switch self {
    case .any: true
    case .tags(let tags): tags.contains { $0.opaque == current.opaque }
    }
  }
}

extension Request {
  /// The condition in If-None-Match of a read; `nil` if there is none. A malformed one is ignored, so that the
  /// client gets the whole reply rather than an error.
  fileprivate var ifNoneMatch: EntityTagCondition? {
    self[.ifNoneMatch].flatMap { EntityTagCondition($0) }
  }

  /// The condition in If-None-Match of a write; `nil` if there is none.
  ///
  /// - Throws: A 400 problem if it is malformed: a write with an unknown condition must not be done.
  var ifNoneMatchOfWrite: EntityTagCondition? {
    get throws(ProblemDetails) { try condition(in: .ifNoneMatch) }
  }

  /// The condition in If-Match; `nil` if there is none.
  ///
  /// - Throws: A 400 problem if it is malformed: a write with an unknown condition must not be done.
  var ifMatch: EntityTagCondition? {
    get throws(ProblemDetails) { try condition(in: .ifMatch) }
  }

  private func condition(
    in field: HTTPField.Name
  ) throws(ProblemDetails) -> EntityTagCondition? {
    guard let value = self[field] else { return nil }
    guard let condition = EntityTagCondition(value) else {
      throw .badField("\(field) must be * or a list of quoted entity tags")
    }
    return condition
  }
}

extension Request {
  /// Returns a reply in a representation, or 304 if the client has it.
  ///
  /// - Throws: A 412 problem if If-Match names only other representations, and a 400 problem if it is
  ///   malformed.
  func conditionalReply(
    as representation: Representation, _ make: (Representation) -> Response
  ) throws(ProblemDetails) -> Response {
    try conditionalReply(coded: representation.coding) { coding in
      make(Representation(format: representation.format, coding: coding))
    }
  }

  /// Returns a reply in a content coding, or 304 if the client has it (RFC 9110, sections 13.1.1 and 13.1.2).
  ///
  /// A client that accepts gzip may hold the plain content, which has another tag. It gets the 304 of the
  /// content that it holds, with the fields of that content. Both tags meet If-Match.
  ///
  /// - Throws: A 412 problem if If-Match names only other representations, and a 400 problem if it is
  ///   malformed.
  func conditionalReply(
    coded coding: ContentCoding, _ make: (ContentCoding) -> Response
  ) throws(ProblemDetails) -> Response {
    let wanted = try ifMatch
    let reply = make(coding)
    if wanted == nil && ifNoneMatch == nil { return reply }
    func first(where isMatch: (Response) -> Bool) -> Response? {
      if isMatch(reply) { return reply }
      if coding == .identity { return nil }
      let plain = make(.identity)
      return isMatch(plain) ? plain : nil
    }
    // A reply without a tag, such as a diff, has nothing to compare.
    if let wanted, first(where: { $0.tag.map(wanted.matchesStrongly) ?? true }) == nil {
      throw .preconditionFailed("the representation is not one of those in If-Match")
    }
    guard let known = ifNoneMatch else { return reply }
    return first { $0.tag.map(known.matchesWeakly) ?? false }?.notModified ?? reply
  }
}

extension Response {
  var tag: EntityTag? { fields[.eTag].flatMap { EntityTag(field: $0) } }
}
