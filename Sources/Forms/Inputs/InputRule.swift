public import CanonicalJSON
public import ViewState

/// Reads, judges and formats the values of a kind of fields.
///
/// For a line of text, use a ``LineRule``, which reads the text and leaves the checks to the kind.
public protocol InputRule: RowDescription {
  /// The type of the rows of such fields, which `RowType.field` declares.
  static var rowType: RowType<InputLine> { get }
  /// The JSON schema of the member `default`.
  static var initialSchema: JSONValue { get }
  /// The codes of the errors of values, other than those of the library; none unless defined.
  static var errorCodes: [Text] { get }
  /// The description that a client needs to let a user enter a value.
  var input: InputType { get }
  /// The value of a field that is not filled in.
  var empty: JSONValue { get }

  /// Reads a value that a client sends, or a default.
  ///
  /// - Throws: `JSONShapeError` if no field of this kind can have the value.
  func read(_ json: JSONReader) throws(JSONShapeError) -> JSONValue
  /// Returns whether a value counts as empty, so that it is not checked; unless defined, whether it is ``empty``.
  func isEmpty(_ value: JSONValue) -> Bool
  /// Returns what is wrong with a value that is not empty, as users write it in a language; `nil` if nothing is.
  /// Unless defined, every value is right.
  func error(of value: JSONValue, in language: Language) -> FieldError?
  /// Returns a right value as the row shows it; the same value unless defined.
  func formatted(_ value: JSONValue) -> JSONValue
  /// Returns a value of the description, in which numbers are English, as users write it in a language; the same value
  /// unless defined.
  func written(_ value: JSONValue, in language: Language) -> JSONValue
  /// Returns the submitted form of a right value, which users have written in a language. Unless defined, that is the
  /// same value, or null for an empty value of a ``LineRule``, so that an optional member can be decoded from it.
  func submitted(_ value: JSONValue, in language: Language) -> JSONValue
}

extension InputRule {
  public static var errorCodes: [Text] { [] }
  public func isEmpty(_ value: JSONValue) -> Bool { value == empty }
  public func error(of value: JSONValue, in language: Language) -> FieldError? { nil }
  public func formatted(_ value: JSONValue) -> JSONValue { value }
  public func written(_ value: JSONValue, in language: Language) -> JSONValue { value }
  public func submitted(_ value: JSONValue, in language: Language) -> JSONValue { value }
}

/// An error of an entered value. A row shows it to people; the request does not fail.
public struct FieldError: Codable, Equatable, Sendable {
  /// A stable, machine-readable name of the error, such as `too-long`.
  public let code: Text
  /// The error as a sentence for people.
  public let text: Localized

  /// Creates an error.
  ///
  /// - Parameters:
  ///   - code: A stable, machine-readable name of the error.
  ///   - en: An English sentence for people.
  ///   - de: The same sentence in German; `nil` for the English one.
  public init(_ code: Text, en: Text, de: Text? = nil) {
    self.code = code
    text = Localized(en: en, de: de ?? en)
  }

  /// The same error, in the words of a form if it has some for it.
  func worded(_ words: Text?) -> FieldError {
    words.map { FieldError(code, en: $0) } ?? self
  }

  /// The codes of the kinds of the library.
  static let standardCodes: [Text] = [
    "required", "too-short", "too-long", "too-small", "too-large", "wrong-characters",
    "invalid-email", "invalid-url", "invalid-number", "invalid-phone", "invalid-date", "too-early",
    "too-late", "not-offered",
  ]
}

// MARK: - Texts

/// A rule for a line of text. A text that has only spaces is empty.
///
/// ```swift
/// struct AccountNumberRule: LineRule {
///   static let kind: Text = "accountNumber"
///   static let fields: [Field<AccountNumberRule>] = []
///   static let errorCodes: [Text] = ["invalid-account"]
///   static let rowType = RowType.field("accountNumberField", "A field for the number of an account.")
///
///   var input: InputType { InputType(type: .text) }
///
///   func error(of text: Text) -> FieldError? {
///     text.trimmed.byteCount == 10
///       ? nil
///       : FieldError(
///         "invalid-account", en: "An account number has ten digits.",
///         de: "Eine Kontonummer hat zehn Ziffern.")
///   }
/// }
/// ```
public protocol LineRule: InputRule {
  /// Returns what is wrong with a text that is not empty; `nil` if nothing is.
  func error(of text: Text) -> FieldError?
  /// Returns a right text as the row shows it; unless defined, the text without the spaces around it.
  func formatted(_ text: Text) -> Text
}

extension LineRule {
  public static var initialSchema: JSONValue { ["type": "string"] }
  public var empty: JSONValue { "" }

  /// Reads a text.
  ///
  /// - Throws: `JSONShapeError` if the value is not a text, or is beyond the limits of all fields. A text that is only
  ///   too long for its field is read; it is a wrong value.
  public func read(_ json: JSONReader) throws(JSONShapeError) -> JSONValue {
    .string(try ValueType<Text>.text(atMostBytes: InputField.mostBytes).read(json))
  }

  public func isEmpty(_ value: JSONValue) -> Bool { value.line.trimmed.isEmpty }
  public func error(of value: JSONValue, in language: Language) -> FieldError? {
    error(of: value.line)
  }
  public func formatted(_ value: JSONValue) -> JSONValue { .string(formatted(value.line)) }
  public func submitted(_ value: JSONValue, in language: Language) -> JSONValue {
    isEmpty(value) ? .null : value
  }
  public func formatted(_ text: Text) -> Text { text.trimmed }
}

extension JSONValue {
  /// The text; empty for another value.
  var line: Text {
    guard case .string(let text) = self else { return "" }
    return text
  }
}

extension Text {
  /// Returns the text without separators; `nil` if another character is not ASCII, such as a digit with an accent.
  public func asciiWithout(_ separators: String) -> String? {
    let rest = string.unicodeScalars.filter { !separators.unicodeScalars.contains($0) }
    return rest.allSatisfy(\.isASCII) ? String(rest) : nil
  }
}

// MARK: - Choices

/// The rule of a field whose value is one of a few options, or none.
struct DropdownRule: InputRule {
  struct Option: Described, FieldValue, Codable {
    static let fields = [
      Field("id", \Option.id, .label), Field("title", \.title, .label),
    ]

    var id: Text = ""
    var title: Text = ""

    static let valueType = ValueType<Option>(
      schema: .objectSchema(memberSchemas),
      read: { (json) throws(JSONShapeError) in
        try json.rejectUnknownMembers(allowed: names)
        return try Option(json)
      }, write: { .object($0.members) })
    private static let names = Set(fields.map(\.name))
  }

  /// Empty if the screen sets them by ``FormFields/setOptions(_:of:)``.
  var options: [Option] = []

  static let kind: Text = "dropdown"
  static let fields = [Field("options", \DropdownRule.options, optionsType.usually([]))]
  static let initialSchema: JSONValue = ["type": "string", "description": "The id of an option."]

  private static let optionsType: ValueType<[Option]> = {
    let list = ValueType.list(of: Option.valueType, atMost: 100)
    return ValueType(
      schema: list.schema.mergePatched(with: ["minItems": 1]),
      read: { (json) throws(JSONShapeError) in
        let options = try list.read(json)
        if options.isEmpty { throw json.error("expected at least one option") }
        if let mistake = mistake(in: options) { throw mistake.within(json.pointer.tokens) }
        return options
      }, write: { list.write($0) })
  }()

  /// Returns the error of the first option whose id is that of an option before it, or is empty, as if nothing were
  /// chosen; `nil` if there is none.
  static func mistake(in options: [Option]) -> JSONShapeError? {
    var known: Set<Text> = [""]
    guard let index = options.firstIndex(where: { !known.insert($0.id).inserted }) else {
      return nil
    }
    return JSONShapeError(
      ["\(index)", "id"],
      options[index].id.isEmpty ? "the id is empty" : "another option has this id")
  }

  /// Writes options that a screen has set.
  static func record(_ options: [Option]) -> JSONValue {
    CommonParts.json(of: options) { .array($0.map { .object($0.members) }) }
  }

  /// Reads options that a screen has set.
  static func recorded(_ json: JSONValue) throws -> [Option] {
    try CommonParts.value(of: json, as: DropdownRule.self) {
      CommonParts.shared(try $0.decode([Option].self))
    }
  }

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

  /// A chosen option may be gone, if the screen sets the options.
  func error(of value: JSONValue, in language: Language) -> FieldError? {
    options.contains { .string($0.id) == value }
      ? nil
      : FieldError(
        "not-offered", en: "This is no longer offered.", de: "Das wird nicht mehr angeboten.")
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
