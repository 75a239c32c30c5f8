import Glibc

/// A validated request target, split into path and query (RFC 9112, section 3.2).
///
/// It accepts the origin form, the absolute form, whose scheme is skipped, and `*`. It normalises
/// nothing: `.`, `..` and empty segments are ordinary segments.
///
/// It is a class, because equal requests on a connection share it.
final class Target: Sendable {
  /// The target as sent by the client.
  let bytes: [UInt8]
  /// The range of the path without the query; empty if the target is malformed.
  let path: Range<Int>
  /// The range of the query without the question mark; nil if there is none.
  let query: Range<Int>?
  /// The range of the host and port in the absolute form; nil for the other forms.
  let authority: Range<Int>?
  /// Whether the path has escapes, so that segments must be decoded for a comparison.
  let hasEscapes: Bool
  /// The reason why the target is malformed; nil if it is valid.
  let fault: String?

  /// Whether the target is `*`, which is only valid for OPTIONS.
  var isAsterisk: Bool { bytes.count == 1 && bytes[0] == UInt8(ascii: "*") }

  /// The path and the query as sent; nil if the target is malformed. It has no control characters.
  var text: String? {
    fault == nil ? String(decoding: bytes[path.lowerBound...], as: UTF8.self) : nil
  }

  /// Returns whether the target has exactly these bytes.
  func equals(_ other: UnsafeBufferPointer<UInt8>) -> Bool {
    guard bytes.count == other.count, let start = other.baseAddress else { return false }
    return bytes.withUnsafeBufferPointer {
      $0.baseAddress.map { memcmp($0, start, other.count) } == 0
    }
  }

  /// Validates a raw target.
  ///
  /// - Complexity: O(n), where n is the length of the target.
  init(_ bytes: [UInt8]) {
    let authority = Self.authority(bytes)
    let isPath = bytes.first == UInt8(ascii: "/") || bytes == [UInt8(ascii: "*")]
    let start = authority?.upperBound ?? (isPath ? 0 : nil)
    var escapes = false
    var fault: String? = start == nil ? "the target is not a path" : nil
    var question: Int?
    bytes.withUnsafeBufferPointer { bytes in
      if let authority, Authority(UnsafeBufferPointer(rebasing: bytes[authority])) == nil {
        fault = "the host of the target is invalid"
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
      if plain == nil {
        fault = "the target has a percent-escape that is malformed or %00, or is not UTF-8"
      }
    }
    self.bytes = bytes
    self.authority = fault == nil ? authority : nil
    self.hasEscapes = escapes
    self.fault = fault
    if let start, fault == nil {
      // In the absolute form a query can follow the authority directly; the path is empty then.
      self.path = min(start, question ?? start)..<(question ?? bytes.count)
      self.query = question.map { ($0 + 1)..<bytes.count }
    } else {
      self.path = 0..<0
      self.query = nil
    }
  }

  /// Returns the range of the authority in the absolute form; nil for the other forms.
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

/// Iterates over the segments of a raw path, without copying or decoding them.
///
/// `/a/b` has the segments `a` and `b`; `/a/` has `a` and an empty one; `/` has an empty one.
struct PathSegments {
  private var position: Int
  private let end: Int

  init(_ target: Target) {
    let path = target.path
    end = path.upperBound
    if path.isEmpty, target.authority != nil {
      // RFC 9110, section 4.2.3: it is the same as "/", so it has an empty segment, behind a slash that is not there.
      position = path.lowerBound - 1
      return
    }
    // A path that does not begin with a slash has no segments: `*`.
    let isPath = !path.isEmpty && target.bytes[path.lowerBound] == UInt8(ascii: "/")
    position = isPath ? path.lowerBound : path.upperBound
  }

  /// Returns the range of the next segment, or nil after the last one.
  ///
  /// - Complexity: O(n), where n is the length of the segment.
  mutating func next(in bytes: [UInt8]) -> Range<Int>? {
    guard position < end else { return nil }
    let start = position + 1
    position = ASCII.index(of: UInt8(ascii: "/"), in: bytes.span, start..<end)
    return start..<position
  }
}
