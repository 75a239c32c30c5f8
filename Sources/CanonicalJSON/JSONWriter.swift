/// Appends pieces of canonical JSON to a buffer of bytes.
///
/// The writer does not check that the pieces form a document: it is for documents that are put
/// together from already encoded parts, where the caller writes the punctuation too.
public struct JSONWriter: Sendable {
  /// What has been written so far.
  public private(set) var bytes: [UInt8]

  /// An empty writer with room for `capacity` bytes.
  public init(capacity: Int = 0) {
    bytes = []
    bytes.reserveCapacity(capacity)
  }

  /// Appends bytes that are canonical JSON already, or a part of it.
  ///
  /// - Complexity: O(*n*), where *n* is the number of bytes; a plain copy of memory.
  public mutating func raw(_ encoded: [UInt8]) {
    bytes.append(contentsOf: encoded)
  }

  /// Appends bytes as they are.
  mutating func raw(contentsOf encoded: some Collection<UInt8>) {
    bytes.append(contentsOf: encoded)
  }

  /// Appends punctuation and fixed member names as they are.
  public mutating func raw(_ text: StaticString) {
    text.withUTF8Buffer { bytes.append(contentsOf: $0) }
  }

  /// Appends one byte, in general punctuation.
  public mutating func raw(_ byte: UInt8) {
    bytes.append(byte)
  }

  /// Appends a whole value.
  ///
  /// - Precondition: every number is finite and every integer interoperable; see
  ///   ``JSONValue/canonicalBytes()``, whose complexity holds here too.
  public mutating func value(_ value: JSONValue) {
    switch value {
    case .null: raw("null")
    case .bool(let value): bool(value)
    case .integer(let value): integer(value)
    case .number(let value): number(value)
    case .string(let value): string(value)
    case .array(let elements):
      raw(UInt8(ascii: "["))
      var isFirst = true
      for element in elements {
        separate(&isFirst)
        self.value(element)
      }
      raw(UInt8(ascii: "]"))
    case .object(let members): object(members)
    }
  }

  /// Appends an object with its members sorted by the UTF-8 bytes of their names.
  public mutating func object(_ members: [Text: JSONValue]) {
    raw(UInt8(ascii: "{"))
    var isFirst = true
    for (name, value) in members.sorted(by: { $0.key < $1.key }) {
      separate(&isFirst)
      self.name(name)
      self.value(value)
    }
    raw(UInt8(ascii: "}"))
  }

  /// Appends `true` or `false`.
  public mutating func bool(_ value: Bool) {
    raw(value ? "true" : "false")
  }

  /// Appends a member's name and the colon behind it.
  public mutating func name(_ name: Text) {
    string(name)
    raw(UInt8(ascii: ":"))
  }

  /// Appends a comma unless this is the first of a list, and notes that the first one has been.
  public mutating func separate(_ isFirst: inout Bool) {
    if isFirst { isFirst = false } else { raw(UInt8(ascii: ",")) }
  }
}

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

extension JSONWriter {
  /// Appends a string literal. Only `"`, `\` and the control characters below U+0020 are escaped,
  /// with the short escapes where there are some (RFC 8785 §3.2.2.2).
  ///
  /// - Complexity: O(*n*), where *n* is the number of bytes.
  public mutating func string(_ text: Text) {
    raw(UInt8(ascii: "\""))
    stringContent(text)
    raw(UInt8(ascii: "\""))
  }

  /// Appends the string literal of a Swift string, likewise.
  public mutating func string(_ string: String) {
    self.string(Text(string))
  }

  /// Appends what stands between the quotes of a string literal, for one that is put together from
  /// several parts.
  ///
  /// - Complexity: O(*n*), where *n* is the number of bytes.
  public mutating func stringContent(_ text: Text) {
    text.withBytes { bytes in
      if bytes.contains(where: Self.mustEscape) {
        for byte in bytes { escaped(byte) }
      } else {
        raw(contentsOf: bytes)
      }
    }
  }

  private static func mustEscape(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
  }

  private mutating func escaped(_ byte: UInt8) {
    guard Self.mustEscape(byte) else { return raw(byte) }
    raw(UInt8(ascii: "\\"))
    switch byte {
    case 0x08: raw(UInt8(ascii: "b"))
    case 0x09: raw(UInt8(ascii: "t"))
    case 0x0A: raw(UInt8(ascii: "n"))
    case 0x0C: raw(UInt8(ascii: "f"))
    case 0x0D: raw(UInt8(ascii: "r"))
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): raw(byte)
    default:
      raw("u00")
      raw(Self.hexDigit(byte >> 4))
      raw(Self.hexDigit(byte & 0xF))
    }
  }

  private static func hexDigit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
  }
}
