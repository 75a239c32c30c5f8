/// Text that is equal to other text if, and only if, both are the same UTF-8 bytes.
///
/// Swift's `String` compares by Unicode's canonical equivalence: "é" equals "e" with a combining
/// accent, ";" equals U+037E and "K" equals U+212A. On the wire these are different content. So
/// whatever a client can write is held as `Text`, and every comparison that Swift makes of it
/// (in `==`, `switch`, `contains`, as a key of a dictionary, in a synthesised conformance) is one
/// of bytes.
///
/// Text that the program itself writes for people, such as a message, may stay a `String`.
public struct Text: Sendable {
  /// The same text for display and for APIs that take strings. Do not compare it.
  public let string: String

  /// The text of a string.
  ///
  /// - Complexity: O(1), and O(*n*) for a string that is not in UTF-8 yet, where *n* is its length;
  ///   those that Swift makes itself are.
  public init(_ string: String) {
    var string = string
    string.makeContiguousUTF8()
    self.string = string
  }

  /// The text of a part of a string.
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
  /// Whether there are no bytes.
  public var isEmpty: Bool { string.isEmpty }

  /// Whether each character is a single byte, so that Swift's view of characters is one of bytes.
  public var isASCII: Bool { utf8.allSatisfy { $0 < 0x80 } }

  /// Whether the text begins with these bytes, even if the next one belongs to a mark that combines
  /// with the last of them.
  public func hasPrefix(_ prefix: Text) -> Bool { utf8.starts(with: prefix.utf8) }

  /// The text without white space around it. A space that carries a mark is white space all the same;
  /// the mark is not.
  public var trimmed: Text {
    let scalars = string.unicodeScalars
    guard let first = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
      let last = scalars.lastIndex(where: { !$0.properties.isWhitespace })
    else { return "" }
    return Text(Substring(scalars[first...last]))
  }

  /// Hands the bytes out for as long as the closure runs.
  func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    // Since `init` the string is contiguous, so the copy below is never made.
    string.utf8.withContiguousStorageIfAvailable { body(UnsafeRawBufferPointer($0)) }
      ?? Array(string.utf8).withUnsafeBytes { body($0) }
  }

  /// Whether both are the same bytes, or even the same memory.
  private static func areEqual(
    _ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer
  ) -> Bool {
    guard left.count == right.count else { return false }
    if left.baseAddress == right.baseAddress { return true }
    return firstDifference(left, right) == left.count
  }

  /// The position of the first byte in which the two differ, or the length of the shorter one.
  ///
  /// - Complexity: O(*n*), where *n* is that length; eight bytes at a time.
  private static func firstDifference(
    _ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer
  ) -> Int {
    let end = min(left.count, right.count)
    var position = 0
    // Each load is of the eight bytes up to at most `end`, so within both buffers.
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
  /// Whether the two are the same bytes.
  ///
  /// - Complexity: O(*n*), where *n* is the number of bytes; O(1) for different lengths.
  public static func == (left: Text, right: Text) -> Bool {
    left.withBytes { left in right.withBytes { right in areEqual(left, right) } }
  }

  /// Hashes the bytes, without the normalisation of `String`.
  public func hash(into hasher: inout Hasher) {
    withBytes { hasher.combine(bytes: $0) }
    // A byte that no UTF-8 has: so texts hashed one after another do not run into each other.
    hasher.combine(0xFF as UInt8)
  }
}

extension Text: Comparable {
  /// Whether the left text stands before the right one in the order of their bytes, which is also
  /// the order of their code points.
  ///
  /// - Complexity: O(*n*), where *n* is the number of bytes of the shorter one.
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
  /// In quotes, as a literal that has it.
  public var debugDescription: String { string.debugDescription }
}

/// As a string.
extension Text: Codable {
  public init(from decoder: any Decoder) throws {
    self.init(try decoder.singleValueContainer().decode(String.self))
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(string)
  }
}

/// A dictionary with texts for keys is written as an object.
extension Text: CodingKeyRepresentable {
  public var codingKey: any CodingKey { CodingStep(stringValue: string) }

  public init?(codingKey: some CodingKey) { self.init(codingKey.stringValue) }
}

/// An enumeration with texts for raw values is written as its raw value.
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

/// A dictionary with such an enumeration for keys is written as an object.
extension RawRepresentable where RawValue == Text, Self: CodingKeyRepresentable {
  public var codingKey: any CodingKey { rawValue.codingKey }

  public init?(codingKey: some CodingKey) { self.init(rawValue: Text(codingKey.stringValue)) }
}
