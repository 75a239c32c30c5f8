import CanonicalJSON
import Testing

/// The documents that the parser refuses, with the code and the position of the error.
@Suite struct ParserRefusalTests {
  struct Refusal: Sendable, CustomTestStringConvertible {
    let name: String
    let bytes: [UInt8]
    let code: JSONParseError.Code
    let offset: Int
    let pointer: String

    init(
      _ text: String, _ code: JSONParseError.Code, at offset: Int, _ pointer: String = "",
      name: String? = nil
    ) {
      self.init(Array(text.utf8), code, at: offset, pointer, name: name ?? text)
    }

    init(
      _ bytes: [UInt8], _ code: JSONParseError.Code, at offset: Int, _ pointer: String = "",
      name: String
    ) {
      self.name = name
      self.bytes = bytes
      self.code = code
      self.offset = offset
      self.pointer = pointer
    }

    var testDescription: String { name }
  }

  static let refusals: [Refusal] = [
    Refusal("", .empty, at: 0, name: "nothing"),
    Refusal(" \n\t\r", .empty, at: 4, name: "white space"),
    Refusal("\u{FEFF}{}", .byteOrderMark, at: 0, name: "a byte order mark"),
    Refusal("{", .unexpectedEnd, at: 1),
    Refusal(#"{"a""#, .unexpectedEnd, at: 4, "/a"),
    Refusal(#"{"a":"#, .unexpectedEnd, at: 5, "/a"),
    Refusal(#"{"a":1"#, .unexpectedEnd, at: 6),
    Refusal("[1,", .unexpectedEnd, at: 3, "/1"),
    Refusal(#""abc"#, .unexpectedEnd, at: 4),
    Refusal(#""ab\"#, .unexpectedEnd, at: 4),
    Refusal("tru", .unexpectedEnd, at: 3),
    Refusal("-", .unexpectedEnd, at: 1),
    Refusal("1.", .unexpectedEnd, at: 2),
    Refusal("1e+", .unexpectedEnd, at: 3),
    Refusal("[1,]", .unexpectedCharacter, at: 3, "/1"),
    Refusal("[1 2]", .unexpectedCharacter, at: 3),
    Refusal(#"{"a":1,}"#, .unexpectedCharacter, at: 7),
    Refusal(#"{a:1}"#, .unexpectedCharacter, at: 1),
    Refusal(#"{"a" 1}"#, .unexpectedCharacter, at: 5, "/a"),
    Refusal(#"{1:2}"#, .unexpectedCharacter, at: 1),
    Refusal("'a'", .unexpectedCharacter, at: 0),
    Refusal("// no\n1", .unexpectedCharacter, at: 0, name: "a comment"),
    Refusal("NaN", .unexpectedCharacter, at: 0),
    Refusal("[Infinity]", .unexpectedCharacter, at: 1, "/0"),
    Refusal("-Infinity", .invalidNumber, at: 1),
    Refusal("True", .unexpectedCharacter, at: 0),
    Refusal("nul!", .unexpectedCharacter, at: 3),
    Refusal("+1", .unexpectedCharacter, at: 0),
    Refusal(".5", .unexpectedCharacter, at: 0),
    Refusal("01", .invalidNumber, at: 0),
    Refusal("-00", .invalidNumber, at: 0),
    Refusal("[1.x]", .invalidNumber, at: 3, "/0"),
    Refusal("[1ex]", .invalidNumber, at: 3, "/0"),
    Refusal("0x10", .trailingContent, at: 1),
    Refusal("1 2", .trailingContent, at: 2),
    Refusal("{}{}", .trailingContent, at: 2),
    Refusal("{}\u{0}", .trailingContent, at: 2, name: "a null byte behind the value"),
    Refusal("\"a\nb\"", .controlCharacter, at: 2, name: "a line feed in a string"),
    Refusal("[\"\u{0}\"]", .controlCharacter, at: 2, "/0", name: "a null byte in a string"),
    Refusal(#""\x""#, .invalidEscape, at: 1),
    Refusal(#""\u12g4""#, .invalidEscape, at: 1),
    Refusal(#""\U0041""#, .invalidEscape, at: 1),
    Refusal(#""\ud800""#, .loneSurrogate, at: 1),
    Refusal(#"{"a":["\udc00"]}"#, .loneSurrogate, at: 7, "/a/0"),
    Refusal(#""\ud800\u0041""#, .loneSurrogate, at: 1),
    Refusal(#""\ud800x""#, .loneSurrogate, at: 1),
    Refusal(#"{"a":1,"a":2}"#, .duplicateName, at: 7, "/a"),
    Refusal(#"{"x":{"a":1,"\u0061":2}}"#, .duplicateName, at: 12, "/x/a"),
    Refusal(
      "{\"é\":1,\"e\u{301}\":2,\"e\u{301}\":3}", .duplicateName, at: 16, "/e\u{301}",
      name: "one form of é twice"),
    Refusal("9007199254740993", .integerOutOfRange, at: 0),
    Refusal("[0,-9007199254740993]", .integerOutOfRange, at: 3, "/1"),
    Refusal("123456789012345678901234567890", .integerOutOfRange, at: 0),
    Refusal("1e17", .integerOutOfRange, at: 0),
    Refusal("1e400", .numberOverflow, at: 0),
    Refusal(#"{"a":{"b":-1e999}}"#, .numberOverflow, at: 10, "/a/b"),
    Refusal([0x22, 0xFF, 0x22], .invalidUTF8, at: 1, name: "a byte FF"),
    Refusal([0x22, 0x61, 0xC0, 0xAF, 0x22], .invalidUTF8, at: 2, name: "an overlong slash"),
    Refusal([0x22, 0xED, 0xA0, 0x80, 0x22], .invalidUTF8, at: 1, name: "an encoded surrogate"),
    Refusal([0x22, 0xF4, 0x90, 0x80, 0x80, 0x22], .invalidUTF8, at: 1, name: "above U+10FFFF"),
    Refusal([0x22, 0xC3, 0x22], .invalidUTF8, at: 1, name: "a cut character"),
    Refusal([0x22, 0x5C, 0x6E, 0x80, 0x22], .invalidUTF8, at: 3, name: "behind an escape"),
    Refusal([0x22, 0x80, 0x5C, 0x6E, 0x22], .invalidUTF8, at: 1, name: "before an escape"),
    Refusal([0x80], .unexpectedCharacter, at: 0, name: "a stray continuation byte"),
  ]

  @Test(arguments: refusals)
  func `a bad document is refused with its code and place`(_ refusal: Refusal) throws {
    let error = try #require(throws: JSONParseError.self) {
      try JSONValue(parsing: refusal.bytes)
    }
    #expect(error.code == refusal.code)
    #expect(error.offset == refusal.offset)
    #expect(error.pointer.description == refusal.pointer)
    #expect(!error.message.isEmpty)
  }

  @Test(arguments: ["[", #"{"a":"#])
  func `a document 10,000 levels deep is refused at level 65 without a crash`(_ open: String) throws
  {
    let document = String(repeating: open, count: 10_000)
    let error = try #require(throws: JSONParseError.self) {
      try JSONValue(parsing: document.utf8)
    }
    #expect(error.code == .tooDeep)
    #expect(error.offset == 64 * open.utf8.count)
    #expect(error.pointer.tokens.count == 64)
  }

  @Test func `the limit of depth counts the scalars' containers`() throws {
    let limits = JSONLimits(maximumDepth: 2)
    #expect(try JSONValue(parsing: "[[1]]".utf8, limits: limits) == [[1]])
    #expect(throws: JSONParseError.self) { try JSONValue(parsing: "[[[]]]".utf8, limits: limits) }
    let deepest = String(repeating: "[", count: 64) + String(repeating: "]", count: 64)
    #expect(throws: Never.self) { try JSONValue(parsing: deepest.utf8) }
  }

  @Test func `an error describes itself with its place`() throws {
    let error = try #require(throws: JSONParseError.self) {
      try JSONValue(parsing: #"{"a":[true,nope]}"#.utf8)
    }
    #expect(error.description == "expected null at byte 12 (/a/1)")
  }
}
