public import CanonicalJSON
import Forms
public import ViewState

/// The number under which a company pays value added tax in Germany, the Umsatzsteuer-
/// Identifikationsnummer: `DE` and nine digits, of which the last one is a check digit.
///
/// The check digit is that of ISO/IEC 7064 MOD 11,10, which finds every single wrong digit and
/// nearly all pairs that are swapped.
public struct TaxNumber: Hashable, Sendable, CustomStringConvertible {
  /// Without spaces, in capitals: `DE136695976`.
  public let text: Text

  public var description: String { text.string }

  /// Where there is no number yet.
  static let none = TaxNumber(text: "")

  private init(text: Text) { self.text = text }

  /// Why a text is no such number.
  enum Fault: Error, Hashable {
    case form
    case checkDigit
  }

  /// The number in a text, which may have spaces, dots and hyphens, and small letters.
  init(parsing text: Text) throws(Fault) {
    let number = text.asciiWithout(" .-\u{A0}")?.uppercased() ?? ""
    let bytes = Array(number.utf8)
    // Not by a regular expression, which each call would compile: each change of a form judges its values.
    guard bytes.count == 11, bytes.starts(with: "DE".utf8), bytes[2] != UInt8(ascii: "0"),
      bytes[2...].allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
    else { throw .form }
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

extension TaxNumber: FieldValue {
  public static var valueType: ValueType<TaxNumber> {
    ValueType(
      schema: ["type": "string", "pattern": "^DE[1-9][0-9]{8}$"],
      input: [
        "type": "string", "minLength": 11,
        "pattern":
          #"^[ .\u00A0-]*[Dd][ .\u00A0-]*[Ee][ .\u00A0-]*[1-9]([ .\u00A0-]*[0-9]){8}[ .\u00A0-]*$"#,
        "description":
          "`DE` and nine digits, the last one a check digit (ISO/IEC 7064 MOD 11,10). Spaces, full stops and hyphens are allowed anywhere, and letters may be lower case.",
      ],
      read: { (json) throws(JSONShapeError) in
        guard let text = try? ValueType<Text>.text(atMostBytes: LongestText.line).read(json),
          let number = try? TaxNumber(parsing: text)
        else {
          throw json.error("expected a tax number: DE and nine digits, the last one a check digit")
        }
        return number
      }, write: { .string($0.text) })
  }
}

/// The rule of a field for a tax number. The companies that have it are rows behind the field; choosing one
/// enters its name and city into other fields.
struct TaxNumberRule: LineRule {
  /// What a row can be filled with.
  enum Part: Text, CaseIterable {
    case city
    case name

    func text(of company: Company) -> Text {
      switch self {
      case .city: company.city
      case .name: company.name
      }
    }
  }

  /// The rows that are filled in.
  var fills: [Part: ResourceID] = [:]

  static let kind: Text = "taxNumber"
  static let errorCodes: [Text] = ["invalid-tax-number", "wrong-check-digit"]
  static let fields = [Field("fills", \TaxNumberRule.fills, fillsType)]

  private static let fillsType = ValueType<[Part: ResourceID]>(
    schema: [
      "type": "object", "additionalProperties": false,
      "properties": .object(
        Dictionary(Part.allCases.map { ($0.rawValue, FormKinds.idSchema) }) { $1 }),
      "description": "The rows that the name and the city of a company are entered into.",
    ],
    absent: [:],
    read: { (json) throws(JSONShapeError) in
      try json.rejectUnknownMembers(allowed: Set(Part.allCases.map(\.rawValue)))
      var fills: [Part: ResourceID] = [:]
      let names = try json.memberNames
      for part in Part.allCases where names.contains(part.rawValue) {
        fills[part] = try ResourceID(json.member(part.rawValue))
      }
      return fills
    },
    write: { fills in
      fills.isEmpty
        ? nil : .object(Dictionary(fills.map { ($0.key.rawValue, $0.value.json) }) { $1 })
    })

  static let rowType = RowType.field(
    "taxNumberField",
    """
    A field for a German tax number (Umsatzsteuer-Identifikationsnummer): `DE` and nine digits, the last \
    one the check digit of ISO/IEC 7064 MOD 11,10. A valid number is looked up, and the result follows the \
    field: a `contentLoading`, then a `company` for each of the first \(FormScreen.mostFirms) companies with \
    the number and a `moreCompanies` if there are more, a `contentEmpty` or a `contentError`. Another \
    number replaces these rows; without a valid one there are none. A `default` is looked up only after a \
    user has entered it: reading a form starts nothing. A write to `/v1/companies` changes the rows in the \
    same step. A look-up continues while the field is hidden, but does not count in `states` then.
    """)

  var input: InputType { InputType(type: .text) }

  func formatted(_ text: Text) -> Text { (try? TaxNumber(parsing: text))?.text ?? text }

  func error(of text: Text) -> FieldError? {
    do throws(TaxNumber.Fault) {
      _ = try TaxNumber(parsing: text)
      return nil
    } catch {
      return switch error {
      case .form:
        FieldError(
          "invalid-tax-number", en: "A tax number is DE and nine digits.",
          de: "Eine Steuernummer ist DE mit neun Ziffern.")
      case .checkDigit:
        FieldError(
          "wrong-check-digit", en: "There is a slip in the number: check its digits.",
          de: "Die Nummer enthält einen Tippfehler: Bitte die Ziffern prüfen.")
      }
    }
  }

  func checkReferences(
    of row: ResourceID, among rows: [ResourceID: FormRow]
  ) throws(JSONShapeError) {
    for part in Part.allCases {
      guard let other = fills[part] else { continue }
      let place = ["fills", part.rawValue]
      if other == row {
        throw JSONShapeError(place, "a row enters texts into others, not into itself")
      }
      guard rows[other]?.input?.rule is any LineRule else {
        throw JSONShapeError(place, "there is no row \(other) that a text can be entered into")
      }
    }
  }

  /// The tax number to look up for a value; `nil` if there is none.
  func query(_ value: JSONValue) -> TaxNumber? {
    guard case .string(let text) = value else { return nil }
    return try? TaxNumber(parsing: text)
  }

  /// The texts that a company fills rows with, in an order that is the same in every run.
  func texts(of company: Company) -> [(row: ResourceID, text: Text)] {
    Part.allCases.compactMap { part in fills[part].map { ($0, part.text(of: company)) } }
  }
}
