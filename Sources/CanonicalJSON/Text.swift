/// A string that is compared by its UTF-8 bytes.
///
/// Swift's `String` compares by Unicode canonical equivalence: "é" equals "e" with a combining
/// accent, ";" equals U+037E and "K" equals U+212A. On the wire these are different strings.
/// Therefore every string from a client is held as `Text`: all comparisons that Swift makes of it
/// (in `==`, `switch` and `contains`, as a dictionary key, in synthesised conformances) compare
/// bytes.
///
/// Text that the program itself writes for people, such as a message, may be a `String`.
///
/// ```swift
/// "e\u{301}" == "\u{e9}"  // true
/// Text("e\u{301}") == Text("\u{e9}")  // false
/// ```
public struct Text: Sendable {
  /// The string for display and for APIs that take strings. Do not compare it.
  public let string: String

  /// Creates a text from a string.
  ///
  /// - Complexity: O(1) if the string is in UTF-8, as all strings that Swift creates are; otherwise
  ///   O(*n*), where *n* is its length.
  public init(_ string: String) {
    var string = string
    string.makeContiguousUTF8()
    self.string = string
  }

  /// Creates a text from a part of a string.
  ///
  /// - Complexity: O(*n*), where *n* is its length.
  public init(_ part: Substring) {
    self.init(String(part))
  }

  /// The bytes.
  public var utf8: String.UTF8View { string.utf8 }
  /// The number of bytes.
  ///
  /// - Complexity: O(1).
  public var byteCount: Int { string.utf8.count }
  /// Whether the text is empty.
  public var isEmpty: Bool { string.isEmpty }

  /// Returns whether the text begins with the bytes of `prefix`, even if the next scalar combines
  /// with the last one of them.
  public func hasPrefix(_ prefix: Text) -> Bool { utf8.starts(with: prefix.utf8) }

  /// The text with its first letter in upper case.
  public var capitalized: Text { Text(string.prefix(1).uppercased() + string.dropFirst()) }

  /// The text without leading and trailing white space. A space with a combining mark is white
  /// space, but the mark is not.
  public var trimmed: Text {
    let scalars = string.unicodeScalars
    guard let first = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
      let last = scalars.lastIndex(where: { !$0.properties.isWhitespace })
    else { return "" }
    return Text(Substring(scalars[first...last]))
  }

  /// Calls a closure with a pointer to the bytes, which is valid during the call.
  func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    // The string is contiguous since `init`, so this never copies.
    string.utf8.withContiguousStorageIfAvailable { body(UnsafeRawBufferPointer($0)) }
      ?? Array(string.utf8).withUnsafeBytes { body($0) }
  }

  /// Returns whether both buffers have the same bytes.
  static func areEqual(
    _ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer
  ) -> Bool {
    guard left.count == right.count else { return false }
    if left.baseAddress == right.baseAddress { return true }
    return firstDifference(left, right) == left.count
  }

  /// Returns the index of the first byte in which the buffers differ, or the length of the shorter
  /// one.
  ///
  /// - Complexity: O(*n*), where *n* is the result; eight bytes at a time.
  static func firstDifference(
    _ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer
  ) -> Int {
    let end = min(left.count, right.count)
    var position = 0
    // Each load ends at `end` or before, so within both buffers.
    while position + 8 <= end,
      left.loadUnaligned(fromByteOffset: position, as: UInt64.self)
        == right.loadUnaligned(fromByteOffset: position, as: UInt64.self)
    {
      position += 8
    }
    while position < end, left[position] == right[position] { position += 1 }
    return position
  }
}

extension Text: Hashable {
  /// Returns whether both texts have the same bytes.
  ///
  /// - Complexity: O(*n*), where *n* is the number of bytes; O(1) if the lengths differ.
  public static func == (left: Text, right: Text) -> Bool {
    left.withBytes { left in right.withBytes { right in areEqual(left, right) } }
  }

  /// Hashes the bytes, without the normalisation of `String`.
  public func hash(into hasher: inout Hasher) {
    withBytes { hasher.combine(bytes: $0) }
    // This byte does not occur in UTF-8, so it separates texts that are hashed one after another.
    hasher.combine(0xFF as UInt8)
  }
}

extension Text: Comparable {
  /// Returns whether the left text precedes the right one in the order of bytes, which is also the
  /// order of code points.
  ///
  /// - Complexity: O(*n*), where *n* is the number of bytes of the shorter text.
  public static func < (left: Text, right: Text) -> Bool {
    left.withBytes { left in
      right.withBytes { right in
        let position = firstDifference(left, right)
        guard position < min(left.count, right.count) else { return left.count < right.count }
        return left[position] < right[position]
      }
    }
  }
}

extension Text: ExpressibleByStringInterpolation {
  public init(stringLiteral string: String) { self.init(string) }
}

extension Text: LosslessStringConvertible {
  public var description: String { string }
}

extension Text: CustomDebugStringConvertible {
  /// The text as a quoted string literal.
  public var debugDescription: String { string.debugDescription }
}

/// Encodes itself as a string.
extension Text: Codable {
  public init(from decoder: any Decoder) throws {
    self.init(try decoder.singleValueContainer().decode(String.self))
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(string)
  }
}

/// Lets a dictionary with texts as keys encode itself as an object.
extension Text: CodingKeyRepresentable {
  public var codingKey: any CodingKey { CodingStep(stringValue: string) }

  public init?(codingKey: some CodingKey) { self.init(codingKey.stringValue) }
}

/// Encodes an enumeration by its raw value.
extension RawRepresentable where RawValue == Text, Self: Codable {
  public init(from decoder: any Decoder) throws {
    let text = try Text(from: decoder)
    guard let value = Self(rawValue: text) else {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(
          codingPath: decoder.codingPath, debugDescription: "\"\(text)\" is none of the choices"))
    }
    self = value
  }

  public func encode(to encoder: any Encoder) throws { try rawValue.encode(to: encoder) }
}

/// Lets a dictionary with such an enumeration as keys encode itself as an object.
extension RawRepresentable where RawValue == Text, Self: CodingKeyRepresentable {
  public var codingKey: any CodingKey { rawValue.codingKey }

  public init?(codingKey: some CodingKey) { self.init(rawValue: Text(codingKey.stringValue)) }
}
