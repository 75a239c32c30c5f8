import CanonicalJSON
import Foundation
import TestSupport
import Testing
import ViewState

@Suite("A language")
struct LanguageTests {
  @Test(
    "writes days as they are written in it",
    arguments: [
      ("2026-11-22T08:00:00Z", "22 November 2026", "22. November 2026"),
      ("2026-03-01T00:30:00+01:00", "28 February 2026", "28. Februar 2026"),
      ("2024-02-29", "29 February 2024", "29. Februar 2024"),
      ("2000-03-01", "1 March 2000", "1. März 2000"),
      ("1969-12-31T23:59:59Z", "31 December 1969", "31. Dezember 1969"),
      ("1970-01-01T00:00:00Z", "1 January 1970", "1. Januar 1970"),
      ("1582-10-15", "15 October 1582", "15. Oktober 1582"),
      ("1582-10-04", "4 October 1582", "4. Oktober 1582"),
      ("0000-01-01", "1 January 0", "1. Januar 0"),
      ("9999-12-31T23:59:59Z", "31 December 9999", "31. Dezember 9999"),
    ] as [(String, Text, Text)])
  func days(moment: String, english: Text, german: Text) throws {
    let moment = try #require(Timestamp(moment))
    #expect(Language.en.date(moment) == english)
    #expect(Language.de.date(moment) == german)
  }

  @Test("writes the day of the moment in ISO 8601")
  func everyDay() throws {
    try withSeeds(2_000) { random in
      let moment = Timestamp(secondsSince1970: random.number(in: -62_167_392_000...253_402_300_799))
      let parts = moment.description.prefix(10).split(separator: "-").compactMap { Int($0) }
      let names = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September",
        "October", "November", "December",
      ]
      let expected = Text("\(parts[2]) \(names[parts[1] - 1]) \(parts[0])")
      try require(Language.en.date(moment) == expected, "\(moment): \(Language.en.date(moment))")
    }
  }

  @Test(
    "writes whole numbers in groups of three digits",
    arguments: [
      (0, "0", "0"), (7, "7", "7"), (999, "999", "999"), (1_000, "1,000", "1.000"),
      (-1_000, "-1,000", "-1.000"), (-999, "-999", "-999"),
      (1_234_567, "1,234,567", "1.234.567"), (100_000, "100,000", "100.000"),
      (Int.max, "9,223,372,036,854,775,807", "9.223.372.036.854.775.807"),
      (Int.min, "-9,223,372,036,854,775,808", "-9.223.372.036.854.775.808"),
    ] as [(Int, Text, Text)])
  func wholeNumbers(number: Int, english: Text, german: Text) {
    #expect(Language.en.number(number) == english)
    #expect(Language.de.number(number) == german)
  }

  @Test(
    "writes numbers of small units as those of whole ones",
    arguments: [
      (123_450, 2, "1,234.50", "1.234,50"), (5, 2, "0.05", "0,05"), (-5, 2, "-0.05", "-0,05"),
      (0, 2, "0.00", "0,00"), (99, 2, "0.99", "0,99"), (7, 0, "7", "7"),
      (1_000, 3, "1.000", "1,000"),
      (Int.min, 2, "-92,233,720,368,547,758.08", "-92.233.720.368.547.758,08"),
    ] as [(Int, Int, Text, Text)])
  func decimals(units: Int, decimals: Int, english: Text, german: Text) {
    #expect(Language.en.number(units, decimals: decimals) == english)
    #expect(Language.de.number(units, decimals: decimals) == german)
  }

  @Test(
    "writes numbers with all decimals and without an exponent",
    arguments: [
      (3.5, "3.5", "3,5"), (-0.25, "-0.25", "-0,25"), (1234.5, "1,234.5", "1.234,5"),
      (5, "5", "5"), (-0.0, "0", "0"), (0.1, "0.1", "0,1"),
      (1e21, "1,000,000,000,000,000,000,000", nil),
      (1.5e-7, "0.00000015", "0,00000015"), (123e-3, "0.123", "0,123"),
      (.nan, "NaN", "NaN"), (.infinity, "∞", "∞"), (-.infinity, "-∞", "-∞"),
    ] as [(Double, Text, Text?)])
  func numbers(number: Double, english: Text, german: Text?) {
    #expect(Language.en.number(number) == english)
    if let german { #expect(Language.de.number(number) == german) }
  }

  @Test(
    "counts one thing by another name than none or several",
    arguments: [
      (0, "0 friends", "0 Freunde"), (1, "1 friend", "1 Freund"), (-1, "-1 friends", "-1 Freunde"),
      (42, "42 friends", "42 Freunde"), (1_001, "1,001 friends", "1.001 Freunde"),
    ] as [(Int, Text, Text)])
  func counts(count: Int, english: Text, german: Text) {
    for (language, text) in [(Language.en, english), (.de, german)] {
      #expect(
        language.count(count, en: ("friend", "friends"), de: ("Freund", "Freunde")) == text)
    }
  }

  @Test("counts by the English names if no German ones are given")
  func englishNames() {
    #expect(Language.de.count(1_234, en: ("friend", "friends")) == "1.234 friends")
  }

  @Test(
    "reads numbers with its own separators, and with others that can mean nothing else",
    arguments: [
      ("3.5", 3.5, 3.5), ("3,5", 3.5, 3.5), ("1,234", 1234, 1.234), ("1.234", 1.234, 1234),
      ("1,234.5", 1234.5, 1234.5), ("1.234,5", 1234.5, 1234.5), ("1,234,567", 1_234_567, 1_234_567),
      ("1.234.567", 1_234_567, 1_234_567), ("0,123", 0.123, 0.123), ("0.123", 0.123, 0.123),
      ("12,34", 12.34, 12.34), ("1,2345", 1.2345, 1.2345), ("1234,5", 1234.5, 1234.5),
      ("1234.567", 1234.567, 1234.567), ("12345", 12_345, 12_345), ("007", 7, 7), ("0", 0, 0),
      ("+5", 5, 5), ("-5", -5, -5), (" \t42\n", 42, 42), ("-1.234,5", -1234.5, -1234.5),
      ("0.5000", 0.5, 0.5), ("9007199254740992", 9_007_199_254_740_992, 9_007_199_254_740_992),
      ("-9,007,199,254,740,992", -9_007_199_254_740_992, -9_007_199_254_740_992),
      ("0.30000000000000004", 0.30000000000000004, 0.30000000000000004),
    ] as [(Text, Double, Double)])
  func reading(text: Text, english: Double, german: Double) {
    #expect(Language.en.number(from: text) == english)
    #expect(Language.de.number(from: text) == german)
  }

  @Test(
    "reads no other text",
    arguments: [
      "", " ", "-", "+", ".", ",", ".5", ",5", "5.", "5,", "--5", "+-5", "- 5", "1e3", "1E3",
      "0x10",
      "NaN", "nan", "inf", "-inf", "infinity", "∞", "one", "5 apples", "1 234", "1\u{a0}234",
      "1'234",
      "1,23,456", "1.23.456", "12,34,567", "1234,567,890", "1,,234", "1..5", "1,234,", ",234",
      "1,234.567.890", "1.234,567,890", "0,123,456", "1,234,5", "٣", "３", "1\u{301}", "5\u{0}",
      "−5", "½", "5%", "$5", "5€",
      // Beyond what JSON carries, and with more digits than a Double keeps.
      "9007199254740993", "9007199254740994", "9,007,199,254,740,994",
      Text("1" + String(repeating: "0", count: 400)),
      "0.1000000000000000055511151231257827", "3.14159265358979323846",
      Text("0." + String(repeating: "0", count: 400) + "1"),
    ] as [Text])
  func refusing(text: Text) {
    for language in Language.allCases { #expect(language.number(from: text) == nil) }
  }

  @Test("reads an English number as English does, once it is written in the language")
  func translating() throws {
    for (english, german) in [
      ("1.234", "1,234"), ("1,234.5", "1.234,5"), ("1.234,5", "1,234.5"), ("3,5", "3.5"),
      ("007", "007"), (" +5.0 ", " +5,0 "), ("1e3", "1e3"), ("v1.2.x", "v1.2.x"), ("", ""),
    ] as [(Text, Text)] {
      #expect(Language.de.number(translating: english) == german)
      #expect(Language.en.number(translating: english) == english)
    }
    try withSeeds(2_000) { random in
      let text = Text(
        String((0..<random.number(in: 1...8)).map { _ in random.pick(Array("0012345,.")) }))
      try require(
        Language.de.number(from: Language.de.number(translating: text))
          == Language.en.number(from: text), "\(text)")
    }
  }

  @Test("reads -0 as 0")
  func negativeZero() throws {
    for text in ["-0", "-0.0", "-0,00"] as [Text] {
      let number = try #require(Language.de.number(from: text))
      #expect(number == 0 && number.sign == .plus)
    }
  }

  @Test("reads what it has written, up to ±2^53")
  func roundTrip() throws {
    try withSeeds(3_000) { random in
      let language = random.pick(Language.allCases)
      let digits = Double(random.number(in: -9_007_199_254_740_992...9_007_199_254_740_992))
      let places = random.pick([0, 1, 2, 3, 6, 15, 30])
      let number = digits / pow(10, Double(places))
      let text = language.number(number)
      try require(
        language.number(from: text) == number,
        "\(number) is \(text), which is read as \(String(describing: language.number(from: text)))")
    }
  }

  @Test("keeps the digits of each text that it reads, without zeros at the ends")
  func randomTexts() throws {
    func digits(_ text: Text) -> Substring {
      var digits = text.string.filter(\.isWholeNumber).drop { $0 == "0" }
      while digits.last == "0" { digits.removeLast() }
      return digits
    }
    try withSeeds(3_000) { random in
      let length = random.number(in: 0...9)
      let text = Text(String((0..<length).map { _ in random.pick(Array("0123.,,..-+ e")) }))
      let language = random.pick(Language.allCases)
      guard let number = language.number(from: text) else { return }
      try require(
        digits(language.number(number)) == digits(text), "\(text) is read as \(number)")
    }
  }
}

@Suite("A localized text")
struct LocalizedTests {
  let posts = Localized(en: "Posts", de: "Beiträge")

  @Test("has a text for each language")
  func texts() {
    #expect(Language.allCases.map { posts[$0] } == ["Posts", "Beiträge"])
    #expect(Language.allCases.map { Localized("Website")[$0] } == ["Website", "Website"])
  }

  @Test("is the same when it is recorded and read again")
  func coding() throws {
    let json = try JSONValue(encoding: posts)
    #expect(json == ["de": "Beiträge", "en": "Posts"])
    #expect(try json.decode(Localized.self) == posts)
  }

  @Test("is the message of a failure, also after that was recorded")
  func failures() throws {
    let failure = LoadFailure(
      code: "fog", message: Localized(en: "There is\nfog.", de: "Es ist\nNebel."))
    let again = try JSONValue(encoding: failure).decode(LoadFailure.self)
    #expect(again.message == "There is fog." && again.message(in: .de) == "Es ist Nebel.")
    let plain = LoadFailure(code: "fog", message: "Fog.")
    #expect(Language.allCases.allSatisfy { plain.message(in: $0) == "Fog." })
  }
}
