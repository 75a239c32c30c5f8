import CanonicalJSON
import TestSupport
import Testing

/// The documents that the parser accepts, and their values.
@Suite struct ParserTests {
  static let documents: [(String, JSONValue)] = [
    ("null", nil),
    (" \r\n\t true ", true),
    ("false", false),
    ("0", 0),
    ("-0", 0),
    ("-12", -12),
    ("9007199254740992", .integer(1 << 53)),
    ("-9007199254740992", .integer(-(1 << 53))),
    ("1.5", 1.5),
    ("1.0", 1),
    ("1E2", 100),
    ("1e-2", 0.01),
    ("1e21", .number(1e21)),
    ("5e-324", .number(.leastNonzeroMagnitude)),
    ("1e-400", 0),
    ("1.7976931348623157e308", .number(.greatestFiniteMagnitude)),
    (#""""#, ""),
    (#""a\"\\\/\b\f\n\r\t""#, "a\"\\/\u{8}\u{C}\n\r\t"),
    (#""\u0041\u00e9\u20AC""#, "Aé€"),
    (#""\ud83d\ude00!""#, "😀!"),
    (#""日本 \u0000 é""#, "日本 \u{0} é"),
    ("\"\u{7F}\u{2028}\u{FFFF}\"", "\u{7F}\u{2028}\u{FFFF}"),
    ("[ ]", []),
    ("[1 , [ 2 ] ]", [1, [2]]),
    ("{ }", [:]),
    (#"{ "a" : { "" : [ ] } , "b" : null }"#, ["a": ["": []], "b": nil]),
    ("{\"é\":1,\"e\u{301}\":2}", ["e\u{301}": 2, "é": 1]),
  ]

  @Test(arguments: documents)
  func `a document is read as its value`(_ text: String, _ value: JSONValue) throws {
    #expect(try JSONValue(parsing: text.utf8) == value)
  }

  @Test func `integers without fraction and exponent are kept as integers`() throws {
    guard case .integer(7) = try JSONValue(parsing: "7".utf8) else {
      Issue.record("7 is no integer")
      return
    }
    guard case .number(7) = try JSONValue(parsing: "7.0".utf8) else {
      Issue.record("7.0 is no double")
      return
    }
  }

  @Test func `a string of a megabyte is read`() throws {
    let text = String(repeating: "é", count: 1 << 19)
    #expect(try JSONValue(parsing: "\"\(text)\"".utf8) == .string(text))
  }

  @Test func `random values survive the way out and in, and have one encoding of a known size`()
    throws
  {
    try withSeeds(3000) { random in
      let value = random.json(depth: 4)
      let bytes = value.canonicalBytes()
      try require(value.canonicalByteCount == bytes.count, "\(value) has another size")
      let read = try JSONValue(parsing: bytes)
      try require(read == value, "\(value) is read as \(read)")
      try require(read.hashValue == value.hashValue, "\(value) and \(read) hash apart")
      try require(read.canonicalBytes() == bytes, "\(value) is written as \(read)")
    }
  }

  @Test func `random damage to a document never crashes and never reads as something unwritable`()
    throws
  {
    try withSeeds(3000) { random in
      var bytes = random.json(depth: 4).canonicalBytes()
      for _ in 0...random.number(in: 0...2) where !bytes.isEmpty {
        let index = random.number(in: 0...(bytes.count - 1))
        switch random.number(in: 0...2) {
        case 0: bytes[index] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes.remove(at: index)
        default: bytes.insert(random.pick(Array("\"\\{}[],:0e-u\u{80}".utf8)), at: index)
        }
      }
      guard let value = try? JSONValue(parsing: bytes) else { return }
      try require(try JSONValue(parsing: value.canonicalBytes()) == value, "\(value) changes")
    }
  }
}
