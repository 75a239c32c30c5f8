/// A recursive descent parser for the bytes of one document.
///
/// `JSONValue.init(parsing:limits:)` documents the accepted syntax.
struct JSONParser {
  private let bytes: [UInt8]
  private let limits: JSONLimits
  private var position = 0
  /// The path from the root to the value being parsed, for error messages.
  private var path: [Step] = []

  private enum Step {
    case name(Text)
    case index(Int)
  }

  init(bytes: [UInt8], limits: JSONLimits) {
    self.bytes = bytes
    self.limits = limits
  }

  mutating func parseDocument() throws(JSONParseError) -> JSONValue {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
      throw error(.byteOrderMark, "a document must not begin with a byte order mark", at: 0)
    }
    skipWhiteSpace()
    guard position < bytes.count else { throw error(.empty, "the document is empty") }
    let value = try parseValue()
    skipWhiteSpace()
    guard position == bytes.count else {
      throw error(.trailingContent, "nothing may follow the value")
    }
    return value
  }

  private mutating func parseValue() throws(JSONParseError) -> JSONValue {
    switch try peek() {
    case UInt8(ascii: "{"): return .object(try parseObject())
    case UInt8(ascii: "["): return .array(try parseArray())
    case UInt8(ascii: "\""): return .string(try parseString())
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try parseNumber()
    case UInt8(ascii: "t"): return try parseWord("true", .bool(true))
    case UInt8(ascii: "f"): return try parseWord("false", .bool(false))
    case UInt8(ascii: "n"): return try parseWord("null", .null)
    default: throw unexpected("a value")
    }
  }

  private mutating func parseObject() throws(JSONParseError) -> [Text: JSONValue] {
    try enter()
    var members: [Text: JSONValue] = [:]
    if try peek() == UInt8(ascii: "}") {
      position += 1
      return members
    }
    while true {
      guard try peek() == UInt8(ascii: "\"") else { throw unexpected("a member's name") }
      let start = position
      let name = try parseString()
      path.append(.name(name))
      guard members[name] == nil else {
        throw error(.duplicateName, "the object has this name already", at: start)
      }
      skipWhiteSpace()
      guard try peek() == UInt8(ascii: ":") else { throw unexpected("a colon") }
      position += 1
      skipWhiteSpace()
      members[name] = try parseValue()
      path.removeLast()
      if try skipCommaOrEnd(UInt8(ascii: "}"), named: "brace") { return members }
    }
  }

  private mutating func parseArray() throws(JSONParseError) -> [JSONValue] {
    try enter()
    var elements: [JSONValue] = []
    if try peek() == UInt8(ascii: "]") {
      position += 1
      return elements
    }
    while true {
      path.append(.index(elements.count))
      elements.append(try parseValue())
      path.removeLast()
      if try skipCommaOrEnd(UInt8(ascii: "]"), named: "bracket") { return elements }
    }
  }

  /// Skips the comma after a member or element, or the end of its object or array. Returns whether
  /// it was the end.
  private mutating func skipCommaOrEnd(
    _ end: UInt8, named name: String
  ) throws(JSONParseError) -> Bool {
    skipWhiteSpace()
    let byte = try peek()
    guard byte == end || byte == UInt8(ascii: ",") else {
      throw unexpected("a comma or a closing \(name)")
    }
    position += 1
    if byte == end { return true }
    skipWhiteSpace()
    return false
  }

  /// Skips an opening bracket and the white space after it. The path has one step per open array or
  /// object, so its length is the depth.
  private mutating func enter() throws(JSONParseError) {
    guard path.count < limits.maximumDepth else {
      throw error(.tooDeep, "the document nests deeper than \(limits.maximumDepth) levels")
    }
    position += 1
    skipWhiteSpace()
  }

  private mutating func parseWord(
    _ word: StaticString, _ value: JSONValue
  ) throws(JSONParseError) -> JSONValue {
    for expected in String(describing: word).utf8 {
      guard try peek() == expected else { throw unexpected("\(word)") }
      position += 1
    }
    return value
  }
}

extension JSONParser {
  /// Returns the next byte without skipping it.
  private func peek() throws(JSONParseError) -> UInt8 {
    guard position < bytes.count else { throw error(.unexpectedEnd, "the document ends too early") }
    return bytes[position]
  }

  private mutating func skipWhiteSpace() {
    while position < bytes.count {
      switch bytes[position] {
      case 0x20, 0x09, 0x0A, 0x0D: position += 1
      default: return
      }
    }
  }

  /// Creates the error for a byte that the grammar does not allow here.
  private func unexpected(_ expected: String) -> JSONParseError {
    error(.unexpectedCharacter, "expected \(expected)")
  }

  private func error(
    _ code: JSONParseError.Code, _ message: String, at offset: Int? = nil
  ) -> JSONParseError {
    let tokens = path.map { step in
      switch step {
      case .name(let name): name
      case .index(let index): Text(String(index))
      }
    }
    return JSONParseError(
      code: code, message: message, offset: offset ?? position,
      pointer: JSONPointer(tokens: tokens))
  }
}

extension JSONParser {
  /// Parses a number by the grammar of RFC 8259 §6.
  private mutating func parseNumber() throws(JSONParseError) -> JSONValue {
    let start = position
    let isNegative = bytes[position] == UInt8(ascii: "-")
    if isNegative { position += 1 }
    let firstDigit = position
    try skipDigits()
    if bytes[firstDigit] == UInt8(ascii: "0"), position - firstDigit > 1 {
      throw error(.invalidNumber, "a number must not have leading zeros", at: start)
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
    // 2^53 has 16 digits. So an integer of more digits is out of range, and one of 16 fits into an
    // Int.
    if digits.count <= 16 {
      let magnitude = bytes[digits].reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
      if JSONValue.interoperableIntegers.contains(magnitude) {
        return .integer(isNegative ? -magnitude : magnitude)
      }
    }
    throw outOfRange(start)
  }

  private func double(_ range: Range<Int>) throws(JSONParseError) -> JSONValue {
    // The grammar was checked, so only the magnitude can be invalid.
    guard let value = Double(String(decoding: bytes[range], as: UTF8.self)), value.isFinite else {
      throw error(.numberOverflow, "the number is too large", at: range.lowerBound)
    }
    // ECMAScript writes integral doubles below 10^21 as integers, without an exponent.
    let magnitude = value.magnitude
    if magnitude > 0x1p53, magnitude < 1e21 { throw outOfRange(range.lowerBound) }
    return .number(value)
  }

  private func outOfRange(_ start: Int) -> JSONParseError {
    error(
      .integerOutOfRange, "an integer beyond ±2^53 is not portable; send it as a string", at: start)
  }

  private func next(isOneOf first: UInt8, _ second: UInt8) -> Bool {
    position < bytes.count && (bytes[position] == first || bytes[position] == second)
  }

  /// Skips at least one digit.
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

extension JSONParser {
  /// Parses a string literal (RFC 8259 §7) whose opening quote is the next byte.
  private mutating func parseString() throws(JSONParseError) -> Text {
    position += 1
    var runStart = position
    // Empty until the first escape: most strings have none.
    var unescaped: [UInt8] = []
    // All bits of the bytes: ASCII needs no check, which takes longer than the rest.
    var bits: UInt8 = 0
    while true {
      let byte = try peek()
      bits |= byte
      switch byte {
      case UInt8(ascii: "\""):
        let run = runStart..<position
        let text =
          if unescaped.isEmpty {
            bits < 0x80
              ? String(decoding: bytes[run], as: UTF8.self)
              : String(validating: bytes[run], as: UTF8.self)
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
    default: throw error(.invalidEscape, "the escape is unknown", at: start)
    }
  }

  /// Parses the digits of a `\u` escape, and the second escape if the first is half of a surrogate
  /// pair.
  private mutating func unicodeScalar(from start: Int) throws(JSONParseError) -> Unicode.Scalar {
    let unit = try codeUnit(from: start)
    if let scalar = Unicode.Scalar(unit) { return scalar }
    guard UTF16.isLeadSurrogate(unit), bytes[position...].starts(with: [0x5C, 0x75]) else {
      throw error(.loneSurrogate, "a surrogate pair is incomplete", at: start)
    }
    position += 2
    let trail = try codeUnit(from: start)
    guard UTF16.isTrailSurrogate(trail) else {
      throw error(.loneSurrogate, "a surrogate pair is incomplete", at: start)
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

  /// Creates the error for a string that is not UTF-8, positioned at the first invalid byte.
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
