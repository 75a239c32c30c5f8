/// Why some bytes are no JSON document, and where.
public struct JSONParseError: Error, Hashable, Sendable {
  /// What is wrong, as a stable word for machines.
  public enum Code: String, Hashable, Sendable, CaseIterable {
    /// Nothing but white space.
    case empty
    /// The document begins with a byte order mark (RFC 8259 §8.1).
    case byteOrderMark = "byte-order-mark"
    /// Bytes which are not well-formed UTF-8, overlong forms and encoded surrogates included.
    case invalidUTF8 = "invalid-utf8"
    /// The document ends within a value.
    case unexpectedEnd = "unexpected-end"
    /// A character that cannot stand there.
    case unexpectedCharacter = "unexpected-character"
    /// A control character in a string, which must be escaped (RFC 8259 §7).
    case controlCharacter = "control-character"
    /// A backslash followed by something that is no escape.
    case invalidEscape = "invalid-escape"
    /// A `\u` escape of half a surrogate pair (RFC 7493 §2.1).
    case loneSurrogate = "lone-surrogate"
    /// A member's name that the object has already (RFC 7493 §2.3).
    case duplicateName = "duplicate-name"
    /// A number against the grammar: a leading zero or plus, a bare point, NaN.
    case invalidNumber = "invalid-number"
    /// An integer beyond ±2^53 (RFC 7493 §2.2).
    case integerOutOfRange = "integer-out-of-range"
    /// A number too large for a double.
    case numberOverflow = "number-overflow"
    /// Arrays and objects nested deeper than ``JSONLimits/maximumDepth``.
    case tooDeep = "too-deep"
    /// Something follows the value.
    case trailingContent = "trailing-content"
  }

  public var code: Code
  /// One sentence for people, without the place.
  public var message: String
  /// The offset of the offending byte from the start of the document.
  public var offset: Int
  /// The value being read when the fault appeared.
  public var pointer: JSONPointer

  public init(code: Code, message: String, offset: Int, pointer: JSONPointer) {
    self.code = code
    self.message = message
    self.offset = offset
    self.pointer = pointer
  }
}

extension JSONParseError: CustomStringConvertible {
  /// The message and the place: "expected a value at byte 3 (/users/0)".
  public var description: String {
    "\(message) at byte \(offset)" + (pointer.isRoot ? "" : " (\(pointer))")
  }
}

/// What a parser takes from a stranger before it refuses.
public struct JSONLimits: Hashable, Sendable {
  /// How deep arrays and objects may nest. A document that goes deeper is refused with
  /// ``JSONParseError/Code/tooDeep``. It bounds the parser's own recursion too.
  public var maximumDepth: Int

  /// 64 levels.
  public static let `default` = JSONLimits(maximumDepth: 64)

  /// - Precondition: `maximumDepth` is in 1...512, which any thread's stack bears.
  public init(maximumDepth: Int) {
    precondition((1...512).contains(maximumDepth), "maximumDepth must be in 1...512")
    self.maximumDepth = maximumDepth
  }
}
