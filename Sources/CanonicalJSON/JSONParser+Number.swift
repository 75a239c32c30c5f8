extension JSONParser {
  /// Reads a number by the grammar of RFC 8259 §6.
  mutating func parseNumber() throws(JSONParseError) -> JSONValue {
    let start = position
    let isNegative = bytes[position] == UInt8(ascii: "-")
    if isNegative { position += 1 }
    let firstDigit = position
    try skipDigits()
    if bytes[firstDigit] == UInt8(ascii: "0"), position - firstDigit > 1 {
      throw error(.invalidNumber, "a number has no leading zeros", at: start)
    }
    let integerEnd = position
    if next(isOneOf: UInt8(ascii: "."), UInt8(ascii: ".")) {
      position += 1
      try skipDigits()
    }
    if next(isOneOf: UInt8(ascii: "e"), UInt8(ascii: "E")) {
      position += 1
      if next(isOneOf: UInt8(ascii: "+"), UInt8(ascii: "-")) { position += 1 }
      try skipDigits()
    }
    return position == integerEnd
      ? try integer(digits: firstDigit..<integerEnd, isNegative: isNegative, start: start)
      : try double(start..<position)
  }

  private func integer(
    digits: Range<Int>, isNegative: Bool, start: Int
  ) throws(JSONParseError) -> JSONValue {
    // 2^53 has 16 digits, so no more than 16 can be in range, and they cannot overflow an Int.
    if digits.count <= 16 {
      let magnitude = bytes[digits].reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
      if JSONValue.interoperableIntegers.contains(magnitude) {
        return .integer(isNegative ? -magnitude : magnitude)
      }
    }
    throw outOfRange(start)
  }

  private func double(_ range: Range<Int>) throws(JSONParseError) -> JSONValue {
    // The grammar is checked, so that only the magnitude can be at fault.
    guard let value = Double(String(decoding: bytes[range], as: UTF8.self)), value.isFinite else {
      throw error(.numberOverflow, "the number is too large", at: range.lowerBound)
    }
    // ECMAScript writes doubles below 10^21 without an exponent: as integers, if they are some.
    let magnitude = value.magnitude
    if magnitude > 0x1p53, magnitude < 1e21 { throw outOfRange(range.lowerBound) }
    return .number(value)
  }

  private func outOfRange(_ start: Int) -> JSONParseError {
    error(.integerOutOfRange, "integers beyond ±2^53 are not read alike everywhere", at: start)
  }

  private func next(isOneOf first: UInt8, _ second: UInt8) -> Bool {
    position < bytes.count && (bytes[position] == first || bytes[position] == second)
  }

  /// Steps over one digit at least.
  private mutating func skipDigits() throws(JSONParseError) {
    let start = position
    while position < bytes.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[position])
    {
      position += 1
    }
    if position == start {
      _ = try peek()
      throw error(.invalidNumber, "expected a digit")
    }
  }
}
