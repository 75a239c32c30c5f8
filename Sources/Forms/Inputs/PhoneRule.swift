import CanonicalJSON
import ViewState

/// The rule of a field for a phone number, laid out as E.164 has it: `+`, the country's code and the
/// number, digits alone.
///
/// A number may be entered with spaces, brackets, hyphens, dots and slashes, with `00` for the `+`, and, if
/// the field names a country, with a leading 0 for the `+` and the code. The field says how many digits are
/// right, at most the 15 of E.164. Whether a country has such a number is not checked.
struct PhoneRule: LineRule {
  var countryCode: Text?
  var minDigits = 8
  var maxDigits = 15

  static let kind: Text = "phone"
  static let fields = [
    Field("countryCode", \PhoneRule.countryCode, country.optional),
    Field(
      "minDigits", \.minDigits,
      digits("The least number of digits, with those of the country code; 8 by default.").usually(8)
    ),
    Field(
      "maxDigits", \.maxDigits,
      digits("The largest number of digits, with those of the country code; 15 by default.")
        .usually(15)),
  ]

  private static func digits(_ summary: String) -> ValueType<Int> {
    .integer(4...15).described(summary)
  }

  private static let country = ValueType<Text>.text(
    [
      "type": "string", "pattern": "^[1-9][0-9]{0,2}$",
      "description": "The country code of a number that is entered with a 0 at its start.",
    ], "1 to 3 digits without a leading 0"
  ) { $0.byteCount <= 3 && $0.string.isNumber }

  func check(_ reader: JSONReader) throws(JSONShapeError) {
    // `maxDigits` is given then: its default is the largest number that either member may have.
    if minDigits > maxDigits {
      throw reader.error(in: "maxDigits", "the most digits are fewer than the least")
    }
  }

  static let rowType = RowType.field(
    "phoneField", "A field for a phone number. A right one comes back as E.164 has it.")

  var input: InputType { InputType(type: .tel) }

  func formatted(_ text: Text) -> Text { normalised(text).map { "+\($0)" } ?? text }

  func error(of text: Text) -> FieldError? {
    guard let number = normalised(text) else {
      return countryCode == nil
        ? FieldError(
          "invalid-phone", en: "Write the number with its country, such as +49 30 901820.",
          de: "Bitte mit der Nummer des Landes, etwa +49 30 901820.")
        : FieldError(
          "invalid-phone", en: "That is no phone number.", de: "Das ist keine Telefonnummer.")
    }
    if number.count < minDigits {
      return FieldError(
        "too-short", en: "A number has at least \(minDigits) digits.",
        de: "Eine Nummer hat mindestens \(minDigits) Ziffern.")
    }
    if number.count > maxDigits {
      return FieldError(
        "too-long", en: "A number has at most \(maxDigits) digits.",
        de: "Eine Nummer hat höchstens \(maxDigits) Ziffern.")
    }
    return nil
  }

  /// The digits with those of the country; `nil` if something else is in between, or no country is known.
  private func normalised(_ value: Text) -> String? {
    // Not by regular expressions, which each call would compile: each change of a form judges its values.
    func digits(_ text: Text) -> String? { text.asciiWithout(" ()-./\u{A0}") }
    guard var text = digits(value) else { return nil }
    if text.hasPrefix("+") || text.hasPrefix("00") {
      // "+49 (0)30" has the zero that is dialled within the country only.
      text = digits(Text(value.string.replacing("(0)", with: ""))) ?? text
    }
    let number =
      if text.hasPrefix("+") {
        String(text.dropFirst())
      } else if text.hasPrefix("00") {
        String(text.dropFirst(2))
      } else if text.hasPrefix("0"), let countryCode {
        countryCode.string + text.dropFirst()
      } else {
        ""
      }
    return number.isNumber ? number : nil
  }
}

extension String {
  /// Whether these are digits, at least one, and the first is not 0.
  fileprivate var isNumber: Bool {
    !utf8.isEmpty && utf8.first != UInt8(ascii: "0")
      && utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
  }
}
