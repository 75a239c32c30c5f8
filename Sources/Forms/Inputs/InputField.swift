public import CanonicalJSON
public import ViewState

/// A field that a user fills in.
///
/// ``FormFields`` keeps the entered values. This type computes what follows from a value, such as what is wrong with
/// it.
// An object, because each view model of a form passes all its fields from hand to hand.
public final class InputField: Sendable {
  /// The largest size of an entered text, in bytes: twice the size of the longest right text.
  public static let mostBytes = 2 * TextRule.mostBytes

  /// What every field has.
  struct Face: Described {
    static let fields = [
      Field("label", \Face.label, .label),
      Field("placeholder", \.placeholder, ValueType.label.optional),
      Field(
        "required", \.isRequired,
        Bool.valueType.described("Whether a value must be given.").usually(false)),
      Field("errorText", \.errorText, ValueType.label.optional),
      Field("autocomplete", \.purpose, FieldPurpose.valueType.optional),
    ]

    var label: Text = ""
    var placeholder: Text?
    var isRequired = false
    /// What is said of any wrong value, in place of what the field has to say about it.
    var errorText: Text?
    var purpose: FieldPurpose?
  }

  /// The rule of its values.
  public let rule: any InputRule
  let face: Face
  /// The value of the description, before one is entered.
  let initial: JSONValue

  private init(_ rule: any InputRule, _ face: Face, _ initial: JSONValue) {
    (self.rule, self.face, self.initial) = (rule, face, initial)
  }

  /// The type of its row.
  var rowType: RowType<InputLine> { type(of: rule).rowType }
}

extension InputField: Equatable {
  public static func == (left: InputField, right: InputField) -> Bool {
    left === right
      || left.face == right.face && left.initial == right.initial && left.rule.isEqual(right.rule)
  }
}

// MARK: - The description

extension InputField {
  /// Reads a field.
  ///
  /// - Throws: `JSONShapeError` for a wrong member, and for a default that no field of this kind can hold.
  convenience init(_ reader: JSONReader, _ rule: any InputRule) throws(JSONShapeError) {
    let face = try Face(reader)
    var initial = rule.empty
    if let member = try reader.nullableMember("default") {
      let value = try rule.read(member)
      if !rule.isEmpty(value) {
        initial = Self.error(of: value, under: rule) == nil ? rule.formatted(value) : value
      }
    }
    self.init(rule, face, initial)
  }

  /// What is wrong with the default.
  var initialError: FieldError? {
    isFilled(initial) ? Self.error(of: initial, under: rule) : nil
  }

  /// A description has the same meaning on each server, so its numbers are English.
  private static func error(of initial: JSONValue, under rule: any InputRule) -> FieldError? {
    rule.error(of: initial, in: .en)
  }

  /// The members as they are read.
  var members: [Text: JSONValue] {
    var members = face.members.merging(rule.members) { $1 }
    if isFilled(initial) { members["default"] = initial }
    return members
  }
}

// MARK: - Answers

extension InputField {
  /// Reads a value that is entered.
  ///
  /// - Returns: A right value as the row has it; a wrong one as it was entered.
  /// - Throws: `JSONShapeError` for what no field of this kind can hold.
  func enter(_ json: JSONReader, in language: Language) throws(JSONShapeError) -> JSONValue {
    let value = try rule.read(json)
    return judge(value, in: language) == nil ? rule.formatted(value) : value
  }

  /// The field with other options; the same field if it is not a choice.
  func offering(_ options: [DropdownRule.Option]) -> InputField {
    rule is DropdownRule
      ? InputField(DropdownRule(options: options), face, initial) : self
  }

  /// What is wrong with a value.
  func judge(_ value: JSONValue, in language: Language) -> FieldError? {
    let isMissing = !isFilled(value)
    if isMissing && !face.isRequired { return nil }
    let error =
      isMissing
      ? FieldError("required", en: "This is needed.", de: "Das wird benötigt.")
      : rule.error(of: value, in: language)
    return error?.worded(face.errorText)
  }

  /// Whether a value is given.
  func isFilled(_ value: JSONValue) -> Bool { !rule.isEmpty(value) }

  /// Whether a value of the description is one that the field can have.
  func canAnswer(_ value: JSONValue) -> Bool {
    (try? enter(JSONReader(value), in: .en)) == value
  }
}

// MARK: - The row

/// A field with its value, as its row shows it.
public struct InputLine: Equatable, Sendable {
  /// The id of the row.
  public let id: ResourceID
  /// The field.
  public let field: InputField
  /// The value.
  public let value: JSONValue
  /// The number of groups around the row.
  public let depth: Int
}

extension RowType<InputLine> {
  /// Declares the rows of the fields of a kind.
  ///
  /// - Parameters:
  ///   - name: The name of the type.
  ///   - summary: One sentence on the rows, for client developers.
  ///   - value: The JSON schema of the values.
  ///   - more: Members that only this kind has; none unless given.
  public static func field(
    _ name: Text, _ summary: String, value: JSONValue = ["type": "string"],
    more: [Field<InputLine>] = []
  ) -> Self {
    RowType(name, summary) {
      Field("label", \.field.face.label, .label)
      Field(
        "required", \.field.face.isRequired,
        "Whether a value must be given; the value `false` of a switch is none.")
      Field("value", \.value, .json(schema: value))
      Field(
        "input",
        "The description that a client needs to let a user enter a value. The limits are hints: the server "
          + "judges the value."
      ) { $0.field.input }
      Field("change", \.id, .change)
      Field.depth(\.depth)
      more
    }
  }
}

extension InputField {
  fileprivate var input: InputType {
    var input = rule.input
    input.placeholder = face.placeholder
    input.autocomplete = face.purpose
    return input
  }
}

/// The description that a client needs to let a user enter a value.
public struct InputType: FieldObject {
  /// The types of inputs in HTML, and `select`.
  public enum Name: Text, CaseIterable, Sendable {
    case text, email, url, number, tel, date, select, checkbox
  }

  public static let fields = [
    Field("type", \InputType.type, .choice()), Field("placeholder", \.placeholder),
    Field("maxLength", \.maxLength),
    Field("min", \.min, .optional(bound.described("The first date, or the least number."))),
    Field("max", \.max, .optional(bound.described("The last date, or the greatest number."))),
    Field(
      "options", \.options, .optional(.list(of: DropdownRule.Option.valueType, atMost: nil))),
    Field("autocomplete", \.autocomplete, FieldPurpose.valueType.optional),
  ]
  private static let bound = ValueType.json(schema: ["type": ["string", "number"]])

  let type: Name
  var placeholder: Text?
  var maxLength: Int?
  var min: JSONValue?
  var max: JSONValue?
  /// Those of a `select`.
  var options: [DropdownRule.Option]?
  var autocomplete: FieldPurpose?
}

extension InputType {
  /// Declares an input of a type.
  public init(type: Name) { self.init(type: type, placeholder: nil) }
}

extension ValueType<ResourceID> {
  /// How the value of a row is entered.
  static let change: ValueType = {
    let name = JSONValue.string(FormCommand.didChange(Never.self).name)
    return ValueType(
      schema: JSONValue.objectSchema([
        ("argument", ["const": "value"], true),
        (
          "command",
          .objectSchema([("type", ["const": name], true), ("row", ["type": "string"], true)]),
          true
        ),
      ]).mergePatched(with: [
        "description": """
        How a value is entered: send `command` with the new value as one more member, under the name in \
        `argument`.
        """
      ]),
      read: { (json) throws(JSONShapeError) in
        throw json.error("only the server writes this member")
      },
      write: { ["argument": "value", "command": ["type": name, "row": .string($0.text)]] })
  }()
}
