/// Percent-decoding that refuses what it cannot decode (RFC 3986, section 2.1).
enum PercentDecoding {
  /// The text of an escaped run of bytes; nil for a cut or malformed escape, for an escaped NUL and
  /// for what is not UTF-8 after decoding, overlong forms and surrogates included.
  ///
  /// - Parameters:
  ///   - bytes: The escaped bytes.
  ///   - plusIsSpace: Whether `+` stands for a space, as it does in queries only.
  /// - Complexity: O(n) in the number of bytes.
  static func string(of bytes: Span<UInt8>, plusIsSpace: Bool) -> String? {
    // Most texts are plain, and need no second look and no buffer.
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

  /// Whether a run of bytes is ASCII and stands for itself.
  private static func isPlain(_ bytes: Span<UInt8>, plusIsSpace: Bool) -> Bool {
    for index in bytes.indices {
      let byte = bytes[index]
      if byte >= 0x80 || byte == UInt8(ascii: "%") || plusIsSpace && byte == UInt8(ascii: "+") {
        return false
      }
    }
    return true
  }

  /// Whether an escaped run of bytes stands for exactly these bytes.
  ///
  /// - Complexity: O(n) in the number of bytes, without an allocation.
  static func equals(_ bytes: Span<UInt8>, _ plain: [UInt8]) -> Bool {
    var index = 0
    var position = 0
    while index < bytes.count {
      guard position < plain.count else { return false }
      var byte = bytes[index]
      if byte == UInt8(ascii: "%") {
        guard let escaped = escape(in: bytes, at: index) else { return false }
        byte = escaped
        index += 2
      }
      if byte != plain[position] { return false }
      index += 1
      position += 1
    }
    return position == plain.count
  }

  /// The byte that the escape at an index stands for, or nil.
  private static func escape(in bytes: Span<UInt8>, at index: Int) -> UInt8? {
    guard index + 2 < bytes.count, let high = ASCII.hexValue(bytes[index + 1]),
      let low = ASCII.hexValue(bytes[index + 2])
    else { return nil }
    return high << 4 | low
  }
}
