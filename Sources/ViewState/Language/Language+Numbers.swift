public import CanonicalJSON

/// Numbers as texts.
extension Language {
  /// Returns a whole number with a separator before each three digits: "1,234", "1.234".
  public func number(_ number: Int) -> Text {
    Text((number < 0 ? "-" : "") + grouped("\(number.magnitude)"))
  }

  /// Returns a number with all its decimals, without an exponent: "1,234.5", "1.234,5"; "0" for -0, and "NaN",
  /// "∞" or "-∞" for a number that is not finite.
  public func number(_ number: Double) -> Text {
    guard number.isFinite else { return number.isNaN ? "NaN" : number < 0 ? "-∞" : "∞" }
    let digits = DecimalDigits(of: number)
    let fraction = digits.fraction.isEmpty ? "" : "\(separators.decimal)\(digits.fraction)"
    return Text((number < 0 ? "-" : "") + grouped(digits.whole) + fraction)
  }

  /// Returns a number of the smallest units, such as cents, as one of whole units: 123,450 with two decimals is
  /// "1,234.50", "1.234,50".
  ///
  /// - Precondition: `decimals` is at least 0.
  public func number(_ units: Int, decimals: Int) -> Text {
    precondition(decimals >= 0, "a number has no \(decimals) decimals")
    if decimals == 0 { return number(units) }
    let digits = "\(units.magnitude)"
    let padded = String(repeating: "0", count: max(0, decimals + 1 - digits.count)) + digits
    let whole = (units < 0 ? "-" : "") + grouped(String(padded.dropLast(decimals)))
    return Text("\(whole)\(separators.decimal)\(padded.suffix(decimals))")
  }

  /// Reads a number as people write it: "1,234.5" in English, "1.234,5" in German.
  ///
  /// If the text is not a number with the separators of this language, it is read with those of the other one:
  /// "3,5" is 3.5 in both languages, and "1.234" is 1.234 in English and 1234 in German. Groups of three digits need
  /// not be separated. A number may have a sign, and white space around it.
  ///
  /// - Returns: `nil` for any other text, such as "1,23,456", ".5", "1e3" or "NaN", for a number beyond ±2^53,
  ///   and for one with more digits than a `Double` keeps. Never -0.
  /// - Complexity: O(*n*), where *n* is the length of the text.
  public func number(from text: Text) -> Double? {
    var digits = Substring(text.trimmed.string).utf8
    let sign = digits.first
    if sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") { digits.removeFirst() }
    let (decimal, group) = separators
    guard
      let read = DecimalDigits(digits, decimal: decimal, group: group)
        ?? DecimalDigits(digits, decimal: group, group: decimal),
      let number = Double("\(read.whole).\(read.fraction.isEmpty ? "0" : read.fraction)"),
      number <= Self.largestNumber, DecimalDigits(of: number) == read
    else { return nil }
    return sign == UInt8(ascii: "-") && number != 0 ? -number : number
  }

  /// Returns an English number as it is written in this language, with each digit where it was: "1.234" becomes
  /// "1,234" in German, which is the same number. Any other text stays as it is.
  package func number(translating english: Text) -> Text {
    let (from, to) = (Language.en.separators, separators)
    // Most numbers have no separator, and a form asks for those of all its fields after each input.
    guard english.string.contains(where: { $0 == from.decimal || $0 == from.group }),
      Language.en.number(from: english) != nil
    else { return english }
    return Text(
      String(
        english.string.map { $0 == from.decimal ? to.decimal : $0 == from.group ? to.group : $0 }))
  }

  /// The largest number that is read: JSON carries no larger whole number.
  private static let largestNumber = Double(1 << 53)

  private var separators: (decimal: Character, group: Character) {
    switch self {
    case .en: (".", ",")
    case .de: (",", ".")
    }
  }

  private func grouped(_ digits: String) -> String {
    var rest = digits[...]
    var groups: [Substring] = []
    while rest.count > 3 {
      groups.append(rest.suffix(3))
      rest = rest.dropLast(3)
    }
    return ([rest] + groups.reversed()).joined(separator: String(separators.group))
  }
}

/// The decimal digits of a number that is not negative.
private struct DecimalDigits: Equatable {
  /// The digits before the decimal separator, without leading zeros but at least one digit.
  let whole: String
  /// The digits behind it, without zeros at the end.
  let fraction: String

  private init(_ whole: String, _ fraction: String) {
    let digits = whole.drop { $0 == "0" }
    self.whole = digits.isEmpty ? "0" : String(digits)
    var fraction = fraction[...]
    while fraction.last == "0" { fraction.removeLast() }
    self.fraction = String(fraction)
  }

  /// Returns the fewest digits that make the magnitude of a finite number, as Swift describes it: "3.5",
  /// "1e-07", "1.5e+20".
  init(of number: Double) {
    let parts = "\(number.magnitude)".split(separator: "e")
    let mantissa = parts[0].split(separator: ".")
    let digits = mantissa.joined()
    let point = mantissa[0].count + (parts.count > 1 ? Int(parts[1]) ?? 0 : 0)
    let zeros = { String(repeating: "0", count: max($0, 0)) }
    self.init(
      digits.prefix(max(point, 0)) + zeros(point - digits.count),
      zeros(-point) + digits.dropFirst(max(point, 0)))
  }

  /// Reads digits with separators; `nil` if they are no number.
  init?(_ text: Substring.UTF8View, decimal: Character, group: Character) {
    let parts = text.split(
      separator: decimal.asciiValue ?? 0, maxSplits: 1, omittingEmptySubsequences: false)
    let groups = parts[0].split(
      separator: group.asciiValue ?? 0, omittingEmptySubsequences: false)
    let areGrouped =
      groups.count == 1
      || groups[0].count <= 3 && groups[0].first != UInt8(ascii: "0")
        && groups.dropFirst().allSatisfy { $0.count == 3 }
    let areDigits = (groups + parts.dropFirst()).allSatisfy { digits in
      !digits.isEmpty
        && digits.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }
    guard areGrouped, areDigits else { return nil }
    self.init(
      groups.map { String(Substring($0)) }.joined(),
      parts.count == 1 ? "" : String(Substring(parts[1])))
  }
}
