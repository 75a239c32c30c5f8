/// An error in the syntax of a JSON document, with its position.
public struct JSONParseError: Error, Hashable, Sendable {
  /// The kind of error, as a stable identifier for programs.
  public enum Code: String, Hashable, Sendable, CaseIterable {
    /// The document is empty or only white space.
    case empty
    /// The document begins with a byte order mark (RFC 8259 §8.1).
    case byteOrderMark = "byte-order-mark"
    /// The bytes are not well-formed UTF-8. Overlong forms and encoded surrogates count as malformed.
    case invalidUTF8 = "invalid-utf8"
    /// The document ends within a value.
    case unexpectedEnd = "unexpected-end"
    /// A character is not allowed at this position.
    case unexpectedCharacter = "unexpected-character"
    /// A string has an unescaped control character (RFC 8259 §7).
    case controlCharacter = "control-character"
    /// A backslash is not followed by a valid escape.
    case invalidEscape = "invalid-escape"
    /// A `\u` escape is half of a surrogate pair (RFC 7493 §2.1).
    case loneSurrogate = "lone-surrogate"
    /// An object has two members of the same name (RFC 7493 §2.3).
    case duplicateName = "duplicate-name"
    /// A number violates the grammar: a leading zero or plus sign, a point without digits, NaN.
    case invalidNumber = "invalid-number"
    /// An integer is beyond ±2^53 (RFC 7493 §2.2).
    case integerOutOfRange = "integer-out-of-range"
    /// A number exceeds the range of a double.
    case numberOverflow = "number-overflow"
    /// Arrays and objects are nested deeper than ``JSONLimits/maximumDepth``.
    case tooDeep = "too-deep"
    /// Another character follows the value.
    case trailingContent = "trailing-content"
  }

  /// The kind of error.
  public var code: Code
  /// One sentence for people, without the position.
  public var message: String
  /// The offset of the invalid byte from the start of the document.
  public var offset: Int
  /// The pointer to the value that was being parsed.
  public var pointer: JSONPointer
}

extension JSONParseError: CustomStringConvertible {
  /// The message and the position: "expected a value at byte 3 (/users/0)".
  public var description: String {
    "\(message) at byte \(offset)" + (pointer.isRoot ? "" : " (\(pointer))")
  }
}

/// The limits of a parser for untrusted documents.
public struct JSONLimits: Hashable, Sendable {
  /// The maximum nesting depth of arrays and objects. A deeper document is refused with
  /// ``JSONParseError/Code/tooDeep``. It also limits the recursion of the parser.
  public var maximumDepth: Int

  /// The greatest maximum depth: 512 levels. In an optimized build they fit on a stack of 256 KiB, which any thread of
  /// Linux with glibc and of Apple's systems has. A build for debugging needs up to 1.5 MiB for them.
  static let greatestDepth = 512

  /// The limits with the greatest depth.
  package static let greatest = JSONLimits(maximumDepth: greatestDepth)

  /// The default limits: 64 levels.
  public static let `default` = JSONLimits(maximumDepth: 64)

  /// Creates limits.
  ///
  /// - Precondition: `maximumDepth` is in 1...512. An optimized build reads 512 levels on a stack of 256 KiB. A
  ///   debug build needs up to 1.5 MiB, so 150 levels are safe on a thread of 512 KiB, such as those of tasks on
  ///   Apple's systems.
  public init(maximumDepth: Int) {
    precondition(
      (1...Self.greatestDepth).contains(maximumDepth), "maximumDepth must be in 1...512")
    self.maximumDepth = maximumDepth
  }
}
