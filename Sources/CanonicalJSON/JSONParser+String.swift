extension JSONParser {
  /// Reads a string literal (RFC 8259 §7) whose opening quote is next.
  mutating func parseString() throws(JSONParseError) -> Text {
    position += 1
    var runStart = position
    // Filled only once an escape has been met: most strings are one run of plain bytes.
    var unescaped: [UInt8] = []
    while true {
      switch try peek() {
      case UInt8(ascii: "\""):
        let run = runStart..<position
        let text =
          if unescaped.isEmpty {
            String(validating: bytes[run], as: UTF8.self)
          } else {
            String(validating: unescaped + bytes[run], as: UTF8.self)
          }
        guard let text else { throw invalidUTF8(in: run) }
        position += 1
        return Text(text)
      case UInt8(ascii: "\\"):
        let run = runStart..<position
        guard firstInvalidByte(in: run) == nil else { throw invalidUTF8(in: run) }
        unescaped += bytes[run]
        try unescape(into: &unescaped)
        runStart = position
      case 0..<0x20:
        throw error(.controlCharacter, "a control character in a string must be escaped")
      default:
        position += 1
      }
    }
  }

  private mutating func unescape(into text: inout [UInt8]) throws(JSONParseError) {
    let start = position
    position += 1
    let escape = try peek()
    position += 1
    switch escape {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(escape)
    case UInt8(ascii: "b"): text.append(0x08)
    case UInt8(ascii: "f"): text.append(0x0C)
    case UInt8(ascii: "n"): text.append(0x0A)
    case UInt8(ascii: "r"): text.append(0x0D)
    case UInt8(ascii: "t"): text.append(0x09)
    case UInt8(ascii: "u"): text += String(try unicodeScalar(from: start)).utf8
    default: throw error(.invalidEscape, "no escape begins like this", at: start)
    }
  }

  /// Reads the digits of a `\u` escape, and the other half where it is half of a surrogate pair.
  private mutating func unicodeScalar(from start: Int) throws(JSONParseError) -> Unicode.Scalar {
    let unit = try codeUnit(from: start)
    if let scalar = Unicode.Scalar(unit) { return scalar }
    guard UTF16.isLeadSurrogate(unit), bytes[position...].starts(with: [0x5C, 0x75]) else {
      throw error(.loneSurrogate, "half of a surrogate pair is no character", at: start)
    }
    position += 2
    let trail = try codeUnit(from: start)
    guard UTF16.isTrailSurrogate(trail) else {
      throw error(.loneSurrogate, "half of a surrogate pair is no character", at: start)
    }
    return UTF16.decode(UTF16.EncodedScalar([unit, trail]))
  }

  private mutating func codeUnit(from start: Int) throws(JSONParseError) -> UInt16 {
    var unit: UInt16 = 0
    for _ in 0..<4 {
      guard let digit = Character(Unicode.Scalar(try peek())).hexDigitValue else {
        throw error(.invalidEscape, "\\u needs four hexadecimal digits", at: start)
      }
      unit = unit << 4 | UInt16(digit)
      position += 1
    }
    return unit
  }

  /// The error for a string with bytes that are no UTF-8, at the first of them.
  private func invalidUTF8(in run: Range<Int>) -> JSONParseError {
    error(
      .invalidUTF8, "the string is not well-formed UTF-8",
      at: firstInvalidByte(in: run) ?? run.lowerBound)
  }

  private func firstInvalidByte(in run: Range<Int>) -> Int? {
    var decoder = UTF8()
    var iterator = bytes[run].makeIterator()
    var offset = run.lowerBound
    while true {
      switch decoder.decode(&iterator) {
      case .scalarValue(let scalar): offset += UTF8.width(scalar)
      case .emptyInput: return nil
      case .error: return offset
      }
    }
  }
}
