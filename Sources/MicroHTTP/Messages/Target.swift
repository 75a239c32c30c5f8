import Glibc

/// A request target, split into path and query and checked once (RFC 9112, section 3.2).
///
/// The origin form, the absolute form (whose scheme is skipped) and `*` are accepted.
/// Nothing is normalised: `.`, `..` and empty segments are segments like any other.
///
/// An object, because equal requests on a connection share it.
final class Target: Sendable {
  /// The target as it came.
  let bytes: [UInt8]
  /// Where the path is, without its query; empty if the target is malformed.
  let path: Range<Int>
  /// Where the query is, without its question mark; nil if there is none.
  let query: Range<Int>?
  /// Where the host and the port of the absolute form are; nil for other forms.
  let authority: Range<Int>?
  /// Whether the path has escapes, so that segments must be decoded before they are compared.
  let hasEscapes: Bool
  /// What is wrong with the target, or nil.
  let fault: String?

  /// Whether the target is `*`, which only OPTIONS may ask for.
  var isAsterisk: Bool { bytes.count == 1 && bytes[0] == UInt8(ascii: "*") }

  /// Whether the target came as these bytes.
  func equals(_ other: UnsafeBufferPointer<UInt8>) -> Bool {
    guard bytes.count == other.count, let start = other.baseAddress else { return false }
    return bytes.withUnsafeBufferPointer {
      $0.baseAddress.map { memcmp($0, start, other.count) } == 0
    }
  }

  /// Checks a raw target.
  ///
  /// - Complexity: O(n) in the length of the target.
  init(_ bytes: [UInt8]) {
    let authority = Self.authority(bytes)
    let start = authority?.upperBound ?? Self.startOfPath(bytes)
    var escapes = false
    var fault: String? = start == nil ? "the target is no path" : nil
    var question: Int?
    bytes.withUnsafeBufferPointer { bytes in
      if let authority, Authority(UnsafeBufferPointer(rebasing: bytes[authority])) == nil {
        fault = "the target names no host"
      }
      var index = 0
      while index < bytes.count {
        let byte = bytes[index]
        if byte <= 0x20 || byte >= 0x7f || byte == UInt8(ascii: "#") {
          fault = "the target contains a byte that must be escaped"
          return
        }
        if byte == UInt8(ascii: "?"), question == nil { question = index }
        if byte == UInt8(ascii: "%") { escapes = true }
        index += 1
      }
    }
    if fault == nil, escapes {
      let plain = PercentDecoding.string(of: bytes.span, plusIsSpace: false)
      if plain == nil { fault = "the target has an escape that is no UTF-8 text" }
    }
    self.bytes = bytes
    self.authority = fault == nil ? authority : nil
    self.hasEscapes = escapes
    self.fault = fault
    if let start, fault == nil {
      // In the absolute form a query may follow the authority at once: the path is then empty.
      self.path = min(start, question ?? start)..<(question ?? bytes.count)
      self.query = question.map { ($0 + 1)..<bytes.count }
    } else {
      self.path = 0..<0
      self.query = nil
    }
  }

  /// Where the path begins unless it is the absolute form: at 0; nil if there is none.
  private static func startOfPath(_ bytes: [UInt8]) -> Int? {
    guard let first = bytes.first else { return nil }
    if first == UInt8(ascii: "/") { return 0 }
    return first == UInt8(ascii: "*") && bytes.count == 1 ? 0 : nil
  }

  /// Where the authority of the absolute form is; nil for other forms.
  private static func authority(_ bytes: [UInt8]) -> Range<Int>? {
    guard bytes.first.map(ASCII.lowercased) == UInt8(ascii: "h") else { return nil }
    for scheme in ["http://", "https://"] {
      let length = scheme.utf8.count
      guard bytes.count > length,
        zip(bytes, scheme.utf8).allSatisfy({ ASCII.lowercased($0) == $1 })
      else { continue }
      let end = bytes[length...].firstIndex {
        $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?")
      }
      return length..<(end ?? bytes.count)
    }
    return nil
  }
}
