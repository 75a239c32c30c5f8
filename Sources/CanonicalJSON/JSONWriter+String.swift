extension JSONWriter {
  /// Appends a string literal. Only `"`, `\` and the control characters below U+0020 are escaped,
  /// with the short escapes where there are some (RFC 8785 §3.2.2.2).
  ///
  /// - Complexity: O(*n*), where *n* is the number of bytes.
  public mutating func string(_ text: Text) {
    raw(UInt8(ascii: "\""))
    stringContent(text)
    raw(UInt8(ascii: "\""))
  }

  /// Appends the string literal of a Swift string, likewise.
  public mutating func string(_ string: String) {
    self.string(Text(string))
  }

  /// Appends what stands between the quotes of a string literal, for one that is put together from
  /// several parts.
  ///
  /// - Complexity: O(*n*), where *n* is the number of bytes.
  public mutating func stringContent(_ text: Text) {
    text.withBytes { bytes in
      if bytes.contains(where: Self.mustEscape) {
        for byte in bytes { escaped(byte) }
      } else {
        raw(contentsOf: bytes)
      }
    }
  }

  private static func mustEscape(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
  }

  private mutating func escaped(_ byte: UInt8) {
    guard Self.mustEscape(byte) else { return raw(byte) }
    raw(UInt8(ascii: "\\"))
    switch byte {
    case 0x08: raw(UInt8(ascii: "b"))
    case 0x09: raw(UInt8(ascii: "t"))
    case 0x0A: raw(UInt8(ascii: "n"))
    case 0x0C: raw(UInt8(ascii: "f"))
    case 0x0D: raw(UInt8(ascii: "r"))
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): raw(byte)
    default:
      raw("u00")
      raw(Self.hexDigit(byte >> 4))
      raw(Self.hexDigit(byte & 0xF))
    }
  }

  private static func hexDigit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
  }
}
