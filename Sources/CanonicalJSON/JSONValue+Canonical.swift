extension JSONValue {
  /// The value's canonical JSON: UTF-8, members sorted by the UTF-8 bytes of their names, no white
  /// space, strings and numbers as ECMAScript's `JSON.stringify` writes them (RFC 8785 §3.2.2).
  ///
  /// The one difference from RFC 8785 is the order of members: bytes instead of UTF-16 code units,
  /// so that a client sorts with the comparison that its language has. The two orders differ only
  /// among names outside the Basic Multilingual Plane.
  ///
  /// - Precondition: every number is finite and every integer is in ``interoperableIntegers``.
  /// - Complexity: O(*n* log *m*), where *n* is the number of bytes and *m* the largest number of
  ///   members of one object.
  public func canonicalBytes() -> [UInt8] {
    var writer = JSONWriter()
    writer.value(self)
    return writer.bytes
  }
}

extension JSONValue: CustomStringConvertible {
  /// The value's canonical JSON as text.
  public var description: String { String(decoding: canonicalBytes(), as: UTF8.self) }
}
