extension JSONValue {
  /// The value at a place in this document (RFC 6901 §4), or `nil` where there is none: an unknown
  /// member, an index beyond the end, with leading zeros or `-`, or a step into a scalar.
  ///
  /// - Complexity: O(*d*), where *d* is the number of tokens.
  public func value(at pointer: JSONPointer) -> JSONValue? {
    var current = self
    for token in pointer.tokens {
      switch current {
      case .object(let members):
        guard let member = members[token] else { return nil }
        current = member
      case .array(let elements):
        guard let index = Int(token.string), Text(String(index)) == token,
          elements.indices.contains(index)
        else { return nil }
        current = elements[index]
      default:
        return nil
      }
    }
    return current
  }
}
