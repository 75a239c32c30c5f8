/// The few questions that HTTP asks about single bytes.
enum ASCII {
  /// The lower-case letter of an upper-case one; every other byte as it is.
  @inline(__always)
  static func lowercased(_ byte: UInt8) -> UInt8 {
    byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte
  }

  /// The value of a hexadecimal digit, or nil.
  @inline(__always)
  static func hexValue(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }

  /// Whether a byte may stand in a token, for example a field name (RFC 9110, section 5.6.2).
  @inline(__always)
  static func isToken(_ byte: UInt8) -> Bool {
    contains(byte, low: 0x03ff_6cfa_0000_0000, high: 0x57ff_ffff_c7ff_fffe)
  }

  /// Whether a byte may stand unescaped in the name of a host (RFC 3986, section 3.2.2). A comma may not:
  /// it would come from two Host fields that a proxy has joined.
  @inline(__always)
  static func isHostName(_ byte: UInt8) -> Bool {
    contains(byte, low: 0x2bff_6fd2_0000_0000, high: 0x47ff_fffe_87ff_fffe)
  }

  /// Whether a byte is a decimal digit.
  @inline(__always)
  static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }

  /// A field's value without the white space at its end, which is no part of it (RFC 9110, section 5.5).
  /// That at its beginning is taken off by the parser.
  @inline(__always)
  static func trimmed(_ value: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
    var end = value.count
    while end > 0, value[end - 1] == UInt8(ascii: " ") || value[end - 1] == UInt8(ascii: "\t") {
      end -= 1
    }
    return UnsafeBufferPointer(rebasing: value[..<end])
  }

  /// Whether a byte is in a set with one bit per character of each half of ASCII: 0-63 and 64-127.
  @inline(__always)
  private static func contains(_ byte: UInt8, low: UInt64, high: UInt64) -> Bool {
    byte < 128 && ((byte < 64 ? low : high) &>> UInt64(byte & 63)) & 1 == 1
  }

  /// Whether two runs of bytes are equal but for the case of letters.
  @inline(__always)
  static func equalsIgnoringCase(
    _ bytes: UnsafeBufferPointer<UInt8>, lowercase other: String.UTF8View
  ) -> Bool {
    guard bytes.count == other.count else { return false }
    var index = 0
    for byte in other {
      if lowercased(bytes[index]) != byte { return false }
      index += 1
    }
    return true
  }
}
