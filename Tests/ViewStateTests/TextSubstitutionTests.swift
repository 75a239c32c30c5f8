import CanonicalJSON
import TestSupport
import Testing

@testable import ViewState

@Suite("A text that is replaced letter by letter")
struct TextSubstitutionTests {
  private let texts = TextSubstitution(key: Array(0..<32))

  private static let letters = Array("aábBÄzZ0919éß漢字कि-_. @/'жЖ\u{301}😀".unicodeScalars)

  private static func word(_ random: inout SeededGenerator) -> Text {
    var word = String.UnicodeScalarView()
    for _ in 0..<Int.random(in: 0...12, using: &random) {
      word.append(letters.randomElement(using: &random) ?? "a")
    }
    return Text(String(word))
  }

  @Test("stays equal to equal texts and different from others, also in capitals and digits")
  func equality() throws {
    try withSeeds(500) { random in
      let (one, other) = (Self.word(&random), Self.word(&random))
      let (first, second) = (texts.replacing(one), texts.replacing(other))
      try require((one == other) == (first == second), "\(one) and \(other)")
      try require(first.byteCount == one.byteCount, "the length of \(one)")
      let (before, after) = (one.string.unicodeScalars, first.string.unicodeScalars)
      try require(
        before.map(\.properties.generalCategory) == after.map(\.properties.generalCategory),
        "the kinds of letters of \(one)")
    }
  }

  @Test("has the beginning that its word has, up to the first letter that differs")
  func prefixes() throws {
    try withSeeds(500) { random in
      let word = Self.word(&random)
      let scalars = Array(word.string.unicodeScalars)
      let length = Int.random(in: 0...scalars.count, using: &random)
      var beginning = String.UnicodeScalarView()
      beginning.append(contentsOf: scalars.prefix(length))
      let replaced = texts.replacing(Text(String(beginning)))
      try require(texts.replacing(word).hasPrefix(replaced), "the first \(length) of \(word)")
    }
    let (ida, ide) = (texts.replacing("Ida").string, texts.replacing("Ide").string)
    #expect(ida.dropLast() == ide.dropLast() && ida != ide)
  }

  @Test("keeps spaces and punctuation, and begins with as many zeros as it did")
  func shape() {
    #expect(texts.replacing("") == "" && texts.replacing(" -_.😀/") == " -_.😀/")
    for zeros in ["", "0", "00"] {
      for number in 1...99 {
        let replaced = texts.replacing(Text("\(zeros)\(number)")).string
        #expect(replaced.prefix { $0 == "0" } == zeros)
      }
      #expect(texts.replacing(Text(zeros)).string == zeros)
    }
  }

  @Test("has every letter of its kind in its place, under one key or another")
  func spread() {
    let keys = (0..<400).map { TextSubstitution(key: [UInt8($0 & 0xFF), UInt8($0 >> 8)]) }
    #expect(Set(keys.map { $0.replacing("a") }).count == 26)
    #expect(
      TextSubstitution().replacing("confidential") != TextSubstitution().replacing("confidential"))
  }
}
