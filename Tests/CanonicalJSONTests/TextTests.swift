import CanonicalJSON
import TestSupport
import Testing

/// The comparison of texts by their bytes.
@Suite struct TextTests {
  /// Canonically equivalent texts, which are equal as Swift strings.
  static let pairs = [
    ("caf\u{E9}", "cafe\u{301}"), ("\u{3B}", "\u{37E}"), ("K", "\u{212A}"),
    ("\u{1100}\u{1161}", "\u{AC00}"), ("a\u{323}\u{307}", "a\u{307}\u{323}"),
  ]

  @Test(arguments: pairs)
  func `texts that only look the same differ`(_ one: String, _ other: String) {
    #expect(one == other)
    #expect(Text(one) != Text(other))
    #expect((Text(one) < Text(other)) != (Text(other) < Text(one)))
    #expect(Set([Text(one), Text(other)]).count == 2)
    #expect([Text(one): 1][Text(other)] == nil)
    #expect(JSONValue.string(one) != .string(other))
    #expect(JSONPointer(tokens: [Text(one)]) != JSONPointer(tokens: [Text(other)]))
  }

  private enum Unit: Text {
    case kelvin = "K"
  }

  @Test func `a switch and the raw value of a case compare bytes`() {
    #expect(Unit(rawValue: "K") == .kelvin)
    #expect(Unit(rawValue: "\u{212A}") == nil)
    switch Text("\u{212A}") {
    case "K": Issue.record("U+212A is taken for K")
    default: break
    }
  }

  @Test func `text is compared as its bytes are, wherever they differ`() throws {
    try withSeeds(2000) { random in
      // Lengths around multiples of eight bytes, and texts with a long common prefix.
      let start = String(repeating: "0123456789", count: random.number(in: 0...3))
      let (left, right) = (start + random.text().string, start + random.text().string)
      let (leftBytes, rightBytes) = (Array(left.utf8), Array(right.utf8))
      let (leftText, rightText) = (Text(left), Text(Substring(right)))
      let areEqual = leftBytes == rightBytes
      try require((leftText == rightText) == areEqual, "\(leftText.debugDescription) == \(right)")
      try require(
        (leftText < rightText) == leftBytes.lexicographicallyPrecedes(rightBytes),
        "\(leftText.debugDescription) < \(rightText.debugDescription)")
      try require(!areEqual || leftText.hashValue == rightText.hashValue, "hashes of \(left)")
      try require(leftText.byteCount == leftBytes.count, "the length of \(left)")
      try require(Array(leftText.string.utf8) == leftBytes, "the bytes of \(left)")
    }
  }

  @Test func `a difference in any one byte counts`() {
    for count in 1...40 {
      let bytes = [UInt8](repeating: UInt8(ascii: "b"), count: count)
      let text = Text(String(decoding: bytes, as: UTF8.self))
      #expect(text == Text(String(decoding: bytes, as: UTF8.self)))
      for index in bytes.indices {
        var changed = bytes
        changed[index] = UInt8(ascii: "a")
        let less = Text(String(decoding: changed, as: UTF8.self))
        #expect(less != text && less < text && !(text < less))
      }
    }
  }

  @Test func `a prefix ends and white space is trimmed before a mark that combines with it`() {
    #expect(Text("https://\u{301}x").hasPrefix("https://"))
    #expect(!Text("https://\u{301}x").hasPrefix("https://x") && !Text("a").hasPrefix("ab"))
    #expect(!Text("\u{212A}").hasPrefix("K") && Text("").hasPrefix(""))
    #expect(Text(" \u{301}a\u{3000}\r\n").trimmed == "\u{301}a")
    #expect(Text(" \t\u{A0}").trimmed == "" && Text("").trimmed == "")
  }

  @Test func `text is written in literals and with values in it`() {
    let id: Text = "post/\(7)"
    #expect(id == "post/7")
    #expect("\(id)" == "post/7")
    #expect("\([id])" == #"["post/7"]"#)
  }
}
