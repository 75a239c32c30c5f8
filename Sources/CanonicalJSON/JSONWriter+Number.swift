extension JSONWriter {
  /// Appends an integer in decimal digits.
  ///
  /// - Precondition: `value` is in ``JSONValue/interoperableIntegers``.
  public mutating func integer(_ value: Int) {
    // The parser refuses such integers, and what is computed has closer bounds: a score, a count.
    precondition(
      JSONValue.interoperableIntegers.contains(value),
      "an integer beyond ±2^53 is not read alike everywhere; send it as a string")
    raw(contentsOf: String(value).utf8)
  }

  /// Appends a number as ECMAScript writes it: the shortest digits that read back as the same
  /// double, in positional notation from 10^-6 up to below 10^21 and in exponents beyond
  /// (ECMA-262, Number::toString; RFC 8785 §3.2.2.3). Negative zero is written as zero.
  ///
  /// - Precondition: `value` is finite.
  public mutating func number(_ value: Double) {
    // The parser refuses what no double can hold (see ParserTests), and nothing computes with doubles.
    precondition(value.isFinite, "JSON has no number for NaN and infinity (RFC 8259 §6)")
    if let integer = value.exactInteger, JSONValue.interoperableIntegers.contains(integer) {
      return self.integer(integer)
    }
    if value < 0 { raw(UInt8(ascii: "-")) }
    let (digits, point) = Self.shortestDigits(of: value.magnitude)
    switch point {
    case digits.count...21 where digits.count <= 21:
      raw(digits)
      zeros(point - digits.count)
    case 1...21:
      raw(Array(digits[..<point]))
      raw(UInt8(ascii: "."))
      raw(Array(digits[point...]))
    case -5...0:
      raw("0.")
      zeros(-point)
      raw(digits)
    default:
      raw(digits[0])
      if digits.count > 1 {
        raw(UInt8(ascii: "."))
        raw(Array(digits[1...]))
      }
      raw(UInt8(ascii: "e"))
      if point > 0 { raw(UInt8(ascii: "+")) }
      raw(contentsOf: String(point - 1).utf8)
    }
  }

  private mutating func zeros(_ count: Int) {
    for _ in 0..<count { raw(UInt8(ascii: "0")) }
  }

  /// The shortest decimal digits of a positive double, without zeros at either end, and the
  /// position of the decimal point counted from the first digit.
  ///
  /// Swift's description has the same digits as ECMAScript demands (shortest, and the closest of
  /// the shortest), only set in another notation.
  private static func shortestDigits(of value: Double) -> (digits: [UInt8], point: Int) {
    let text = value.description.utf8
    let mantissa = text.prefix { $0 != UInt8(ascii: "e") }
    var digits = mantissa.filter { $0 != UInt8(ascii: ".") }
    var point = mantissa.prefix { $0 != UInt8(ascii: ".") }.count
    if mantissa.endIndex != text.endIndex {
      // An optional sign and digits: "1e-07", "1e+22".
      let exponent = String(decoding: text[mantissa.endIndex...].dropFirst(), as: UTF8.self)
      point += Int(exponent) ?? 0
    }
    while digits.last == UInt8(ascii: "0") { digits.removeLast() }
    let leadingZeros = digits.prefix { $0 == UInt8(ascii: "0") }.count
    digits.removeFirst(leadingZeros)
    return (digits, point - leadingZeros)
  }
}
