import Glibc

/// Classifies and converts single bytes as HTTP defines them.
enum ASCII {
  /// Returns the lower-case letter for an upper-case letter, and any other byte unchanged.
  @inline(__always)
  static func lowercased(_ byte: UInt8) -> UInt8 {
    byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte
  }

  /// Returns the value of a hexadecimal digit, or nil for any other byte.
  @inline(__always)
  static func hexValue(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }

  /// Returns whether a byte is allowed in a token, for example in a field name (RFC 9110, section
  /// 5.6.2).
  @inline(__always)
  static func isToken(_ byte: UInt8) -> Bool {
    contains(byte, low: 0x03ff_6cfa_0000_0000, high: 0x57ff_ffff_c7ff_fffe)
  }

  /// Returns whether a byte is allowed unescaped in a host name (RFC 3986, section 3.2.2). A comma
  /// is not: a proxy that joins two Host fields would insert one.
  @inline(__always)
  static func isHostName(_ byte: UInt8) -> Bool {
    contains(byte, low: 0x2bff_6fd2_0000_0000, high: 0x47ff_fffe_87ff_fffe)
  }

  /// Returns whether a byte is a decimal digit.
  @inline(__always)
  static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }

  /// Returns a field value without trailing white space, which does not belong to it (RFC 9110,
  /// section 5.5). The parser has removed leading white space.
  @inline(__always)
  static func trimmed(_ value: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
    var end = value.count
    while end > 0, value[end - 1] == UInt8(ascii: " ") || value[end - 1] == UInt8(ascii: "\t") {
      end -= 1
    }
    return UnsafeBufferPointer(rebasing: value[..<end])
  }

  /// Returns whether a byte is in a set that has one bit per character: `low` for 0-63, `high` for
  /// 64-127.
  @inline(__always)
  private static func contains(_ byte: UInt8, low: UInt64, high: UInt64) -> Bool {
    byte < 128 && ((byte < 64 ? low : high) &>> UInt64(byte & 63)) & 1 == 1
  }

  /// Returns the index of the first such byte in a range; the end of the range if there is none.
  @inline(__always)
  static func index(of byte: UInt8, in bytes: Span<UInt8>, _ range: Range<Int>) -> Int {
    // The range is checked when it is extracted, and the library stays within it.
    bytes.extracting(range).withUnsafeBufferPointer { part in
      guard let start = part.baseAddress, let found = memchr(start, Int32(byte), part.count) else {
        return range.upperBound
      }
      return range.lowerBound + (UnsafeRawPointer(found) - UnsafeRawPointer(start))
    }
  }

  /// Returns whether two byte sequences are equal, ignoring the case of letters.
  @inline(__always)
  static func equalsIgnoringCase(
    _ bytes: UnsafeBufferPointer<UInt8>, lowercase other: String.UTF8View
  ) -> Bool {
    let other = other.span
    guard bytes.count == other.count else { return false }
    for index in other.indices where lowercased(bytes[index]) != other[index] { return false }
    return true
  }
}

extension Substring {
  /// The text without spaces and tabs at both ends, which HTTP allows between the parts of a field value (RFC
  /// 9110, section 5.6.3).
  ///
  /// It goes by bytes, because Swift takes a space with an accent behind it for one character that is no space.
  package var trimmingSpace: Substring {
    var bytes = utf8
    while let first = bytes.first, first == UInt8(ascii: " ") || first == UInt8(ascii: "\t") {
      bytes.removeFirst()
    }
    while let last = bytes.last, last == UInt8(ascii: " ") || last == UInt8(ascii: "\t") {
      bytes.removeLast()
    }
    return Substring(bytes)
  }
}
