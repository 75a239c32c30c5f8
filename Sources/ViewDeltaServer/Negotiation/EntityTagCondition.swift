import HTTPTypes
import MicroHTTP

/// The value of If-Match or If-None-Match (RFC 9110, sections 13.1.1 and 13.1.2).
enum EntityTagCondition: Hashable, Sendable {
  /// `*`: any current representation.
  case any
  case tags([EntityTag])
}

extension EntityTagCondition {
  /// Reads a field's value; `nil` where it is malformed.
  ///
  /// - Complexity: O(n), where n is the length of the value.
  init?(_ value: String) {
    var rest = value.utf8[...]
    rest.trimSpace()
    if rest.elementsEqual("*".utf8) {
      self = .any
      return
    }
    var tags: [EntityTag] = []
    while true {
      // An empty element of a list is allowed (RFC 9110, section 5.6.1.2).
      while rest.first == UInt8(ascii: ",") {
        rest.removeFirst()
        rest.trimSpace()
      }
      if rest.isEmpty { break }
      guard let tag = EntityTag(parsing: &rest) else { return nil }
      tags.append(tag)
      rest.trimSpace()
      guard rest.isEmpty || rest.first == UInt8(ascii: ",") else { return nil }
    }
    guard !tags.isEmpty else { return nil }
    self = .tags(tags)
  }

  /// Strong comparison, as If-Match wants it: a weak tag matches nothing.
  func matchesStrongly(_ current: EntityTag) -> Bool {
    switch self {
    case .any: true
    case .tags(let tags): tags.contains { !$0.isWeak && $0 == current }
    }
  }

  /// Weak comparison, as If-None-Match wants it: only what is between the quotes counts.
  func matchesWeakly(_ current: EntityTag) -> Bool {
    switch self {
    case .any: true
    case .tags(let tags): tags.contains { $0.opaque == current.opaque }
    }
  }
}

extension Request {
  /// The condition in If-None-Match; a malformed one counts as none, so that the client gets the
  /// whole answer rather than an error.
  var ifNoneMatch: EntityTagCondition? {
    self[.ifNoneMatch].flatMap { EntityTagCondition($0) }
  }

  /// The condition in If-Match.
  ///
  /// - Throws: a 400 problem for a malformed one: a write whose condition cannot be understood must
  ///   not be done.
  var ifMatch: EntityTagCondition? {
    get throws(ProblemDetails) {
      guard let value = self[.ifMatch] else { return nil }
      guard let condition = EntityTagCondition(value) else {
        throw ProblemDetails(
          status: .badRequest, code: "bad-field",
          detail: "If-Match must be * or a list of quoted entity tags")
      }
      return condition
    }
  }
}

extension Substring.UTF8View {
  fileprivate mutating func trimSpace() {
    while let first, first == UInt8(ascii: " ") || first == UInt8(ascii: "\t") { removeFirst() }
    while let last, last == UInt8(ascii: " ") || last == UInt8(ascii: "\t") { removeLast() }
  }
}
