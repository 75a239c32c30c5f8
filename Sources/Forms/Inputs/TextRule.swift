import CanonicalJSON
import ViewState

/// The rule of a field for a line of text, which may have to be an e-mail address, an address on the web
/// or a number, of a certain length, or of certain characters.
///
/// A form chooses rules by their names. It cannot have patterns, because matching a pattern of a client could
/// keep the server busy.
struct TextRule: LineRule {
  private static let lengths = 1...1_000
  /// The longest text that is right, in bytes: the most code points of four bytes.
  static let mostBytes = 4 * lengths.upperBound

  var inputType = TextInputType.text
  var characters: TextCharacters?
  var minLength: Int?
  var maxLength: Int?
  /// The least number.
  var min: Double?
  /// The greatest number.
  var max: Double?

  static let kind: Text = "text"
  static let fields = [
    Field("inputType", \TextRule.inputType, .choice().usually(.text)),
    Field("characters", \.characters, ValueType<TextCharacters>.choice().optional),
    Field("minLength", \.minLength, length("The least number of code points.")),
    Field("maxLength", \.maxLength, length("The largest number of code points.")),
    Field(
      "min", \.min,
      Double.valueType.described("The least number, if the input is a number.").optional),
    Field(
      "max", \.max,
      Double.valueType.described("The greatest number, if the input is a number.").optional),
  ]

  static let initialSchema: JSONValue = [
    "type": "string",
    "description": "The text it begins with. A number is written in English: `1,234.5`.",
  ]

  private static func length(_ summary: String) -> ValueType<Int?> {
    ValueType.integer(lengths).described(summary).optional
  }

  func check(_ reader: JSONReader) throws(JSONShapeError) {
    if let minLength, let maxLength, maxLength < minLength {
      throw reader.error(in: "maxLength", "the greatest length is below the least")
    }
    if inputType != .number, min ?? max != nil {
      throw reader.error(in: min == nil ? "max" : "min", "only a number has bounds")
    }
    if let min, let max, max < min {
      throw reader.error(in: "max", "the greatest number is below the least")
    }
  }

  static let rowType = RowType.field(
    "textField",
    "A field for a line of text, an e-mail address, an address on the web or a number.")

  var input: InputType {
    InputType(
      type: inputType.name, maxLength: maxLength, min: min.map(JSONValue.number),
      max: max.map(JSONValue.number))
  }

  func error(of text: Text) -> FieldError? {
    let line = text.trimmed
    // Code points: how many characters people see depends on the version of Unicode.
    let (length, most) = (line.string.unicodeScalars.count, maxLength ?? Self.lengths.upperBound)
    if let minLength, length < minLength {
      return FieldError(
        "too-short", en: "At least \(minLength) characters are needed.",
        de: "Es sind mindestens \(minLength) Zeichen nötig.")
    }
    if length > most {
      return FieldError(
        "too-long", en: "At most \(most) characters fit.",
        de: "Es passen höchstens \(most) Zeichen.")
    }
    // Each takes six bytes in JSON, so that they could make the answers larger than an entry can be.
    if line.string.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) {
      return FieldError(
        "wrong-characters", en: "Control characters do not fit here.",
        de: "Steuerzeichen passen hier nicht.")
    }
    return characters?.error(of: line) ?? inputType.error(of: line)
  }

  func error(of value: JSONValue, in language: Language) -> FieldError? {
    error(of: value.line)
      ?? (inputType == .number ? numberError(of: value.line, in: language) : nil)
  }

  func written(_ value: JSONValue, in language: Language) -> JSONValue {
    inputType == .number ? .string(language.number(translating: value.line)) : value
  }

  /// Returns a number as a JSON number, and null for an empty number or address; an empty text without a type stays
  /// a text.
  func submitted(_ value: JSONValue, in language: Language) -> JSONValue {
    switch inputType {
    case .text: return value
    case .email, .url: return isEmpty(value) ? .null : value
    case .number:
      guard let number = language.number(from: value.line) else { return .null }
      return Int(exactly: number).map(JSONValue.integer) ?? .number(number)
    }
  }

  /// What is wrong with a number as people write it.
  private func numberError(of text: Text, in language: Language) -> FieldError? {
    guard let number = language.number(from: text) else {
      return FieldError(
        "invalid-number", en: "That is not a number.", de: "Das ist keine Zahl.")
    }
    if let min, number < min {
      return FieldError(
        "too-small", en: "The number must be \(Language.en.number(min)) or more.",
        de: "Die Zahl muss mindestens \(Language.de.number(min)) sein.")
    }
    if let max, number > max {
      return FieldError(
        "too-large", en: "The number must be \(Language.en.number(max)) or less.",
        de: "Die Zahl darf höchstens \(Language.de.number(max)) sein.")
    }
    return nil
  }
}

/// What a line of text has to be, by the names that HTML has for the types of its inputs.
enum TextInputType: Text, CaseIterable {
  case text
  case email
  case url
  case number

  fileprivate var name: InputType.Name {
    switch self {
    case .text: .text
    case .email: .email
    case .url: .url
    case .number: .number
    }
  }

  /// What is wrong with a text.
  ///
  /// - Complexity: O(*n*), where *n* is the length of the text.
  func error(of text: Text) -> FieldError? {
    switch self {
    // How a number is written depends on the language.
    case .text, .number: nil
    case .email:
      text.isEmailAddress
        ? nil
        : FieldError(
          "invalid-email", en: "That is not an e-mail address.", de: "Das ist keine E-Mail-Adresse."
        )
    case .url:
      WebAddress(text) != nil
        ? nil
        : FieldError(
          "invalid-url", en: "That is not an address on the web.",
          de: "Das ist keine Adresse im Web.")
    }
  }
}

/// The characters that a line of text may have. A mark, such as an accent, belongs to the letter before it, and
/// to nothing else.
enum TextCharacters: Text, CaseIterable {
  case letters
  case digits
  case lettersAndDigits

  /// What is wrong with a text.
  ///
  /// - Complexity: O(*n*), where *n* is the length of the text.
  func error(of text: Text) -> FieldError? {
    let scalars = text.string.unicodeScalars[...]
    let (fits, words) =
      switch self {
      case .letters:
        (
          scalars.isOfLetters { " -'’".unicodeScalars.contains($0) },
          Localized(en: "letters", de: "Buchstaben")
        )
      case .digits: (scalars.allSatisfy(\.isDigit), Localized(en: "digits", de: "Ziffern"))
      case .lettersAndDigits:
        (
          scalars.isOfLetters(or: \.isDigit),
          Localized(en: "letters and digits", de: "Buchstaben und Ziffern")
        )
      }
    return fits
      ? nil
      : FieldError(
        "wrong-characters", en: "Only \(words[.en]) fit here.",
        de: "Hier passen nur \(words[.de]).")
  }
}

extension Substring.UnicodeScalarView {
  /// Whether these are letters, with what belongs to them, and others.
  fileprivate func isOfLetters(or isOther: (Unicode.Scalar) -> Bool) -> Bool {
    var isLetter = false
    return allSatisfy { scalar in
      if isLetter && scalar.belongsToLetter { return true }
      isLetter = scalar.properties.isAlphabetic
      return isLetter || isOther(scalar)
    }
  }
}

extension Unicode.Scalar {
  fileprivate var isDigit: Bool { ("0"..."9").contains(self) }

  /// Whether it changes the letter before it: a mark, or what Persian and the scripts of India join
  /// letters with.
  fileprivate var belongsToLetter: Bool {
    switch properties.generalCategory {
    case .nonspacingMark, .spacingMark, .enclosingMark: true
    default: properties.isJoinControl
    }
  }
}

extension Text {
  /// Whether mail could go there: one `@`, something before it, and behind it two or more names with
  /// dots between them. Only a message sent there would tell more.
  fileprivate var isEmailAddress: Bool {
    let parts = string.unicodeScalars.split(separator: "@", omittingEmptySubsequences: false)
    return parts.count == 2 && !parts[0].isEmpty && byteCount <= 254 && parts[1].isHostName
      && !parts[0].contains(where: \.properties.isWhitespace)
  }
}

extension Substring.UnicodeScalarView {
  /// Whether these are two or more names with dots between them. A hyphen is inside of a name (RFC 1123, section 2.1).
  fileprivate var isHostName: Bool {
    let names = split(separator: ".", omittingEmptySubsequences: false)
    return names.count >= 2
      && names.allSatisfy { name in
        !name.isEmpty && name.first != "-" && name.last != "-"
          && name.isOfLetters { $0.properties.numericType != nil || $0 == "-" }
      }
  }
}
