public import CanonicalJSON

/// The number under which a firm pays value added tax in Germany, the Umsatzsteuer-
/// Identifikationsnummer: `DE` and nine digits, of which the last one is a check digit.
///
/// The check digit is that of ISO/IEC 7064 MOD 11,10, which finds every single wrong digit and
/// nearly all pairs that are swapped.
public struct TaxNumber: Hashable, Sendable, CustomStringConvertible {
  /// Without spaces, in capitals: `DE136695976`.
  public let text: Text

  public var description: String { text.string }

  /// Why a text is no such number.
  enum Fault: Error, Hashable {
    case form
    case checkDigit
  }

  /// The number in a text, which may have spaces, dots and hyphens, and small letters.
  init(parsing text: Text) throws(Fault) {
    let number = text.asciiWithout(" .-\u{A0}")?.uppercased() ?? ""
    guard number.wholeMatch(of: /DE[1-9][0-9]{8}/) != nil else { throw .form }
    let digits = number.dropFirst(2).compactMap(\.wholeNumberValue)
    guard Self.checkDigit(of: digits.dropLast()) == digits.last else { throw .checkDigit }
    self.text = Text(number)
  }

  /// The check digit of ISO/IEC 7064 MOD 11,10.
  static func checkDigit(of digits: some Sequence<Int>) -> Int {
    let product = digits.reduce(10) { product, digit in
      let sum = (digit + product) % 10
      return (sum == 0 ? 10 : sum) * 2 % 11
    }
    return (11 - product) % 10
  }
}

/// As its text.
extension TaxNumber: Codable {
  public init(from decoder: any Decoder) throws {
    let reader = try JSONReader(from: decoder)
    guard let number = try? TaxNumber(parsing: reader.string()) else {
      throw reader.error("expected a tax number")
    }
    self = number
  }

  public func encode(to encoder: any Encoder) throws { try text.encode(to: encoder) }
}

/// A dictionary with tax numbers for keys is written as an object.
extension TaxNumber: CodingKeyRepresentable {
  public var codingKey: any CodingKey { text.codingKey }

  public init?(codingKey: some CodingKey) {
    try? self.init(parsing: Text(codingKey.stringValue))
  }
}
