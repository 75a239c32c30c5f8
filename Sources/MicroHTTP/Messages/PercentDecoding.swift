/// Strict percent-decoding (RFC 3986, section 2.1).
enum PercentDecoding {
  /// Decodes percent-escaped bytes. Returns nil if an escape is incomplete, malformed or a NUL, or
  /// if the decoded bytes are not UTF-8, which excludes overlong forms and surrogates.
  ///
  /// - Parameters:
  ///   - bytes: The escaped bytes.
  ///   - plusIsSpace: Whether `+` decodes to a space, as it does only in queries.
  /// - Complexity: O(n), where n is the number of bytes.
  static func string(of bytes: Span<UInt8>, plusIsSpace: Bool) -> String? {
    // Most texts have no escapes and need no buffer.
    if isPlain(bytes, plusIsSpace: plusIsSpace) {
      return bytes.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
    }
    var plain: [UInt8] = []
    plain.reserveCapacity(bytes.count)
    var index = 0
    while index < bytes.count {
      var byte = bytes[index]
      if byte == UInt8(ascii: "%") {
        guard let escaped = escape(in: bytes, at: index), escaped != 0 else { return nil }
        byte = escaped
        index += 2
      } else if byte == UInt8(ascii: "+"), plusIsSpace {
        byte = UInt8(ascii: " ")
      }
      plain.append(byte)
      index += 1
    }
    return String(validating: plain, as: UTF8.self)
  }

  /// Returns whether the bytes are ASCII and decode to themselves.
  private static func isPlain(_ bytes: Span<UInt8>, plusIsSpace: Bool) -> Bool {
    for index in bytes.indices {
      let byte = bytes[index]
      if byte >= 0x80 || byte == UInt8(ascii: "%") || plusIsSpace && byte == UInt8(ascii: "+") {
        return false
      }
    }
    return true
  }

  /// Returns whether escaped bytes decode to `plain`.
  ///
  /// - Parameter plusIsSpace: Whether `+` decodes to a space, as it does only in queries.
  /// - Complexity: O(n), where n is the number of bytes, without an allocation.
  static func equals(_ bytes: Span<UInt8>, _ plain: Span<UInt8>, plusIsSpace: Bool) -> Bool {
    var index = 0
    var position = 0
    while index < bytes.count {
      guard position < plain.count else { return false }
      var byte = bytes[index]
      if byte == UInt8(ascii: "%") {
        guard let escaped = escape(in: bytes, at: index) else { return false }
        byte = escaped
        index += 2
      } else if byte == UInt8(ascii: "+"), plusIsSpace {
        byte = UInt8(ascii: " ")
      }
      if byte != plain[position] { return false }
      index += 1
      position += 1
    }
    return position == plain.count
  }

  /// Decodes the escape at an index; returns nil if it is malformed.
  private static func escape(in bytes: Span<UInt8>, at index: Int) -> UInt8? {
    guard index + 2 < bytes.count, let high = ASCII.hexValue(bytes[index + 1]),
      let low = ASCII.hexValue(bytes[index + 2])
    else { return nil }
    return high << 4 | low
  }
}
