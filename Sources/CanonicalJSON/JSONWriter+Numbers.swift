extension JSONWriter {
  /// Appends an integer in decimal digits.
  ///
  /// - Precondition: `value` is in ``JSONValue/interoperableIntegers``.
  package mutating func integer(_ value: Int) {
    // The parser refuses such integers. What code computes is checked before it gets here, by
    // ``JSONValue/checkWritable(at:)``.
    precondition(
      JSONValue.interoperableIntegers.contains(value),
      "an integer beyond ±2^53 is not portable; send it as a string")
    // The last digit comes first; there are at most sixteen.
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 16) { digits in
      var (rest, start) = (value.magnitude, digits.count)
      repeat {
        start -= 1
        digits.initializeElement(at: start, to: UInt8(ascii: "0") + UInt8(rest % 10))
        rest /= 10
      } while rest > 0
      if value < 0 { raw(UInt8(ascii: "-")) }
      raw(UnsafeBufferPointer(rebasing: digits[start...]))
    }
  }

  /// Appends a number as ECMAScript writes it: the shortest digits that parse to the same double,
  /// in positional notation from 10^-6 to below 10^21, and with an exponent otherwise (ECMA-262,
  /// Number::toString; RFC 8785 §3.2.2.3). Negative zero is written as zero.
  ///
  /// - Precondition: `value` is finite.
  package mutating func number(_ value: Double) {
    // As for integers: the parser refuses numbers beyond a double (see ParserTests).
    precondition(value.isFinite, "JSON has no number for NaN and infinity (RFC 8259 §6)")
    if let integer = value.exactInteger, JSONValue.interoperableIntegers.contains(integer) {
      return self.integer(integer)
    }
    if value < 0 { raw(UInt8(ascii: "-")) }
    let (digits, point) = Self.shortestDigits(of: value.magnitude)
    switch point {
    case digits.count...21:
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
      integer(point - 1)
    }
  }

  private mutating func zeros(_ count: Int) {
    for _ in 0..<count { raw(UInt8(ascii: "0")) }
  }

  /// Returns the shortest decimal digits of a positive double, without leading and trailing zeros,
  /// and the position of the decimal point relative to the first digit.
  ///
  /// Swift's description has the digits that ECMAScript demands, the shortest ones closest to the
  /// value, but in another notation.
  private static func shortestDigits(of value: Double) -> (digits: [UInt8], point: Int) {
    let text = value.description.utf8
    let mantissa = text.prefix { $0 != UInt8(ascii: "e") }
    var digits = mantissa.filter { $0 != UInt8(ascii: ".") }
    var point = mantissa.prefix { $0 != UInt8(ascii: ".") }.count
    if mantissa.endIndex != text.endIndex {
      // The exponent has an optional sign and digits: "1e-07", "1e+22".
      let exponent = String(decoding: text[mantissa.endIndex...].dropFirst(), as: UTF8.self)
      point += Int(exponent) ?? 0
    }
    while digits.last == UInt8(ascii: "0") { digits.removeLast() }
    let leadingZeros = digits.prefix { $0 == UInt8(ascii: "0") }.count
    digits.removeFirst(leadingZeros)
    return (digits, point - leadingZeros)
  }
}
