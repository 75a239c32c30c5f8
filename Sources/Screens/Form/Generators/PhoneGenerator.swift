import CanonicalJSON

/// Describes a field for a phone number, laid out as E.164 has it: `+`, the country's code and the
/// number, digits alone.
///
/// A number may be entered with spaces, brackets, hyphens, dots and slashes, with `00` for the `+`,
/// and, where the field names a country, with a leading 0 in place of both. How many digits are
/// right is the field's to say, at most the 15 of E.164; which numbers are given out in a country
/// is not known here.
struct PhoneGenerator: TextFieldGenerator {
  static let kind: Text = "phone"
  static let rowType: Text = "phoneField"
  static let schema: [Text: JSONValue] = FieldFace.schema.merging([
    "default": ["type": "string"],
    "countryCode": [
      "type": "string", "pattern": "^[1-9][0-9]{0,2}$",
      "description": "That of a number which begins with 0.",
    ],
    "minDigits": digits("The least number of digits, that of the country included; 8 by default."),
    "maxDigits": digits("The most; 15 by default."),
  ]) { $1 }
  static let required: [Text] = ["label"]
  static let codes: [FieldFault.Code] = [.required, .invalidPhone, .tooShort, .tooLong]

  private static let possibleDigits = 4...15

  var frame: RowFrame
  let face: FieldFace
  let countryCode: Text?
  let digits: ClosedRange<Int>
  private(set) var initial: Text = ""
  var entry = FieldEntry<Text>(value: "")

  init(_ reader: JSONReader, frame: RowFrame) throws(JSONShapeError) {
    self.frame = frame
    face = try FieldFace(reader)
    countryCode = try reader.nullableMember("countryCode")?.countryCode()
    let least = try reader.nullableMember("minDigits")?.integer(in: Self.possibleDigits) ?? 8
    let most = try reader.nullableMember("maxDigits")?.integer(in: Self.possibleDigits) ?? 15
    guard least <= most else {
      let name: Text = try reader.nullableMember("maxDigits") == nil ? "minDigits" : "maxDigits"
      throw try reader.member(name).error("the most digits are fewer than the least")
    }
    digits = least...most
    initial = try readDefault(reader) ?? ""
    entry.value = initial
  }

  var configuration: [Text: JSONValue] {
    var members: [Text: JSONValue] = [:]
    members["countryCode"] = countryCode.map(JSONValue.string)
    if digits.lowerBound != 8 { members["minDigits"] = .integer(digits.lowerBound) }
    if digits.upperBound != 15 { members["maxDigits"] = .integer(digits.upperBound) }
    return configuration(members)
  }

  var input: [Text: JSONValue] { ["type": "tel"] }

  func formatted(_ value: Text) -> Text { normalised(value).map { "+\($0)" } ?? value }

  func fault(of value: Text) -> FieldFault? {
    guard let number = normalised(value) else {
      return FieldFault(
        .invalidPhone,
        countryCode == nil
          ? "Write the number with its country, such as +49 30 901820."
          : "That is no phone number.")
    }
    if number.count < digits.lowerBound {
      return FieldFault(.tooShort, "A number has at least \(digits.lowerBound) digits.")
    }
    if number.count > digits.upperBound {
      return FieldFault(.tooLong, "A number has at most \(digits.upperBound) digits.")
    }
    return nil
  }

  /// The digits with those of the country; `nil` where something else is in between, or no country
  /// is known.
  private func normalised(_ value: Text) -> String? {
    guard let text = value.asciiWithout(" ()-./\u{A0}") else { return nil }
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
    return number.wholeMatch(of: /[1-9][0-9]*/) == nil ? nil : number
  }

  private static func digits(_ description: String) -> JSONValue {
    [
      "type": "integer", "minimum": .integer(possibleDigits.lowerBound),
      "maximum": .integer(possibleDigits.upperBound), "description": .string(description),
    ]
  }
}

extension FieldFault.Code {
  static let invalidPhone = Self(rawValue: "invalid-phone")
}

extension JSONReader {
  fileprivate func countryCode() throws(JSONShapeError) -> Text {
    let text = try string()
    guard text.isASCII, text.string.wholeMatch(of: /[1-9][0-9]{0,2}/) != nil else {
      throw error("expected 1 to 3 digits without a leading 0")
    }
    return text
  }
}
