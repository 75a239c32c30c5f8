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

  /// Whether a byte may stand in a Host field: what RFC 3986, sections 3.2.2 and 3.2.3 allow.
  @inline(__always)
  static func isHost(_ byte: UInt8) -> Bool {
    contains(byte, low: 0x2fff_6ff2_0000_0000, high: 0x47ff_fffe_afff_fffe)
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
