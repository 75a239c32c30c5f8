import CanonicalJSON
import ViewState

/// How the values of a kind of fields are read, judged and laid out.
protocol InputRule: RowDescription {
  /// The type of the rows of such fields.
  static var rowType: RowType<InputLine> { get }
  /// The JSON schema of the member `default`.
  static var initialSchema: JSONValue { get }
  /// What a client needs to let a user enter a value.
  var input: InputType { get }
  /// The value of a field that is not filled in.
  var empty: JSONValue { get }

  /// Reads a value that a client sends, or a default.
  ///
  /// - Throws: `JSONShapeError` for what no field of this kind can hold.
  func read(_ json: JSONReader) throws(JSONShapeError) -> JSONValue
  /// Whether there is nothing to judge.
  func isEmpty(_ value: JSONValue) -> Bool
  /// What is wrong with a value that is not empty.
  func fault(of value: JSONValue) -> FieldFault?
  /// A right value as the row has it.
  func formatted(_ value: JSONValue) -> JSONValue
}

extension InputRule {
  func isEmpty(_ value: JSONValue) -> Bool { value == empty }
  func fault(of value: JSONValue) -> FieldFault? { nil }
  func formatted(_ value: JSONValue) -> JSONValue { value }
}

/// What is wrong with an entered value: a row for people to read, not a failed request.
struct FieldFault: Equatable, Sendable {
  /// A stable, machine-readable word.
  enum Code: Text, CaseIterable {
    case required
    case tooShort = "too-short"
    case tooLong = "too-long"
    case tooSmall = "too-small"
    case tooLarge = "too-large"
    case wrongCharacters = "wrong-characters"
    case invalidEmail = "invalid-email"
    case invalidURL = "invalid-url"
    case invalidNumber = "invalid-number"
    case invalidPhone = "invalid-phone"
    case invalidDate = "invalid-date"
    case tooEarly = "too-early"
    case tooLate = "too-late"
    case invalidTaxNumber = "invalid-tax-number"
    case wrongCheckDigit = "wrong-check-digit"
  }

  let code: Code
  /// The same in words.
  let text: Text

  init(_ code: Code, _ text: Text) {
    self.code = code
    self.text = text
  }
}

// MARK: - Texts

/// A rule for a line of text. A text of nothing but spaces is empty.
protocol LineRule: InputRule {
  /// What is wrong with a text that is not empty.
  func fault(of text: Text) -> FieldFault?
  /// A right text as the row has it.
  func formatted(_ text: Text) -> Text
}

extension LineRule {
  static var initialSchema: JSONValue { ["type": "string"] }
  var empty: JSONValue { "" }

  /// - Throws: `JSONShapeError` for a text beyond all limits; one that is only too long for the field, or
  ///   has spaces around it, is a wrong value.
  func read(_ json: JSONReader) throws(JSONShapeError) -> JSONValue {
    .string(try ValueType<Text>.text(atMostBytes: 2 * TextRule.mostBytes).read(json))
  }

  func isEmpty(_ value: JSONValue) -> Bool { value.line.trimmed.isEmpty }
  func fault(of value: JSONValue) -> FieldFault? { fault(of: value.line) }
  func formatted(_ value: JSONValue) -> JSONValue { .string(formatted(value.line)) }
  func formatted(_ text: Text) -> Text { text.trimmed }
}

extension JSONValue {
  fileprivate var line: Text {
    guard case .string(let text) = self else { return "" }
    return text
  }
}

extension Text {
  /// The text without separators; `nil` if something beside them is not ASCII, such as a digit with an
  /// accent.
  func asciiWithout(_ separators: String) -> String? {
    let rest = string.unicodeScalars.filter { !separators.unicodeScalars.contains($0) }
    return rest.allSatisfy(\.isASCII) ? String(rest) : nil
  }
}

// MARK: - Choices

/// The rule of a field whose value is one of a few options, or none.
struct DropdownRule: InputRule {
  struct Option: Described, FieldValue {
    static let fields = [
      Field("id", \Option.id, .shownText), Field("title", \.title, .shownText),
    ]

    var id: Text = ""
    var title: Text = ""

    static let valueType = ValueType<Option>(
      schema: .objectSchema(memberSchemas),
      read: { (json) throws(JSONShapeError) in
        try json.rejectUnknownMembers(allowed: Set(fields.map(\.name)))
        return try Option(json)
      }, write: { .object($0.members) })
  }

  var options: [Option] = []

  static let kind: Text = "dropdown"
  static let fields = [Field("options", \DropdownRule.options, optionsType)]
  static let initialSchema: JSONValue = ["type": "string", "description": "The id of an option."]

  static let optionsType: ValueType<[Option]> = {
    let list = ValueType.list(of: Option.valueType, atMost: 100)
    return ValueType(
      schema: list.schema.mergePatched(with: ["minItems": 1]),
      read: { (json) throws(JSONShapeError) in
        let options = try list.read(json)
        if options.isEmpty { throw json.error("expected at least one option") }
        var known: Set<Text> = []
        for (option, element) in zip(options, try json.elements())
        where !known.insert(option.id).inserted {
          throw element.error(in: "id", "another option has this id")
        }
        return options
      }, write: { list.write($0) })
  }()

  static let rowType = RowType.field(
    "dropdownField", "A choice of one of a few options; null if none is chosen.",
    value: ["type": ["string", "null"]])

  var empty: JSONValue { .null }
  var input: InputType { InputType(type: .select, options: options) }

  func read(_ json: JSONReader) throws(JSONShapeError) -> JSONValue {
    if json.isNull { return .null }
    let id = try json.string()
    guard options.contains(where: { $0.id == id }) else {
      throw json.error("there is no option of this id")
    }
    return .string(id)
  }
}

/// The rule of a switch. One that is required has to be on.
struct SwitchRule: InputRule {
  static let kind: Text = "switch"
  static let fields: [Field<SwitchRule>] = []
  static let initialSchema: JSONValue = ["type": "boolean"]

  static let rowType = RowType.field("switchField", "A switch.", value: ["type": "boolean"])

  var empty: JSONValue { false }
  var input: InputType { InputType(type: .checkbox) }

  func read(_ json: JSONReader) throws(JSONShapeError) -> JSONValue { .bool(try json.bool()) }
}
